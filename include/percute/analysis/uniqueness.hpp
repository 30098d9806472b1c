// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/laws/complementarity.hpp>
#include <percute/laws/sequences.hpp>

#include <cstdint>
#include <vector>

namespace percute::analysis {

/// The different answers a law gives to one impact where it leaves a choice.
struct DistinctOutcomes {
  std::vector<Vector> velocities = {};  ///< v⁺, each different from the others by more than 1e-8 vs
  std::vector<long> counts = {};        ///< how often each was met
  double spread = 0.0;                  ///< largest distance of two of them, max norm
  long tried = 0;                       ///< choices that led to an answer
  long failed = 0;                      ///< choices that led to none
  bool complete = false;                ///< every choice was tried

  bool unique() const { return velocities.size() == 1; }
};

/// All orders in which the contacts of a sequence of collisions can be chosen, one after another:
/// at each collision every approaching contact is tried. Beyond `most` sequences the rest is left
/// out (`complete` tells).
DistinctOutcomes over_orders(const ImpactProblem& problem, laws::Binary law = {},
                             long most = 10'000);

/// All combinations of open, sticking and sliding contacts that satisfy Coulomb's law; planar
/// impacts with at most 6 contacts (12 without friction), otherwise InvalidInput. Contacts that
/// separate before the impact take no part, as in the first stage of the law.
DistinctOutcomes over_modes(const ImpactProblem& problem, const laws::Coulomb& law = {});

/// Coulomb's law solved by iteration from different impulses: none, and `starts` random ones in the
/// friction cones. Finds what over_modes() lists where its limits forbid that, without certainty.
DistinctOutcomes over_starting_points(const ImpactProblem& problem, const laws::Coulomb& law = {},
                                      int starts = 100, std::uint64_t seed = 1);

}  // namespace percute::analysis

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "selftest/random_problem.hpp"

#include <percute/laws/complementarity.hpp>
#include <percute/laws/fremond.hpp>
#include <percute/laws/impulse_ratios.hpp>
#include <percute/laws/restitution_matrix.hpp>
#include <percute/laws/scalar_restitution.hpp>
#include <percute/laws/sequences.hpp>

#include <string>
#include <variant>
#include <vector>

namespace percute::selftest {

/// The laws without an inner time.
using AlgebraicLaw =
    std::variant<laws::Moreau, laws::Newton, laws::Poisson, laws::RestitutionMatrix,
                 laws::FremondQuadratic, laws::FremondCone, laws::ImpulseRatios, laws::Binary,
                 laws::SimultaneousSet, laws::ScalarRestitution, laws::CradleSort, laws::Coulomb>;

/// resolve() with whichever law it is.
ImpactResult resolve(const ImpactProblem& problem, const AlgebraicLaw& law);

/// A law with its parameters, and what it promises about this problem.
struct LawTrial {
  std::string name = {};  ///< "poisson", "poisson include", "coulomb theta", …
  AlgebraicLaw law = {};
  bool answers = false;    ///< it has an answer to every problem
  bool energetic = false;  ///< no energy is created
  bool kinematic = false;  ///< nothing approaches afterwards
};

/// A random impact for algebraic laws, with and without friction, and all laws to apply to it.
struct RandomLaws {
  std::string kind = {};
  ImpactProblem problem = {};
  std::vector<std::vector<int>> bodies = {};  ///< coordinates of each body
  Vector translation = {};   ///< velocity of a common motion that no contact feels; empty: none
  double restitution = 0.0;  ///< of laws that take one coefficient
  std::vector<LawTrial> trials = {};
};

/// Problem number `index` of a seed, the same one everywhere, as random_problem(). Six in ten are
/// drawn by it (at most 12 contacts, nothing precompressed, tangents where bodies move in a plane);
/// the others are planar and spatial bodies on several contacts, and spinning disks and balls that
/// touch: coefficients of friction 0, small, 1, infinite, equal or mixed. Restitution 0, 1 and
/// between. Every law of AlgebraicLaw is in `trials`, with random admissible parameters.
RandomLaws random_laws(std::uint64_t seed, std::uint64_t index);

}  // namespace percute::selftest

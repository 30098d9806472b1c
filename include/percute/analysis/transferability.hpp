// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/analysis/law_family.hpp>

#include <functional>
#include <vector>

namespace percute::analysis {

/// Parameters of a law that come closest to an outcome.
struct Identification {
  Vector parameters = {};
  double misfit = 0.0;  ///< |v⁺ − wanted| over the largest gap rate before the impact
};

/// Searches the parameter box: `samples` points of it, then the simplex method of Nelder and Mead
/// from the best of them. Not unique where the law does not use a parameter.
Identification identify(const ImpactProblem& problem, const LawFamily& family,
                        const Vector& velocity, long samples = 200);

/// The same impact with some of its contacts only, in the order given.
ImpactProblem part_of(const ImpactProblem& problem, const std::vector<int>& contacts);

/// Whether parameters found in one system are worth anything in a part of it.
struct Transfer {
  Identification whole = {};  ///< fitted to the reference on the whole system
  Identification part = {};   ///< fitted to the reference on the part
  double error = 0.0;         ///< misfit on the part with the parameters of the whole
  double change = 0.0;  ///< largest change of a parameter from whole to part, in units of its range
};

using Reference = std::function<ImpactResult(const ImpactProblem& problem)>;

/// `reference` stands for nature: its outcome is fitted on the whole, the parameters found are used
/// for the part, and fitted anew there. Throws InvalidInput where a parameter of the part has no
/// counterpart in the whole, e.g. a ratio of impulses at contacts that were not neighbours.
Transfer transferability(const ImpactProblem& problem, const FamilyMaker& family,
                         const Reference& reference, const std::vector<int>& contacts,
                         long samples = 200);

}  // namespace percute::analysis

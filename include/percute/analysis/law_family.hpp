// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/laws/impact_law.hpp>

#include <functional>
#include <string>
#include <vector>

namespace percute::analysis {

/// One number by which a law can be tuned.
struct Parameter {
  std::string name = {};
  double lowest = 0.0;
  double highest = 1.0;
  /// Contacts it speaks of; empty: the impact as a whole. In a part of the system a parameter keeps
  /// its meaning where all its contacts are still there.
  std::vector<int> contacts = {};
};

/// A law with its free parameters, for one problem: what an experimenter could fit.
struct LawFamily {
  std::string name = {};
  std::vector<Parameter> parameters = {};
  std::function<ImpactResult(const ImpactProblem& problem, const Vector& parameters)> resolve = {};
};

/// Makes a family for a problem.
using FamilyMaker = std::function<LawFamily(const ImpactProblem& problem)>;

// The families of the laws here; e, e1, … are restitution coefficients from 0 to 1 that replace
// those of the contacts.
LawFamily moreau_family(const ImpactProblem& problem);          ///< e
LawFamily newton_family(const ImpactProblem& problem);          ///< e_i
LawFamily poisson_family(const ImpactProblem& problem);         ///< e_i
LawFamily poisson_family_to_two(const ImpactProblem& problem);  ///< e_i from 0 to 2
/// r_ij from 0 to what the energy allows at most.
LawFamily restitution_matrix_family(const ImpactProblem& problem);
/// κ_i from almost 0 to almost ∞ by s_i = (G_ii κ_i − 2)/(G_ii κ_i + 2): a lone contact has
/// e = max(s, 0). Two contacts: also K_12 = c √(κ_1 κ_2), c from −1 to 1.
LawFamily fremond_quadratic_family(const ImpactProblem& problem);
/// Direction of the impulses by p_{i+1}/(p_i + p_{i+1}), and e along it.
LawFamily impulse_ratios_family(const ImpactProblem& problem);
LawFamily binary_family(const ImpactProblem& problem);              ///< e_i
LawFamily simultaneous_set_family(const ImpactProblem& problem);    ///< e_i
LawFamily scalar_restitution_family(const ImpactProblem& problem);  ///< e_i
/// Stiffness ratios log₁₀(K_{i+1}/K_i) from −4 to 4, and e_i.
LawFamily lzb_family(const ImpactProblem& problem);

}  // namespace percute::analysis

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/analysis/problem_analysis.hpp>
#include <percute/laws/impact_law.hpp>

#include <functional>
#include <string>
#include <string_view>
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

/// Families of a kind of percute's laws; "poisson" has two, a law with nothing to vary none. Their
/// parameters, e and e_i from 0 to 1 in place of the restitution of the contacts:
///
///     moreau                e
///     restitution_matrix    r_ij from 0 to what the energy allows at most
///     fremond_quadratic     κ_i from almost 0 to almost ∞ by s_i = (G_ii κ_i − 2)/(G_ii κ_i + 2),
///                           a lone contact has e = max(s, 0); of two contacts also
///                           K_12 = c √(κ_1 κ_2), c from −1 to 1
///     icr                   direction of the impulses by p_{i+1}/(p_i + p_{i+1}), e along it
///     lzb                   stiffness ratios log₁₀(K_{i+1}/K_i) from −4 to 4, and e_i
///     poisson               e_i, and e_i from 0 to 2
///     newton, binary, simultaneous_set, scalar_restitution      e_i
std::vector<FamilyMaker> family_makers(std::string_view kind);

/// A law with one choice of its parameters.
struct OutcomeSample {
  Vector parameters = {};
  Vector outcome = {};        ///< U⁺/V
  double energy_ratio = 0.0;  ///< KER
  bool admissible = false;    ///< accepted by the law, and in the set of outcomes
};

/// How much of all admissible outcomes a law can reach by its parameters. A measure of the tool as
/// much as of the law: a law that reaches a line covers 1/N of N² cells.
struct Coverage {
  std::vector<OutcomeSample> samples = {};
  long cells = 0;    ///< of the box around the set, those whose centre is in it
  long covered = 0;  ///< of these, hit by an admissible sample

  double fraction() const {
    return cells > 0 ? static_cast<double>(covered) / static_cast<double>(cells) : 0.0;
  }
};

struct CoverageOptions {
  long samples = 10'000;    ///< besides the corners of the parameter box
  int cells_per_axis = 20;  ///< fewer samples than cells could not cover all
  double tolerance = 1e-6;  ///< of the test whether a sample is admissible: that of numerical laws
};

/// Samples the parameter box of a law at its corners, if there are at most 2^10, and at random (the
/// same points every time), and bins the outcomes. At most 6 contacts; throws InvalidInput like
/// outcome_set().
Coverage coverage(const ImpactProblem& problem, const LawFamily& family,
                  const CoverageOptions& options = {});

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

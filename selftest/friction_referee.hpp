// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/model/impact_problem.hpp>

#include <optional>

namespace percute::selftest {

/// A third opinion on elastic contacts with friction, for tests: no modes, no events and no cones
/// to be found, and nothing in common with the laws it is asked about. Coulomb's law is replaced by
///
///     ḣ = U_n,   λ = K max(−h, 0)^η,   M v̇ = W λ + T f,   f = −μ λ U_t / max(|U_t|, ε)
///
/// and integrated by an implicit method that takes its stiffness, μ λ/(m ε), in its stride. As
/// friction is monotone the outcome differs from Coulomb's by O(ε), where contacts creep instead of
/// sticking; ε is a fraction of vs, and two of them give the limit and how sure it is.
struct FrictionReferee {
  double tolerance = 1e-11;  ///< of a step, relative to indentations and velocities
  double creep = 1e-6;       ///< larger ε, over vs; the smaller one is a tenth of it
  long max_steps = 100'000;  ///< of each of the two runs

  struct Opinion {
    Vector velocity;  ///< v⁺ for ε → 0, extrapolated
    /// |v⁺(ε) − v⁺(ε/10)|, ten times what is linear in the smaller ε, and 1e4 tolerances of vs:
    /// steps that end beyond a kink of f are worse than their estimates.
    double error = 0.0;
    long steps = 0;
  };

  /// None where friction is infinite, or the impact does not come to an end.
  std::optional<Opinion> operator()(const ImpactProblem& elastic) const;
};

}  // namespace percute::selftest

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "selftest/law_checks.hpp"

#include <percute/model/impact_result.hpp>

namespace percute::selftest {

/// A problem for algebraic laws, and what bounds refer to.
struct LawContext {
  const ImpactProblem& problem;
  ImpactScales scale;
  Vector U;               ///< gap rates before
  double rounding = 0.0;  ///< of Wᵀv: bodies may move together much faster than they approach
  double most = 0.0;      ///< energy lost in the plastic impact: no impulse p ≥ 0 takes more

  explicit LawContext(const ImpactProblem& problem);

  Eigen::Index size() const { return U.size(); }
  double restitution(Eigen::Index i) const {
    return problem.contacts[static_cast<std::size_t>(i)].material.restitution;
  }
  bool takes_part(Eigen::Index i) const { return U[i] <= scale.gap_rate_tol; }
  bool approaching() const { return size() > 0 && U.minCoeff() < -scale.gap_rate_tol; }
};

bool sliding(const ImpactProblem& problem);

/// Whether the Delassus matrix, with a unit diagonal, has an eigenvalue below 1e-5: solving with it
/// makes 1e-10 of rounding, so that U⁺ = −R U⁻ may or may not be possible to the tolerance.
bool nearly_dependent(const ImpactProblem& problem);

/// Distance of an outcome from the equations of its law, over vs; negative where it is not known
/// how to tell (several stages, laws that are sequences).
double distance_from_law(const LawContext& c, const AlgebraicLaw& law, const ImpactResult& result);

/// The law with the impulses its solver comes to first, which are complementary to the velocities;
/// the least ones with the same velocities need not be, where contacts are redundant and restitute
/// differently.
AlgebraicLaw with_raw_impulses(const AlgebraicLaw& law);

/// 1 for a status without its reason, else 0.
double dishonest(const LawContext& c, const LawTrial& trial, const ImpactResult& result);

/// Largest difference of gap rates and sliding velocities after the impact.
double difference(const ImpactResult& a, const ImpactResult& b);

}  // namespace percute::selftest

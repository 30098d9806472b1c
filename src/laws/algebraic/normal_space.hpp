// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/model/impact_problem.hpp>

namespace percute::laws {

/// An impact seen by its contacts, normal directions only: U⁺ = U⁻ + G p.
struct NormalSpace {
  Matrix G;  ///< Delassus matrix, m × m
  Vector U;  ///< gap rates before, m
  ImpactScales scale;

  /// Throws InvalidInput for contacts that no impulse could move.
  void assign(const ImpactProblem& problem);

  /// Whether some contact approaches by more than the tolerance.
  bool approaching(const Vector& gap_rates) const {
    return gap_rates.size() > 0 && gap_rates.minCoeff() < -scale.gap_rate_tol;
  }

 private:
  SparseMatrix X_;  ///< L⁻¹W, the factor of G
};

}  // namespace percute::laws

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "numerics/solver_status.hpp"

#include <percute/numerics/linear_algebra.hpp>

#include <vector>

namespace percute::numerics {

/// min ½ pᵀA p + bᵀp subject to p_i ∈ K_i = { |p_t| ≤ μ_i p_n } and C p + d ≥ 0, where contact i
/// has the rows start[i]…start[i+1] of p, normal first, with 0, 1 or 2 tangents. Convex; A may be
/// singular.
struct ConeProgram {
  Matrix A = {};  ///< symmetric positive semidefinite
  Vector b = {};
  std::vector<int> start = {};  ///< m + 1
  Vector friction = {};         ///< μ_i ≥ 0; infinity: p_t free
  Matrix C = {};                ///< rows of linear constraints; may have none
  Vector d = {};
  double scale = 0.0;  ///< velocity that errors are measured against, where it is above max|b|
};

struct ConeProgramSolution {
  Vector p = {};
  /// Largest violation of the optimality conditions K_i ∋ p_i ⟂ (A p + b − Cᵀy)_i ∈ K_i*,
  /// 0 ≤ y ⟂ C p + d ≥ 0, as natural maps in the unit of velocity, over max(|b|, scale).
  double error = 0.0;
  int iterations = 0;
  SolverStatus status = SolverStatus::IterationLimit;
};

/// Lemke's method on the rays of the cones, then Newton's. Throws std::invalid_argument where sizes
/// disagree.
ConeProgramSolution solve_cone_program(const ConeProgram& program);

}  // namespace percute::numerics

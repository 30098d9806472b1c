// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/numerics/linear_algebra.hpp>

#include <vector>

namespace percute::numerics {

/// min ½ xᵀP x + qᵀx subject to s = h − G x ∈ C, C a product of cones: `cones` lists their
/// dimensions in the order of the rows, 1 for s ≥ 0, k > 1 for the second-order cone s_0 ≥ |s̄|. P
/// is positive semidefinite; P and G together have full column rank.
struct ConicQuadratic {
  Matrix P = {};
  Vector q = {};
  Matrix G = {};
  Vector h = {};
  std::vector<int> cones = {};
};

struct ConicSolution {
  Vector x = {};
  Vector z = {};  ///< multipliers: P x + q + Gᵀz = 0, C ∋ z ⟂ s ∈ C
  int iterations = 0;
  bool solved = false;
  bool infeasible = false;  ///< certificate found: Gᵀz = 0, z ∈ C, hᵀz < 0
};

/// Primal–dual interior point method with Nesterov–Todd scaling and Mehrotra's corrector
/// (Nesterov & Todd 1997). Small and dense. Works until no step improves the residuals any more.
ConicSolution solve_conic(const ConicQuadratic& problem, int max_iterations = 100);

}  // namespace percute::numerics

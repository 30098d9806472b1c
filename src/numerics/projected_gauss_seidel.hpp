// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "numerics/delassus_operator.hpp"

namespace percute::numerics {

struct GaussSeidelReport {
  int sweeps = 0;
  double residual = 0.0;  ///< max_i |min(z_i G_ii, w_i)|, in the unit of b
  bool converged = false;
};

/// Linear complementarity problem 0 ≤ w = G z + b ⊥ z ≥ 0 for symmetric positive semidefinite G
/// with positive diagonal, by projected Gauss–Seidel from the given z. Stops when the natural-map
/// residual is at most `tolerance` (unit of b).
GaussSeidelReport solve_lcp_gauss_seidel(const DelassusOperator& G, const double* b, double* z,
                                         double tolerance, int max_sweeps);

}  // namespace percute::numerics

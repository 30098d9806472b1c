// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <algorithm>
#include <cmath>

namespace percute::numerics {

/// Cholesky factor of a small positive definite matrix, lower triangle by rows, in place. `least`:
/// a lower bound of its eigenvalues, and so of the pivots, that rounding may have lost.
inline void factor_in_place(double* X, int n, double least = 0.0) {
  for (int k = 0; k < n; ++k) {
    for (int j = 0; j < k; ++j) X[k * n + k] -= X[k * n + j] * X[k * n + j];
    X[k * n + k] = std::sqrt(std::max(X[k * n + k], least));
    for (int i = k + 1; i < n; ++i) {
      for (int j = 0; j < k; ++j) X[i * n + k] -= X[i * n + j] * X[k * n + j];
      X[i * n + k] /= X[k * n + k];
    }
  }
}

/// Solves X Xᵀ y = b in place, X lower triangular with rows of length n.
inline void solve_factored(const double* X, int n, double* b) {
  for (int k = 0; k < n; ++k) {
    for (int j = 0; j < k; ++j) b[k] -= X[k * n + j] * b[j];
    b[k] /= X[k * n + k];
  }
  for (int k = n - 1; k >= 0; --k) {
    for (int j = k + 1; j < n; ++j) b[k] -= X[j * n + k] * b[j];
    b[k] /= X[k * n + k];
  }
}

}  // namespace percute::numerics

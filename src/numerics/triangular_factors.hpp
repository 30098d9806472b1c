// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/numerics/linear_algebra.hpp>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace percute::numerics {

/// P M = L U in place, M n × n by columns, rows exchanged for the largest pivot; `exchange` (n)
/// keeps the exchanges. False as soon as a pivot is at most `smallest`. Does not allocate.
bool lu_factor(double* M, int n, int* exchange, double smallest);

/// x ← M⁻¹ x with the factors of lu_factor.
void lu_solve(const double* LU, int n, const int* exchange, double* x);

/// The same for a matrix that is kept: small ones, as those of Newton's method in an implicit step.
class DenseLU {
 public:
  /// False if M is singular.
  bool compute(Matrix M) {
    LU_ = std::move(M);
    exchange_.resize(static_cast<std::size_t>(LU_.rows()));
    return lu_factor(LU_.data(), size(), exchange_.data(), 0.0);
  }
  Vector solve(Vector b) const {
    lu_solve(LU_.data(), size(), exchange_.data(), b.data());
    return b;
  }

 private:
  int size() const { return static_cast<int>(LU_.rows()); }

  Matrix LU_;
  std::vector<int> exchange_;
};

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

/// S ≈ L Lᵀ for symmetric positive semidefinite S, largest remaining diagonal first, until what
/// remains is rounding: diagonals of at most 10⁻¹² trace S.
struct PivotedCholesky {
  Matrix L = {};                 ///< m × r; its rows `chosen`, in that order, are lower triangular
  std::vector<int> chosen = {};  ///< r independent rows of S, in the order taken
};

/// S should have a unit diagonal, so that the threshold means the same for every row.
PivotedCholesky pivoted_cholesky(const Matrix& S);

}  // namespace percute::numerics

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/numerics/linear_algebra.hpp>

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

}  // namespace percute::numerics

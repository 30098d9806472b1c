// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/numerics/linear_algebra.hpp>

#include <vector>

namespace percute::numerics {

/// S ≈ L Lᵀ for symmetric positive semidefinite S, largest remaining diagonal first, until what
/// remains is rounding: diagonals of at most 10⁻¹² trace S.
struct PivotedCholesky {
  Matrix L = {};                 ///< m × r; its rows `chosen`, in that order, are lower triangular
  std::vector<int> chosen = {};  ///< r independent rows of S, in the order taken
};

/// S should have a unit diagonal, so that the threshold means the same for every row.
PivotedCholesky pivoted_cholesky(const Matrix& S);

}  // namespace percute::numerics

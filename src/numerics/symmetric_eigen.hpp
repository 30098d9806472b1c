// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/numerics/linear_algebra.hpp>

namespace percute::numerics {

/// A = V diag(values) Vᵀ of a symmetric matrix (its lower triangle is read), values ascending.
/// Compiled in one place because that takes the compiler long.
struct SymmetricEigen {
  Vector values;
  Matrix vectors;  ///< orthonormal columns
};
SymmetricEigen symmetric_eigen(const Matrix& A);
/// The values alone.
Vector symmetric_eigenvalues(const Matrix& A);

}  // namespace percute::numerics

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/numerics/linear_algebra.hpp>

#include <Eigen/QR>

namespace percute::numerics {

/// Rank-revealing factor of a dense matrix, A P = Q [T 0; 0 0] Z with orthogonal Q and Z (Golub &
/// Van Loan 1996, section 5.4.2): Eigen's complete orthogonal decomposition, compiled in one place
/// because that takes the compiler long.
class OrthogonalFactor {
 public:
  OrthogonalFactor() = default;
  /// Pivots below `threshold` times the largest count as zero; 0: what rounding leaves.
  explicit OrthogonalFactor(const Matrix& A, double threshold = 0.0) { compute(A, threshold); }
  void compute(const Matrix& A, double threshold = 0.0);

  Eigen::Index rank() const;
  /// The shortest x with the smallest |A x − b|.
  Vector solve(const Vector& b) const;
  /// Q, square: the first rank() columns span the range of A, the others what is orthogonal to it.
  Matrix basis() const;

 private:
  Eigen::CompleteOrthogonalDecomposition<Matrix> factor_;
};

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

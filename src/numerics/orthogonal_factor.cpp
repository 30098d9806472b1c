// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "numerics/orthogonal_factor.hpp"

#include <Eigen/Eigenvalues>

namespace percute::numerics {

void OrthogonalFactor::compute(const Matrix& A, double threshold) {
  if (threshold > 0.0) {
    factor_.setThreshold(threshold);
  } else {
    factor_.setThreshold(Eigen::Default);
  }
  factor_.compute(A);
}

Eigen::Index OrthogonalFactor::rank() const {
  return factor_.rank();
}

Vector OrthogonalFactor::solve(const Vector& b) const {
  return factor_.solve(b);
}

Matrix OrthogonalFactor::basis() const {
  return factor_.householderQ();
}

SymmetricEigen symmetric_eigen(const Matrix& A) {
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(A);
  return {.values = eigen.eigenvalues(), .vectors = eigen.eigenvectors()};
}

Vector symmetric_eigenvalues(const Matrix& A) {
  return Eigen::SelfAdjointEigenSolver<Matrix>(A, Eigen::EigenvaluesOnly).eigenvalues();
}

}  // namespace percute::numerics

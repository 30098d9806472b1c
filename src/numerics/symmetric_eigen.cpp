// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "numerics/symmetric_eigen.hpp"

#include <Eigen/Eigenvalues>

namespace percute::numerics {

SymmetricEigen symmetric_eigen(const Matrix& A) {
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(A);
  return {.values = eigen.eigenvalues(), .vectors = eigen.eigenvectors()};
}

Vector symmetric_eigenvalues(const Matrix& A) {
  return Eigen::SelfAdjointEigenSolver<Matrix>(A, Eigen::EigenvaluesOnly).eigenvalues();
}

}  // namespace percute::numerics

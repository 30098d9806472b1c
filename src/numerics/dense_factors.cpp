// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "numerics/orthogonal_factor.hpp"
#include "numerics/triangular_factors.hpp"

#include <Eigen/Eigenvalues>

#include <cmath>
#include <utility>

namespace percute::numerics {

bool lu_factor(double* M, int n, int* exchange, double smallest) {
  for (int k = 0; k < n; ++k) {
    double* column = M + n * k;
    int pivot = k;
    for (int i = k + 1; i < n; ++i) {
      if (std::abs(column[i]) > std::abs(column[pivot])) pivot = i;
    }
    exchange[k] = pivot;
    if (!(std::abs(column[pivot]) > smallest)) return false;
    if (pivot != k) {
      for (int j = 0; j < n; ++j) std::swap(M[k + n * j], M[pivot + n * j]);
    }
    const double inverse = 1.0 / column[k];
    for (int i = k + 1; i < n; ++i) column[i] *= inverse;
    for (int j = k + 1; j < n; ++j) {
      double* other = M + n * j;
      const double factor = other[k];
      if (factor == 0.0) continue;
      for (int i = k + 1; i < n; ++i) other[i] -= factor * column[i];
    }
  }
  return true;
}

void lu_solve(const double* LU, int n, const int* exchange, double* x) {
  for (int k = 0; k < n; ++k) {
    if (exchange[k] != k) std::swap(x[k], x[exchange[k]]);
  }
  for (int k = 0; k < n; ++k) {
    for (int i = k + 1; i < n; ++i) x[i] -= LU[i + n * k] * x[k];
  }
  for (int k = n - 1; k >= 0; --k) {
    x[k] /= LU[k + n * k];
    for (int i = 0; i < k; ++i) x[i] -= LU[i + n * k] * x[k];
  }
}

PivotedCholesky pivoted_cholesky(const Matrix& S) {
  const Eigen::Index m = S.rows();
  const double threshold = 1e-12 * S.trace();
  PivotedCholesky out;
  Matrix L = Matrix::Zero(m, m);
  Vector left = S.diagonal();
  for (Eigen::Index k = 0; k < m; ++k) {
    Eigen::Index pivot = 0;
    if (!(left.maxCoeff(&pivot) > threshold)) break;
    const double root = std::sqrt(left[pivot]);
    const Vector known = L.leftCols(k) * L.row(pivot).head(k).transpose();
    L.col(k) = (S.col(pivot) - known) / root;
    left -= L.col(k).cwiseAbs2();
    left[pivot] = 0.0;
    out.chosen.push_back(static_cast<int>(pivot));
  }
  out.L = L.leftCols(static_cast<Eigen::Index>(out.chosen.size()));
  return out;
}

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

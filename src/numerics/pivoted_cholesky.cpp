// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "numerics/pivoted_cholesky.hpp"

#include <cmath>

namespace percute::numerics {

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

}  // namespace percute::numerics

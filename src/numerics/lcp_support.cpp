// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "numerics/dense_lu.hpp"
#include "numerics/lcp_methods.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace percute::numerics::lcp {

Problem describe(const Matrix& A, const Vector& b, double scale, double* mass) {
  double largest = 0.0;
  for (Eigen::Index i = 0; i < A.rows(); ++i) largest = std::max(largest, A(i, i));
  if (!(largest > 0.0)) largest = A.size() > 0 ? A.cwiseAbs().maxCoeff() : 0.0;
  if (!(largest > 0.0)) largest = 1.0;
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    mass[i] = 1.0 / (A(i, i) > 1e-14 * largest ? A(i, i) : largest);
  }
  if (!(scale > 0.0)) scale = b.size() > 0 ? b.cwiseAbs().maxCoeff() : 0.0;
  if (!(scale > 0.0)) scale = 1.0;
  return {.size = static_cast<int>(b.size()),
          .A = A.data(),
          .b = b.data(),
          .mass = mass,
          .scale = scale};
}

double evaluate(const Problem& problem, const double* z, double* w) {
  const int m = problem.size;
  Eigen::Map<Eigen::VectorXd> sum(w, m);
  sum = Eigen::Map<const Eigen::VectorXd>(problem.b, m);
  for (int j = 0; j < m; ++j) {
    if (z[j] != 0.0) sum += Eigen::Map<const Eigen::VectorXd>(problem.A + j * m, m) * z[j];
  }
  double worst = 0.0;
  for (int i = 0; i < m; ++i) {
    const double error = std::abs(std::min(z[i] / problem.mass[i], w[i]));
    if (!std::isfinite(z[i] + w[i])) return std::numeric_limits<double>::infinity();
    worst = std::max(worst, error);
  }
  return worst / problem.scale;
}

Need support_need(int size) {
  const auto m = static_cast<std::size_t>(size);
  return {.numbers = m * m + 2 * m, .indices = m};
}

bool solve_support(const Problem& problem, const int* support, int count, double* numbers,
                   int* indices, double* z) {
  const int m = problem.size;
  double* M = numbers;
  double* x = M + m * m;
  double* root = x + m;
  // √m_i A_ij √m_j has a unit diagonal: pivots say how far from singular it is.
  for (int i = 0; i < count; ++i) root[i] = std::sqrt(problem.mass[support[i]]);
  for (int j = 0; j < count; ++j) {
    for (int i = 0; i < count; ++i) {
      M[i + count * j] = root[i] * problem.column(support[i], support[j]) * root[j];
    }
  }
  if (!lu_factor(M, count, indices, 1e-13)) return false;

  std::fill(z, z + m, 0.0);
  for (int pass = 0; pass < 2; ++pass) {
    for (int i = 0; i < count; ++i) {
      double residual = problem.b[support[i]];
      for (int j = 0; j < count; ++j) {
        residual += problem.column(support[i], support[j]) * z[support[j]];
      }
      x[i] = -root[i] * residual;
    }
    lu_solve(M, count, indices, x);
    for (int i = 0; i < count; ++i) z[support[i]] += root[i] * x[i];
  }
  return true;
}

}  // namespace percute::numerics::lcp

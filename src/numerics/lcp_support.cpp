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

double rounding(const Problem& problem, const double* z) {
  double worst = 0.0;
  for (int i = 0; i < problem.size; ++i) {
    double sum = std::abs(problem.b[i]);
    for (int j = 0; j < problem.size; ++j) sum += std::abs(problem.column(i, j)) * z[j];
    worst = std::max(worst, sum);
  }
  return std::numeric_limits<double>::epsilon() * worst / problem.scale;
}

void Best::offer(double* candidate) {
  for (int i = 0; i < problem.size; ++i) candidate[i] = std::max(0.0, candidate[i]);
  const double offered = evaluate(problem, candidate, w);
  if (!(offered < error)) return;
  error = offered;
  std::copy(candidate, candidate + problem.size, z);
}

double unit_diagonal(const Problem& problem, double* root) {
  const int m = problem.size;
  const auto mobile = [&](int i) { return problem.column(i, i) * problem.mass[i] > 0.5; };
  for (int i = 0; i < m; ++i) root[i] = std::sqrt(problem.mass[i]);
  double unit = 0.0;
  for (int i = 0; i < m; ++i) {
    double coupling = 0.0;
    for (int j = 0; j < m && !mobile(i); ++j) {
      const double entry = std::max(std::abs(problem.column(i, j)), std::abs(problem.column(j, i)));
      if (mobile(j)) coupling = std::max(coupling, entry * root[j]);
    }
    if (coupling > 0.0) root[i] = 1.0 / coupling;
    unit = std::max(unit, std::abs(root[i] * problem.b[i]));
  }
  return unit;
}

Need support_need(int size) {
  const auto m = static_cast<std::size_t>(size);
  return {.numbers = m * m + 2 * m, .indices = m};
}

double careful_residual(const Problem& problem, int i, const int* support, int count,
                        const double* z) {
  long double sum = problem.b[i];
  for (int k = 0; k < count; ++k) {
    sum += static_cast<long double>(problem.column(i, support[k])) * z[support[k]];
  }
  return static_cast<double>(sum);
}

bool solve_support(const Problem& problem, const int* support, int count, double* numbers,
                   int* indices, double* z) {
  const int m = problem.size;
  double* M = numbers;
  double* x = M + m * m;
  double* root = x + m;
  // With a unit diagonal, pivots say how far from singular A_FF is. What is nearly singular may
  // pass: the error tells.
  unit_diagonal(problem, root);
  for (int j = 0; j < count; ++j) {
    for (int i = 0; i < count; ++i) {
      const double entry = problem.column(support[i], support[j]);
      M[i + count * j] = root[support[i]] * entry * root[support[j]];
    }
  }
  if (!lu_factor(M, count, indices, 1e-15)) return false;

  std::fill(z, z + m, 0.0);
  for (int pass = 0; pass < 2; ++pass) {
    for (int i = 0; i < count; ++i) {
      double residual = problem.b[support[i]];
      for (int j = 0; j < count; ++j) {
        residual += problem.column(support[i], support[j]) * z[support[j]];
      }
      x[i] = -root[support[i]] * residual;
    }
    lu_solve(M, count, indices, x);
    for (int i = 0; i < count; ++i) z[support[i]] += root[support[i]] * x[i];
  }
  return true;
}

}  // namespace percute::numerics::lcp

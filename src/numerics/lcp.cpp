// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "numerics/lcp.hpp"

#include "numerics/lcp_methods.hpp"
#include "numerics/triangular_factors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

namespace percute::numerics {

namespace lcp {

void validate(const Matrix& A, const Vector& b, double tolerance, double scale) {
  const auto m = b.size();
  if (A.rows() != m || A.cols() != m) {
    throw std::invalid_argument("linear complementarity problem: A is " + std::to_string(A.rows()) +
                                " x " + std::to_string(A.cols()) + ", b has " + std::to_string(m) +
                                " entries; A must be square and of the size of b");
  }
  if (!(tolerance >= 0.0)) {
    throw std::invalid_argument("tolerance = " + std::to_string(tolerance) +
                                ": must not be negative");
  }
  if (!(scale >= 0.0)) {
    throw std::invalid_argument("scale = " + std::to_string(scale) + ": must not be negative");
  }
}

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

SupportEquations::SupportEquations(const Problem& problem, Memory& memory)
    : problem_(problem),
      matrix_(memory.numbers(problem.size * problem.size)),
      x_(memory.numbers(problem.size)),
      root_(memory.numbers(problem.size)),
      exchange_(memory.indices(problem.size)) {
  // With a unit diagonal, pivots say how far from singular A_FF is.
  unit_diagonal(problem, root_);
}

bool SupportEquations::solve(const int* support, int count, double* z) {
  for (int j = 0; j < count; ++j) {
    for (int i = 0; i < count; ++i) {
      const double entry = problem_.column(support[i], support[j]);
      matrix_[i + count * j] = root_[support[i]] * entry * root_[support[j]];
    }
  }
  // What is nearly singular may pass: the error tells.
  if (!lu_factor(matrix_, count, exchange_, 1e-15)) return false;

  std::fill(z, z + problem_.size, 0.0);
  for (int pass = 0; pass < 2; ++pass) {
    for (int i = 0; i < count; ++i) {
      double residual = problem_.b[support[i]];
      for (int j = 0; j < count; ++j) {
        residual += problem_.column(support[i], support[j]) * z[support[j]];
      }
      x_[i] = -root_[support[i]] * residual;
    }
    lu_solve(matrix_, count, exchange_, x_);
    for (int i = 0; i < count; ++i) z[support[i]] += root_[support[i]] * x_[i];
  }
  return true;
}

// For each of the 2^m sets F: A_FF z_F = −b_F, z = 0 elsewhere, kept where z ≥ 0 and w ≥ 0. Slow
// and certain: what the other methods are compared with. Where A is symmetric positive semidefinite
// and there is a solution, there is one with A_FF regular: A_FF u = 0 implies A u = 0, so going
// along u until some z_i is zero makes F smaller.
Outcome enumeration(const Problem& problem, Memory& memory, double* z) {
  const int m = problem.size;
  double* candidate = memory.numbers(m);
  int* support = memory.indices(m);
  SupportEquations equations(problem, memory);
  Outcome outcome;
  Best best{.problem = problem, .z = z, .w = memory.numbers(m)};
  for (unsigned set = 0; set < 1U << m; ++set) {
    ++outcome.iterations;
    int count = 0;
    for (int i = 0; i < m; ++i) {
      if ((set >> i & 1U) != 0U) support[count++] = i;
    }
    if (equations.solve(support, count, candidate)) best.offer(candidate);
  }
  outcome.infeasible = best.error > 1e-6;  // less may be rounding of a nearly singular support
  return outcome;
}

}  // namespace lcp

void LcpSolver::solve(const Matrix& A, const Vector& b, const LcpOptions& options,
                      LcpSolution& solution) {
  const auto by = [&](const auto& method) {
    lcp::solve_by(A, b, options, memory_, solution, method);
  };
  switch (options.method) {
    case LcpMethod::ActiveSet:
      return by(lcp::active_set);
    case LcpMethod::Lemke:
      return by(lcp::lemke);
    case LcpMethod::Enumeration:
      if (b.size() > kLargestEnumeration) {
        throw std::invalid_argument("enumeration of a problem with " + std::to_string(b.size()) +
                                    " rows: at most " + std::to_string(kLargestEnumeration));
      }
      return by(lcp::enumeration);
  }
}

LcpSolution solve_lcp(const Matrix& A, const Vector& b, const LcpOptions& options) {
  LcpSolver solver;
  LcpSolution solution;
  solver.solve(A, b, options, solution);
  return solution;
}

}  // namespace percute::numerics

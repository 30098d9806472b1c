// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "selftest/solvers/lcp_methods.hpp"

#include <algorithm>
#include <cmath>

// Projected successive over-relaxation (Cryer 1971; Cottle, Pang & Stone 1992, § 5.2):
//
//   z_i ← max(0, z_i − ω w_i / A_ii),   0 < ω < 2,   one row after the other,
//
// converges for symmetric positive semidefinite A whenever there is a solution, slowly where
// contacts nearly depend on one another. Rows without mobility of their own are left as they are.
//
// Stops when the natural-map error of each row, times what it can do to the w of others,
// g_i = max_j |A_ji| / A_ii, is within the tolerance: light bodies beside heavy ones make g large.

namespace percute::selftest {

namespace {

constexpr int kDefaultSweeps = 10000;
constexpr int kSweepsBetweenProducts = 16;  ///< w is updated; rounding must not pile up

}  // namespace

Outcome solve_by_gauss_seidel(const Problem& problem, double relaxation, Memory& memory,
                              double* z) {
  using Column = Eigen::Map<const Eigen::VectorXd>;
  const int m = problem.size;
  Eigen::Map<Eigen::VectorXd> w(memory.numbers(m), m);
  const int limit = problem.max_iterations > 0 ? problem.max_iterations : kDefaultSweeps;
  for (int i = 0; i < m; ++i) z[i] = std::max(0.0, z[i]);

  double* reach = memory.numbers(m);  // g
  for (int j = 0; j < m; ++j) {
    reach[j] = std::max(1.0, Column(problem.A + j * m, m).cwiseAbs().maxCoeff() * problem.mass[j]);
  }
  const auto error = [&] {
    double worst = 0.0;
    for (int i = 0; i < m; ++i) {
      worst = std::max(worst, reach[i] * std::abs(std::min(z[i] / problem.mass[i], w[i])));
    }
    return worst / problem.scale;
  };

  Outcome outcome;
  evaluate(problem, z, w.data());
  outcome.converged = error() <= problem.tolerance;
  while (!outcome.converged && outcome.iterations < limit) {
    ++outcome.iterations;
    for (int i = 0; i < m; ++i) {
      if (!(problem.column(i, i) * problem.mass[i] > 0.5)) continue;
      const double next = std::max(0.0, z[i] - relaxation * w[i] * problem.mass[i]);
      const double change = next - z[i];
      if (change == 0.0) continue;
      z[i] = next;
      w += Column(problem.A + i * m, m) * change;
    }
    if (error() <= problem.tolerance) {
      evaluate(problem, z, w.data());
      outcome.converged = error() <= problem.tolerance;
    } else if (outcome.iterations % kSweepsBetweenProducts == 0) {
      evaluate(problem, z, w.data());
    }
  }
  return outcome;
}

}  // namespace percute::selftest

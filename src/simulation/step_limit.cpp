// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include <percute/numerics/largest_eigenvalue.hpp>
#include <percute/simulation/step_limit.hpp>

#include <cmath>

namespace percute::simulation {

std::optional<double> highest_frequency(const systems::AnySystem& system, const Vector& q) {
  if (!system.has_stiffness()) return {};
  const auto n = system.coordinates();
  Matrix dense(n, n);
  system.stiffness(q, dense);
  if (!dense.allFinite()) return {};
  const SparseMatrix K = dense.sparseView();
  const auto solver = system.solver();
  if (!solver->factor(q)) return {};
  const double square = numerics::largest_eigenvalue(
      n, [&](const Vector& x, Vector& y) { y = K * x; },
      [&](const Vector& x, Vector& y) { solver->multiply(x, y); },
      [&](Vector& x) { solver->solve(x); });
  return std::sqrt(std::max(0.0, square));
}

}  // namespace percute::simulation

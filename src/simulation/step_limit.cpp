// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "simulation/step_limit.hpp"

#include "model/text.hpp"
#include "numerics/largest_eigenvalue.hpp"

#include <percute/model/invalid_input.hpp>

#include <algorithm>
#include <cmath>

namespace percute::simulation {

void validate_step(double step, const RunOptions& run) {
  constexpr double kMostSteps = 1e12;  // some months
  const auto refuse = [&](const std::string& why) {
    throw InvalidInput("simulation.step", text(step) + why);
  };
  if (run.duration && *run.duration > kMostSteps * step) {
    refuse(" s gives more than 1e12 steps in the duration");
  }
}

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

std::string unresolved_vibration(const systems::AnySystem& system, const Vector& q, double step) {
  const auto frequency = highest_frequency(system, q);
  if (!frequency || step * *frequency <= 2.0) return {};
  return "simulation.step: " + text(step) +
         " s is too long for the fastest vibration, ω = " + text(*frequency) +
         " rad/s: it is not resolved";
}

std::string unresolved_forces(const systems::AnySystem& system, double time, double step) {
  // An eighth of a cycle, unless forces begin to change in less than that.
  double longest = system.longest_step(time);
  if (std::isfinite(longest)) longest = std::max(longest, system.longest_step(time + longest));
  if (step <= 2.0 * longest) return {};
  return "simulation.step: " + text(step) + " s is too long for forces that change in time; " +
         text(longest) + " s or less resolves them";
}

}  // namespace percute::simulation

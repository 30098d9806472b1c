// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "simulation/fixed_steps.hpp"

#include "model/text.hpp"
#include "numerics/largest_eigenvalue.hpp"

#include <algorithm>
#include <cmath>

namespace percute::simulation {

std::optional<double> highest_frequency(const AnySystem& system, const Vector& q) {
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

std::string unresolved_vibration(const AnySystem& system, const Vector& q, double step) {
  const auto frequency = highest_frequency(system, q);
  if (!frequency || step * *frequency <= 2.0) return {};
  return "simulation.step: " + text(step) +
         " s is too long for the fastest vibration, ω = " + text(*frequency) +
         " rad/s: it is not resolved";
}

std::string unresolved_forces(const AnySystem& system, double time, double step) {
  // An eighth of a cycle, unless forces begin to change in less than that.
  double longest = system.longest_step(time);
  if (std::isfinite(longest)) longest = std::max(longest, system.longest_step(time + longest));
  if (step <= 2.0 * longest) return {};
  return "simulation.step: " + text(step) + " s is too long for forces that change in time; " +
         text(longest) + " s or less resolves them";
}

Run FixedStepRun::run(const Moment& start, double sliver) {
  system_.gaps(start.state.position, gaps_);
  note_gaps();
  begin(start);
  while (!ledger_.stopped() && status_ == RunStatus::Ok) {
    const double left = ledger_.end_time() - time_;
    if (!(left > sliver * step_)) break;
    if (too_many()) {
      fail(RunStatus::NotTerminated, ledger_.limit_reached());
      break;
    }
    step(left);
  }
  return ledger_.finish(moment(), status_, reason_, coarse_step());
}

// Time stepping sees an impact up to a step late, and a body by |U| h too far on. Against the
// widest gap that any contact came through, G, that is the error of an impact in parts of the
// motion: a ball that falls from G has |U| h/G = 2 h/T with T the time it falls. Later, smaller
// bounces are shorter than any step, and are small against G all the same.
std::string FixedStepRun::coarse_step() {
  constexpr double kFewestSteps = 3.0;  // through the widest gap, for impacts to mean something
  const std::vector<ContactReach>& reaches = ledger_.reaches();
  double widest = 0.0;
  std::size_t worst = 0;
  for (std::size_t i = 0; i < reaches.size(); ++i) {
    if (reaches[i].way > 0.0) widest = std::max(widest, reaches[i].gap);
    if (reaches[i].way > reaches[worst].way) worst = i;
  }
  const std::string length = "simulation.step: " + text(step_) + " s is ";
  if (options_.duration && step_ > *options_.duration) {
    return length + "longer than the run, " + text(*options_.duration) + " s";
  }
  if (reaches.empty() || kFewestSteps * reaches[worst].way <= widest) return {};
  return length + "too long for this motion: contact " +
         names_of({static_cast<int>(worst)}, system_) + " closes by " + text(reaches[worst].way) +
         " m in one step, and no contact that closes was ever open by more than " + text(widest) +
         " m; impacts mean something where that takes " + text(kFewestSteps) + " steps or more";
}

}  // namespace percute::simulation

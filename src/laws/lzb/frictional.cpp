// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/lzb/frictional.hpp"

#include "contact/coulomb.hpp"
#include "laws/lzb/slow_approach.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

namespace percute::laws {

namespace {

ImpactResult left_alone(const ImpactProblem& problem, int contact) {
  ImpactResult result;
  result.velocity = problem.velocity;
  result.impulse = Vector::Zero(static_cast<Eigen::Index>(problem.contacts.size()));
  result.status = Status::NoSlipSolution;
  for (const Contact& c : problem.contacts) result.energy.stored += c.stored_energy;
  result.diagnostics.reason = "contacts[" + std::to_string(contact) +
                              "] separates where its sliding is stopped: infinite friction would "
                              "act without pressure";
  return result;
}

/// v⁺ = v⁻ + M⁻¹ (W p + T p_t)
void set_velocity(const ImpactProblem& problem, ImpactResult& result) {
  Vector momentum = problem.gradients * result.impulse;
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    if (problem.contacts[i].directions == 0) continue;
    momentum += tangents_of(problem, i) * result.tangential_impulse[i];
  }
  result.velocity = problem.mass.solve(momentum);
  result.velocity += problem.velocity;
}

/// A contact whose sliding infinite friction has stopped, and that no pressure came to; −1 if there
/// is none.
int held_without_pressure(const ImpactSetup& setup, const FrictionSetup& friction,
                          const ImpactResult& result) {
  for (int i = 0; i < setup.m; ++i) {
    if (!friction.acts(i) || !std::isinf(friction.mu(i))) continue;
    const double unit = 1e-10 * setup.effective_mass[i] * setup.velocity_scale;
    const Vector& p_t = result.tangential_impulse[static_cast<std::size_t>(i)];
    if (result.impulse[i] <= unit && p_t.norm() > unit) return i;
  }
  return -1;
}

}  // namespace

ImpactResult run_frictional(const ImpactProblem& problem, const Lzb& law, const ImpactSetup& setup,
                            ContactPhases& phases, FrictionalMemory& memory,
                            const Recording* recording) {
  FrictionalRun& integrator = memory.run;
  const FrictionSetup& friction = memory.setup;
  memory.setup.assign(problem, setup);
  std::optional<Recorder> recorder;
  if (recording != nullptr) recorder.emplace(setup.m, *recording);
  phases.record_log(recording != nullptr);

  ImpactResult result;
  result.status = integrator.run(setup, friction, law, phases, recorder ? &*recorder : nullptr);
  if (result.status == Status::NoSlipSolution) {
    return left_alone(problem, integrator.without_solution());
  }
  const double* xi = integrator.indentation();
  Vector& P = result.impulse;
  P = Eigen::Map<const Vector>(integrator.impulse(), setup.m).cwiseMax(0.0);
  result.tangential_impulse.reserve(problem.contacts.size());
  for (int i = 0; i < setup.m; ++i) {
    const auto d = problem.contacts[static_cast<std::size_t>(i)].directions;
    result.tangential_impulse.emplace_back(Vector::Zero(d));
    if (friction.acts(i)) {
      result.tangential_impulse.back() = Eigen::Map<const Vector>(
          integrator.impulse() + setup.m + friction.row(i), friction.size(i));
    }
  }
  if (const int i = held_without_pressure(setup, friction, result);
      i >= 0 && accepted(result.status)) {
    return left_alone(problem, i);
  }
  result.dissipated_by_friction = Eigen::Map<const Vector>(integrator.friction_loss(), setup.m);
  result.dissipated.resize(setup.m);
  for (int i = 0; i < setup.m; ++i) {
    const double stored = phases.stored_energy(i, xi[i]);
    result.energy.stored += stored;
    result.dissipated[i] = setup.initial_energy[i] + phases.absorbed_work(i, xi[i]) - stored +
                           result.dissipated_by_friction[i];
  }
  Diagnostics& d = result.diagnostics;
  if (integrator.counts().reason != nullptr) d.reason = integrator.counts().reason;
  // What is left is ended, or removed, without friction: it is slower than all that was resolved.
  std::vector<double> U(integrator.velocities().begin(), integrator.velocities().begin() + setup.m);
  U.resize(static_cast<std::size_t>(setup.lanes), 0.0);
  bool finished = false;
  if (result.status == Status::Zeno) {
    d.residual_velocity = 0.0;
    for (int i = 0; i < setup.m; ++i) {
      d.residual_velocity =
          std::max(*d.residual_velocity, std::abs(U[static_cast<std::size_t>(i)]));
    }
    phases.log_zeno(integrator.time());
    if (law.finish == Lzb::Finish::Moreau0) {
      for (int i = 0; i < setup.m; ++i) result.dissipated[i] += phases.stored_energy(i, xi[i]);
      result.energy.stored = 0.0;
      if (!finish_plastically(setup, U, P, result.dissipated)) {
        result.status = Status::NotTerminated;
        d.reason = kUnfinished;
      }
      finished = true;
    } else {
      result.status = Status::NotTerminated;
    }
  } else if (result.status == Status::Ok && law.finish == Lzb::Finish::Moreau0) {
    const double removed = remove_slow_approach(setup, U, P, result.dissipated);
    finished = removed > 0.0;
    if (finished) d.residual_velocity = removed;
  }
  set_velocity(problem, result);
  if (finished && recorder) {
    const Vector after = problem.gradients.transpose() * result.velocity;
    recorder->sample(integrator.time(), [&](int i) {
      ContactSample s{.impulse = P[i], .dissipated = result.dissipated[i], .gap_rate = after[i]};
      for (int k = 0; k < friction.size(i); ++k) {
        s.tangential_impulse[static_cast<std::size_t>(k)] =
            result.tangential_impulse[static_cast<std::size_t>(i)][k];
      }
      return s;
    });
  }
  if (!result.velocity.allFinite()) result.status = Status::StepUnderflow;
  d.tolerance = law.tolerance;
  d.evaluations = integrator.counts().evaluations;
  d.steps = integrator.steps();
  d.rejected = integrator.rejected();
  d.events = phases.events() + integrator.counts().friction_events;
  d.duration = integrator.time();
  d.contacts = phases.summaries();
  if (recorder) {
    std::vector<ImpactEvent> events = phases.log();
    events.insert(events.end(), integrator.log().begin(), integrator.log().end());
    result.history = recorder->history(problem, std::move(events));
  }
  return result;
}

}  // namespace percute::laws

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "simulation/compliant_run.hpp"
#include "simulation/moment_checks.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace percute::simulation {

// Where a run begins and where another one can go on.

namespace {

using laws::CompliantContact;
using laws::ContactMemory;

}  // namespace

void CompliantRun::begin(const Moment& start) {
  double* y = integrator_.state();
  std::copy(start.state.position.begin(), start.state.position.end(), y);
  std::copy(start.state.velocity.begin(), start.state.velocity.end(), y + system_.coordinates());
  integrator_.set_time(start.time);
  integrator_.set_next_step(start.step);
  refresh();
  bodies_.measure(y, true);
  for (int i = 0; i < m(); ++i) make_force(i);  // so that bad parameters are told at once
  if (const auto* memory = remembered<CompliantMemory>(start)) {
    recall(*memory);
  } else {
    failed_ = !integrator_.restart();  // what presses contacts together
    units_.speed = 0.0;
    for (int i = 0; i < m(); ++i) units_.speed = std::max(units_.speed, std::abs(now_.U[i]));
    for (int i = 0; i < m(); ++i) {
      if (!(now_.gap[i] < -mechanism_.gap_noise(i))) continue;
      apply(i, Change::Close);
      y[work() + i] = ContactDynamics::stored(i, now_.gap[i]);
    }
    close_touching();
    failed_ = failed_ || !restart(true);
  }
  start_energy_ = balance();
  RunRecord& record = ledger_.counts();
  if (record.energy_residual) {
    start_energy_ -= *record.energy_residual;
  } else if (record.contacts.empty()) {
    record.energy.expected += stored();
  }
}

/// Energy now, with all that contacts have stored.
double CompliantRun::mechanical_energy() {
  const Eigen::Index n = system_.coordinates();
  const Vector q = Eigen::Map<const Vector>(integrator_.state(), n);
  const Vector v = Eigen::Map<const Vector>(integrator_.state() + n, n);
  return bodies_.solver().kinetic_energy(q, v) + system_.potential_energy(q) + stored();
}

/// The same, with all that they have lost.
double CompliantRun::balance() {
  double sum = mechanical_energy();
  for (int i = 0; i < m(); ++i) sum += lost(i);
  return sum;
}

void CompliantRun::recall(const CompliantMemory& memory) {
  bodies_.set_speed(memory.speed);
  approach_ = memory.approach;
  fastest_ = memory.fastest;
  units_.time = memory.unit_time;
  if (ledger_.counts().contacts.size() == totals_.size()) totals_ = ledger_.counts().contacts;
  const contact::FrictionRows& rows = friction_.rows();
  const auto tangential = static_cast<std::size_t>(rows.tangential());
  contact::FrictionMemory friction{.modes = std::vector<contact::FrictionMode>(contacts_.size()),
                                   .decided = memory.decided,
                                   .again = memory.again,
                                   .places = std::vector<int>(tangential, -1),
                                   .shape = {}};
  if (memory.shares) friction.shape.assign(tangential, 0.0);
  double* y = integrator_.state();
  const Vector q = Eigen::Map<const Vector>(y, system_.coordinates());
  for (int i = 0; i < m(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const CompliantMemory::Force& force = memory.forces[k];
    CompliantContact& state = contact(i);
    state.mode = static_cast<CompliantContact::Mode>(force.mode);
    state.compressing = force.compressing;
    state.memory = {.branch = static_cast<ContactMemory::Branch>(force.branch),
                    .largest = force.largest,
                    .force = force.force,
                    .residual = force.residual,
                    .damping = force.damping};
    state.law =
        laws::ContactForce(system_.contact(i, q).material, law_.force, force.effective_mass, i);
    y[impulse() + i] = totals_[k].impulse;
    y[work() + i] = memory.phases[k].work;
    if (friction_.any()) y[friction_loss() + i] = totals_[k].dissipated_by_friction;
    phases_[k] = memory.phases[k];
    const CompliantMemory::Friction& own = memory.frictions[k];
    friction.modes[k] = {.kind = static_cast<contact::FrictionMode::Kind>(own.kind),
                         .direction = own.direction,
                         .offset = own.offset,
                         .fresh = own.fresh,
                         .slow = own.slow};
    for (std::size_t d = 0; d < own.place.size(); ++d) {
      const bool there = d < static_cast<std::size_t>(rows.size(i));
      if (own.place[d] > (there ? rows.tangential() : 0)) {
        throw InvalidInput("start.memory.frictions[" + std::to_string(k) + "].place",
                           "is none of the tangential rows");
      }
      if (!there) continue;
      const std::size_t row = static_cast<std::size_t>(rows.row(i)) + d;
      friction.places[row] = own.place[d] - 1;
      if (memory.shares) friction.shape[row] = own.share[d];
    }
    if (state.touching()) totals_[k].duration -= integrator_.time() - phases_[k].start;
  }
  units_.speed = memory.unit_speed;
  integrator_.set_restarted(memory.restarted);
  smooth_until_ = memory.smooth_until;
  set_tolerances();
  resume(friction);
}

Moment CompliantRun::moment() const {
  Moment moment;
  moment.time = integrator_.time();
  const double* y = integrator_.state();
  const Eigen::Index n = system_.coordinates();
  moment.state = {.position = Eigen::Map<const Vector>(y, n),
                  .velocity = Eigen::Map<const Vector>(y + n, n)};
  moment.step = integrator_.next_step();
  const contact::FrictionMemory friction = friction_.memory();
  const contact::FrictionRows& rows = friction_.rows();
  CompliantMemory memory{.speed = bodies_.speed(),
                         .approach = approach_,
                         .fastest = fastest_,
                         .unit_time = units_.time,
                         .unit_speed = units_.speed,
                         .restarted = integrator_.restarted(),
                         .smooth_until = smooth_until_,
                         .decided = friction.decided,
                         .again = friction.again,
                         .shares = !friction.shape.empty(),
                         .phases = phases_};
  for (int i = 0; i < m(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const CompliantContact& state = contact(i);
    if (state.touching()) moment.held.push_back(i);
    if (friction_.sticks(i)) moment.sticking.push_back(i);
    memory.forces.push_back({.mode = static_cast<int>(state.mode),
                             .compressing = state.compressing,
                             .branch = static_cast<int>(state.memory.branch),
                             .largest = state.memory.largest,
                             .force = state.memory.force,
                             .residual = state.memory.residual,
                             .damping = state.memory.damping,
                             .effective_mass = state.law.effective_mass()});
    memory.phases[k].work = y[work() + i];
    const contact::FrictionMode& mode = friction_.mode(i);
    CompliantMemory::Friction own{.kind = static_cast<int>(mode.kind),
                                  .direction = mode.direction,
                                  .offset = mode.offset,
                                  .fresh = mode.fresh,
                                  .slow = mode.slow};
    for (std::size_t d = 0; d < static_cast<std::size_t>(rows.size(i)); ++d) {
      const std::size_t row = static_cast<std::size_t>(rows.row(i)) + d;
      own.place[d] = friction.places[row] + 1;
      if (memory.shares) own.share[d] = friction.shape[row];
    }
    memory.frictions.push_back(own);
  }
  moment.memory = std::move(memory);
  return moment;
}

Run CompliantRun::finish(RunStatus status, std::string reason) {
  RunRecord& run = ledger_.counts();
  const double* y = integrator_.state();
  for (int i = 0; i < m(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    ContactTotals& total = totals_[k];
    total.impulse = y[impulse() + i];
    total.dissipated_by_friction = friction_.any() ? y[friction_loss() + i] : 0.0;
    total.dissipated = lost(i);
    if (contact(i).touching()) total.duration += integrator_.time() - phases_[k].start;
  }
  run.contacts = totals_;
  if (system_.conservative()) run.energy_residual = balance() - start_energy_;
  Run ended = ledger_.finish(moment(), status, std::move(reason));
  // What contacts that are still closed have lost, which the books count when they end, and what
  // the last event, after the last step, has changed.
  ended.energy.final = mechanical_energy();
  for (int i = 0; i < m(); ++i) {
    if (!contact(i).touching()) continue;
    ended.energy.dissipated += lost(i) - phases_[static_cast<std::size_t>(i)].lost;
  }
  return ended;
}

}  // namespace percute::simulation

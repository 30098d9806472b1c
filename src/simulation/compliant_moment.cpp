// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "simulation/compliant_run.hpp"
#include "simulation/moment_checks.hpp"

#include <algorithm>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

namespace percute::simulation {

// Where a run begins and where another one can go on.

namespace {

// What of a contact is remembered: numbers in the same order, to be copied one way or the other.

auto numbers_of(auto& contact, auto& memory) {
  return std::tie(contact.mode, contact.compressing, memory.branch, memory.largest, memory.force,
                  memory.residual, memory.damping);
}

auto numbers_of_friction(auto& mode) {
  return std::tie(mode.kind, mode.direction, mode.offset, mode.fresh, mode.slow);
}

template <class... From, class... To>
void copy(const std::tuple<From...>& from, const std::tuple<To...>& to) {
  [&]<std::size_t... k>(std::index_sequence<k...>) {
    ((std::get<k>(to) = static_cast<std::remove_reference_t<To>>(std::get<k>(from))), ...);
  }(std::index_sequence_for<From...>{});
}

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
    // What presses contacts at rest, infinite friction holds at once.
    close_touching(friction_.rows().infinite);
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
  const MotionState now = motion();
  return bodies_.solver().kinetic_energy(now.q, now.v) + system_.potential_energy(now.q) + stored();
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
  const Vector q = motion().q;
  for (int i = 0; i < m(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    laws::CompliantContact& state = contact(i);
    copy(numbers_of(memory.forces[k], memory.forces[k]), numbers_of(state, state.memory));
    state.law = laws::ContactForce(system_.contact(i, q).material, law_.force,
                                   memory.forces[k].effective_mass, i);
    y[impulse() + i] = totals_[k].impulse;
    y[work() + i] = memory.phases[k].work;
    if (friction_.any()) y[friction_loss() + i] = totals_[k].dissipated_by_friction;
    phases_[k] = memory.phases[k];
    const CompliantMemory::Friction& own = memory.frictions[k];
    copy(numbers_of_friction(own), numbers_of_friction(friction.modes[k]));
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
  const MotionState now = motion();
  Moment moment{.time = now.time,
                .state = {.position = now.q, .velocity = now.v},
                .step = integrator_.next_step()};
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
    const laws::CompliantContact& state = contact(i);
    if (state.touching()) moment.held.push_back(i);
    if (friction_.sticks(i)) moment.sticking.push_back(i);
    CompliantMemory::Force& force = memory.forces.emplace_back();
    copy(numbers_of(state, state.memory), numbers_of(force, force));
    force.effective_mass = state.law.effective_mass();
    memory.phases[k].work = integrator_.state()[work() + i];
    CompliantMemory::Friction& own = memory.frictions.emplace_back();
    copy(numbers_of_friction(friction_.mode(i)), numbers_of_friction(own));
    for (std::size_t d = 0; d < static_cast<std::size_t>(rows.size(i)); ++d) {
      const std::size_t row = static_cast<std::size_t>(rows.row(i)) + d;
      own.place[d] = friction.places[row] + 1;
      if (memory.shares) own.share[d] = friction.shape[row];
    }
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
  // What contacts that are still closed have lost, which is counted when they end, and what
  // the last event, after the last step, has changed.
  ended.energy.final = mechanical_energy();
  for (int i = 0; i < m(); ++i) {
    if (!contact(i).touching()) continue;
    ended.energy.dissipated += lost(i) - phases_[static_cast<std::size_t>(i)].lost;
  }
  return ended;
}

}  // namespace percute::simulation

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "simulation/compliant_run.hpp"
#include "simulation/recalled.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace percute::simulation {

// Where a run begins and where another one can go on.

namespace {

using laws::CompliantContact;
using laws::ContactMemory;

constexpr std::size_t kShared = 10;      ///< numbers of the whole run, then
constexpr std::size_t kPerContact = 24;  ///< of each contact

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
  if (!start.memory.empty()) {
    recall(start.memory);
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

void CompliantRun::recall(const std::vector<double>& memory) {
  const Recalled recalled(memory);
  recalled.require_size(kShared + kPerContact * contacts_.size(),
                        "those of the compliant contacts of this system");
  // The damping of a contact that closed at no speed is infinite.
  for (std::size_t k = 0; k < memory.size(); ++k) recalled.known(k);
  bodies_.set_speed(memory[0]);
  approach_ = memory[1];
  fastest_ = memory[2];
  units_.time = memory[3];
  if (ledger_.counts().contacts.size() == totals_.size()) totals_ = ledger_.counts().contacts;
  const contact::FrictionRows& rows = friction_.rows();
  const auto tangential = static_cast<std::size_t>(rows.tangential());
  contact::FrictionMemory friction{.modes = std::vector<contact::FrictionMode>(contacts_.size()),
                                   .decided = memory[4],
                                   .again = recalled.whole(5, 1'000'000'000),
                                   .places = std::vector<int>(tangential, -1),
                                   .shape = {}};
  if (recalled.flag(9)) friction.shape.assign(tangential, 0.0);
  for (int i = 0; i < m(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const std::size_t first = kShared + kPerContact * k;
    const double* x = memory.data() + first;
    CompliantContact& state = contact(i);
    state.mode = static_cast<CompliantContact::Mode>(recalled.whole(first, 2));
    state.compressing = recalled.flag(first + 1);
    state.memory = {.branch = static_cast<ContactMemory::Branch>(recalled.whole(first + 2, 2)),
                    .largest = x[3],
                    .force = x[4],
                    .residual = x[5],
                    .damping = x[6]};
    const Vector q = Eigen::Map<const Vector>(integrator_.state(), system_.coordinates());
    state.law = laws::ContactForce(system_.contact(i, q).material, law_.force, x[7], i);
    double* y = integrator_.state();
    y[impulse() + i] = totals_[k].impulse;
    y[work() + i] = x[18];
    if (friction_.any()) y[friction_loss() + i] = totals_[k].dissipated_by_friction;
    phases_[k] = {.start = x[8], .impulse = x[9], .lost = x[10], .time = x[17]};
    friction.modes[k] = {
        .kind = static_cast<contact::FrictionMode::Kind>(recalled.whole(first + 11, 2)),
        .direction = {x[12], x[13]},
        .offset = {x[14], x[15]},
        .fresh = recalled.flag(first + 16),
        .slow = recalled.whole(first + 23, 1'000'000'000)};
    for (int d = 0; d < rows.size(i); ++d) {
      const auto row = static_cast<std::size_t>(rows.row(i) + d);
      const auto at = first + static_cast<std::size_t>(d);
      friction.places[row] = recalled.whole(at + 19, static_cast<int>(tangential)) - 1;
      if (!friction.shape.empty()) friction.shape[row] = memory[at + 21];
    }
    if (state.touching()) totals_[k].duration -= integrator_.time() - phases_[k].start;
  }
  units_.speed = memory[6];
  integrator_.set_restarted(recalled.flag(7));
  smooth_until_ = memory[8];
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
  moment.memory = {bodies_.speed(),  approach_,
                   fastest_,         units_.time,
                   friction.decided, static_cast<double>(friction.again),
                   units_.speed,     integrator_.restarted() ? 1.0 : 0.0,
                   smooth_until_,    friction.shape.empty() ? 0.0 : 1.0};
  for (int i = 0; i < m(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const CompliantContact& state = contact(i);
    const contact::FrictionMode& mode = friction_.mode(i);
    std::array<double, 2> place = {};  // from 1 on; 0: none
    std::array<double, 2> share = {};
    for (int d = 0; d < rows.size(i); ++d) {
      const auto row = static_cast<std::size_t>(rows.row(i) + d);
      place[static_cast<std::size_t>(d)] = friction.places[row] + 1;
      if (!friction.shape.empty()) share[static_cast<std::size_t>(d)] = friction.shape[row];
    }
    if (state.touching()) moment.held.push_back(i);
    if (friction_.sticks(i)) moment.sticking.push_back(i);
    const std::array<double, kPerContact> numbers = {static_cast<double>(state.mode),
                                                     state.compressing ? 1.0 : 0.0,
                                                     static_cast<double>(state.memory.branch),
                                                     state.memory.largest,
                                                     state.memory.force,
                                                     state.memory.residual,
                                                     state.memory.damping,
                                                     state.law.effective_mass(),
                                                     phases_[k].start,
                                                     phases_[k].impulse,
                                                     phases_[k].lost,
                                                     static_cast<double>(mode.kind),
                                                     mode.direction[0],
                                                     mode.direction[1],
                                                     mode.offset[0],
                                                     mode.offset[1],
                                                     mode.fresh ? 1.0 : 0.0,
                                                     phases_[k].time,
                                                     y[work() + i],
                                                     place[0],
                                                     place[1],
                                                     share[0],
                                                     share[1],
                                                     static_cast<double>(mode.slow)};
    moment.memory.insert(moment.memory.end(), numbers.begin(), numbers.end());
  }
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

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "simulation/compliant_integrator.hpp"
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

constexpr double kClosed = 1e-14;        ///< overlap below this is rounding of positions, m
constexpr std::size_t kShared = 4;       ///< numbers of the whole run, then
constexpr std::size_t kPerContact = 11;  ///< of each contact

}  // namespace

void CompliantIntegrator::begin(const Moment& start) {
  std::copy(start.state.position.begin(), start.state.position.end(), rk_.state());
  std::copy(start.state.velocity.begin(), start.state.velocity.end(), rk_.state() + n_);
  h_ = start.step;
  look(rk_.state(), now_);
  for (int i = 0; i < m_; ++i) make_force(i);  // so that bad parameters are told at once
  if (!start.memory.empty()) {
    recall(start.memory);
  } else {
    for (int i = 0; i < m_; ++i) {
      if (now_.h[i] < -kClosed) apply(i, Change::Close);
    }
  }
  start_energy_ = balance();
  RunRecord& record = ledger_.counts();
  if (record.energy_residual) {
    start_energy_ -= *record.energy_residual;
  } else if (record.contacts.empty()) {
    record.energy.expected += stored();
  }
}

/// Energy now, with all that contacts have stored and lost.
double CompliantIntegrator::balance() {
  q_ = Eigen::Map<const Vector>(rk_.state(), n_);
  v_ = Eigen::Map<const Vector>(rk_.state() + n_, n_);
  double sum = solver_->kinetic_energy(q_, v_) + system_.potential_energy(q_) + stored();
  for (int i = 0; i < m_; ++i) sum += lost(i);
  return sum;
}

void CompliantIntegrator::recall(const std::vector<double>& memory) {
  const Recalled recalled(memory);
  recalled.require_size(kShared + kPerContact * contacts_.size(),
                        "those of the compliant contacts of this system");
  // The damping of a contact that closed at no speed is infinite.
  for (std::size_t k = 0; k < memory.size(); ++k) recalled.known(k);
  speed_ = memory[0];
  approach_ = memory[1];
  fastest_ = memory[2];
  time_unit_ = memory[3];
  if (ledger_.counts().contacts.size() == totals_.size()) totals_ = ledger_.counts().contacts;
  std::vector<int> touching;
  for (int i = 0; i < m_; ++i) {
    const auto k = static_cast<std::size_t>(i);
    const std::size_t first = kShared + kPerContact * k;
    const double* x = memory.data() + first;
    CompliantContact& state = contacts_[k];
    state.mode = static_cast<CompliantContact::Mode>(recalled.whole(first, 2));
    state.compressing = recalled.flag(first + 1);
    state.memory = {.branch = static_cast<ContactMemory::Branch>(recalled.whole(first + 2, 2)),
                    .largest = x[3],
                    .force = x[4],
                    .residual = x[5],
                    .damping = x[6]};
    masses_[k] = x[7];
    state.law = laws::ContactForce(system_.contact(i, q_).material, method_.law.force, x[7], i);
    // The energy it has stored was put in before.
    rk_.state()[impulse(i)] = totals_[k].impulse;
    rk_.state()[work(i)] =
        totals_[k].dissipated - totals_[k].dissipated_by_friction + state.stored(now_.h[i]);
    if (friction_.any()) rk_.state()[friction_loss(i)] = totals_[k].dissipated_by_friction;
    phases_[k] = {
        .start = x[8], .impulse = rk_.state()[impulse(i)] - x[9], .lost = lost(i) - x[10]};
    if (!state.touching()) continue;
    ++loaded_;
    touching.push_back(i);
    totals_[k].duration -= time_ - phases_[k].start;
  }
  if (!touching.empty()) begin_friction(touching);
}

Moment CompliantIntegrator::moment() const {
  Moment moment;
  moment.time = time_;
  moment.state = {.position = Eigen::Map<const Vector>(rk_.state(), n_),
                  .velocity = Eigen::Map<const Vector>(rk_.state() + n_, n_)};
  moment.step = h_;
  moment.memory = {speed_, approach_, fastest_, time_unit_};
  for (int i = 0; i < m_; ++i) {
    const auto k = static_cast<std::size_t>(i);
    const CompliantContact& state = contacts_[k];
    if (state.touching()) moment.held.push_back(i);
    if (friction_.acts(i) && friction_.mode(i) == ContactFriction::Mode::Stick) {
      moment.sticking.push_back(i);
    }
    const std::array<double, kPerContact> numbers = {static_cast<double>(state.mode),
                                                     state.compressing ? 1.0 : 0.0,
                                                     static_cast<double>(state.memory.branch),
                                                     state.memory.largest,
                                                     state.memory.force,
                                                     state.memory.residual,
                                                     state.memory.damping,
                                                     masses_[k],
                                                     phases_[k].start,
                                                     rk_.state()[impulse(i)] - phases_[k].impulse,
                                                     lost(i) - phases_[k].lost};
    moment.memory.insert(moment.memory.end(), numbers.begin(), numbers.end());
  }
  return moment;
}

Run CompliantIntegrator::finish(RunStatus status, std::string reason) {
  RunRecord& run = ledger_.counts();
  for (int i = 0; i < m_; ++i) {
    ContactTotals& total = totals_[static_cast<std::size_t>(i)];
    total.impulse = rk_.state()[impulse(i)];
    total.dissipated_by_friction = friction_.any() ? rk_.state()[friction_loss(i)] : 0.0;
    total.dissipated = lost(i);
    if (contact(i).touching()) total.duration += time_ - phases_[static_cast<std::size_t>(i)].start;
  }
  run.contacts = totals_;
  if (system_.conservative()) run.energy_residual = balance() - start_energy_;
  return ledger_.finish(moment(), status, std::move(reason));
}

}  // namespace percute::simulation

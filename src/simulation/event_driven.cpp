// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "model/text.hpp"
#include "simulation/event_driven_run.hpp"
#include "simulation/recalled.hpp"
#include "simulation/scene_length.hpp"

#include <percute/model/invalid_input.hpp>

#include <algorithm>
#include <cmath>

namespace percute::simulation {

namespace {

void validate_scale(const Vector& scale, const char* field, int coordinates) {
  if (scale.size() == 0) return;
  if (scale.size() != coordinates) {
    throw InvalidInput(field, std::to_string(scale.size()) + " numbers for " +
                                  std::to_string(coordinates) + " coordinates");
  }
  for (const double x : scale) {
    if (!(x > 0.0) || !std::isfinite(x)) throw InvalidInput(field, text(x) + " is not above 0");
  }
}

}  // namespace

void validate(const EventDriven& method, int coordinates) {
  if (!(method.tolerance >= 1e-14 && method.tolerance <= 1e-2)) {
    throw InvalidInput("simulation.tolerance", text(method.tolerance) + " is not in [1e-14, 1e-2]");
  }
  if (method.grouping && !(*method.grouping >= 0.0 && std::isfinite(*method.grouping))) {
    throw InvalidInput("simulation.grouping", text(*method.grouping) + " is not 0 or above");
  }
  validate_scale(method.position_scale, "simulation.position_scale", coordinates);
  validate_scale(method.velocity_scale, "simulation.velocity_scale", coordinates);
}

EventDrivenRun::EventDrivenRun(const EventDriven& method, const AnySystem& system,
                               const Moment& start, const AnyLaw& law, const Observer& observer)
    : method_(method),
      system_(system),
      law_(law),
      ledger_(system, method.run, observer, start),
      motion_(system),
      integrator_(*this),
      n_(system.coordinates()),
      m_(system.contacts()),
      t_(start.time),
      q_(start.state.position),
      v_(start.state.velocity),
      is_held_(static_cast<std::size_t>(m_), 0),
      origin_(q_),
      reach_(Vector::Zero(n_)),
      mass_(n_),
      unit_(2 * n_),
      gaps_(m_),
      rates_(m_),
      end_gaps_(m_),
      end_rates_(m_),
      rounding_(n_),
      noise_(m_),
      rate_noise_(m_),
      widest_(Vector::Zero(m_)),
      blind_(Vector::Zero(m_)),
      samples_(m_),
      accumulation_(m_),
      qs_(n_),
      vs_(n_),
      as_(n_),
      column_(n_),
      M_(n_, n_) {
  integrator_.resize(2 * n_ + 1);
  integrator_.set_time(t_);
  integrator_.set_next_step(start.step);
  for (int i = 0; i < m_; ++i)
    has_friction_ = has_friction_ || system.contact(i, q_).material.friction > 0.0;
  recall(start);
  length_ = scene_length(system, origin_);
}

/// Numbers to go on with the same bits: scales of errors, the friction of the law, and the impacts
/// of an accumulation.
void EventDrivenRun::remember(Moment& moment) const {
  auto& memory = moment.memory;
  memory.push_back(energy_);
  memory.push_back(sliding_unit_);
  memory.push_back(law_rubs_ ? 1.0 : 0.0);
  memory.insert(memory.end(), origin_.begin(), origin_.end());
  memory.insert(memory.end(), reach_.begin(), reach_.end());
  memory.insert(memory.end(), blind_.begin(), blind_.end());
  memory.insert(memory.end(), widest_.begin(), widest_.end());
  accumulation_.save(memory);
}

void EventDrivenRun::recall(const Moment& start) {
  for (const int i : start.held) {
    if (i >= 0 && i < m_) continue;
    throw InvalidInput("start.held",
                       std::to_string(i) + " is not a contact; there are " + std::to_string(m_));
  }
  const auto& memory = start.memory;
  if (memory.empty()) return;  // a start
  const Recalled recalled(memory);
  const std::size_t fixed = 3 + static_cast<std::size_t>(2 * n_ + 2 * m_);
  if (memory.size() <= fixed) recalled.require_size(fixed + 4, "or more");
  resumed_ = true;
  energy_ = recalled.not_negative(0);
  sliding_unit_ = recalled.not_negative(1);
  law_rubs_ = recalled.flag(2);
  for (int i = 0; i < n_; ++i) {
    const auto at = 3 + static_cast<std::size_t>(i);
    origin_[i] = recalled.finite(at);
    reach_[i] = recalled.not_negative(at + static_cast<std::size_t>(n_));
  }
  for (int i = 0; i < m_; ++i) {
    const auto at = fixed - 2 * static_cast<std::size_t>(m_) + static_cast<std::size_t>(i);
    blind_[i] = recalled.not_negative(at);
    widest_[i] = recalled.not_negative(at + static_cast<std::size_t>(m_));
  }
  if (!accumulation_.load(memory.data() + fixed, memory.size() - fixed)) {
    throw InvalidInput("start.memory", "was not written by a run of this system and method");
  }
}

/// Joints must be closed to ten digits of their terms, ∇g · q.
void EventDrivenRun::refuse_open_joints() {
  Vector g(system_.joints());
  system_.joint(q_, g);
  double size = 0.0;
  for (int k = 0; k < system_.joints(); ++k) {
    system_.joint_gradient(k, q_, column_);
    size = std::max(size, column_.cwiseAbs().dot(q_.cwiseAbs()));
  }
  if (size == 0.0) size = 1.0;  // all coordinates are 0, and tell no length
  for (Eigen::Index k = 0; k < g.size(); ++k) {
    if (std::abs(g[k]) <= kTenDigits * size) continue;
    throw InvalidInput("start.position", "joint " + std::to_string(k + 1) + " is open by " +
                                             text(g[k]) + ", not closed to " +
                                             text(kTenDigits * size));
  }
}

/// The state a run begins with: joints closed, contacts that touch held or resolved.
bool EventDrivenRun::start(const Moment& moment) {
  refuse_open_joints();
  update_scales();
  if (resumed_) {
    if (moment.held.empty()) return restart();
    ContactMotion::Settled settled;
    if (!motion_.settle(t_, q_, v_, moment.held, has_friction_ && law_rubs_, stick_speed(), {},
                        settled)) {
      return fail(RunStatus::NotConverged, settled.reason);
    }
    hold(settled.held);
    return restart();
  }
  motion_.project_position({}, q_);
  motion_.project_velocity({}, {}, q_, v_);
  if (std::isfinite(ledger_.next_output())) {
    if (!ledger_.output(t_, q_, v_)) stopped_ = true;
  } else if (!ledger_.step(t_, q_, v_)) {
    stopped_ = true;
  }
  measure_gaps(q_, v_, gaps_, rates_);
  std::vector<int> closed;
  bool approach = false;
  for (int i = 0; i < m_; ++i) {
    widest_[i] = std::max(gaps_[i], 0.0);
    const double touching = method_.grouping ? hold_gap(i) : kTenDigits * length_;
    if (gaps_[i] > touching) continue;
    // Closed to the digits that were written: from now on by the same rule as after any flight.
    widest_[i] = length_;
    closed.push_back(i);
    approach = approach || rates_[i] < -rate_noise_[i];
  }
  if (!closed.empty() && has_friction_) {
    const ImpactProblem touching = systems::impact_problem(system_, q_, 0.0 * v_, closed);
    note_friction(touching, law_(touching));
  }
  if (approach) return impact() && settle(Settle::Impact) && begin();
  return settle(Settle::Forces) && begin();
}

Run EventDrivenRun::run(const Moment& moment) {
  bool good = start(moment);
  while (good && !stopped_) {
    const double end = ledger_.end_time();
    if (!(t_ < end)) break;
    // All that happens at one instant is told: another run can go on from there.
    if (ledger_.too_many_events()) {
      fail(RunStatus::NotTerminated, ledger_.limit_reached());
      break;
    }
    good = advance(end);
  }
  Moment end;
  end.time = t_;
  end.state = {.position = q_, .velocity = v_};
  end.step = integrator_.next_step();
  for (const HeldContact& c : held_) {
    end.held.push_back(c.contact);
    if (c.friction == HeldContact::Friction::Sticks) end.sticking.push_back(c.contact);
  }
  remember(end);
  return ledger_.finish(std::move(end), status_, reason_);
}

Run EventDriven::operator()(const systems::AnySystem& system, const Moment& start,
                            const AnyLaw& law, const Observer& observer) const {
  validate(*this, system.coordinates());
  return EventDrivenRun(*this, system, start, law, observer).run(start);
}

}  // namespace percute::simulation

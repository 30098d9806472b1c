// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "simulation/event_driven_run.hpp"

#include <algorithm>
#include <cmath>

namespace percute::simulation {

namespace {

constexpr int kLooks = 16;  ///< at gaps that might close in a step

}  // namespace

/// Whether contact i cannot have closed in the step: far from 0 beside what its rate covers.
bool EventDrivenRun::surely_open(int i, double h) const {
  return is_held_[static_cast<std::size_t>(i)] != 0 ||
         std::min(gaps_[i], end_gaps_[i]) >
             1.5 * h * (std::abs(rates_[i]) + std::abs(end_rates_[i])) + noise_[i];
}

/// Whether gaps are as smooth as the looks at them suppose: far ends of a body that turns move on
/// circles, whatever the step of its centre. By the trapezoidal rule with its first correction,
///
///     h₁ = h₀ + ½ Δt (h₀′ + h₁′) + Δt²/12 (h₀″ − h₁″) + O(Δt⁵),
///
/// whose error is 1e-3 of its terms where the motion turns by about 1 rad.
bool EventDrivenRun::trusted() {
  const double h = integrator_.step();
  read_state(integrator_.trial(), qs_, vs_);
  measure_gaps(qs_, vs_, end_gaps_, end_rates_);
  const Eigen::Map<const Vector> a0(integrator_.slope() + n_, n_);
  const Eigen::Map<const Vector> a1(integrator_.trial_slope() + n_, n_);
  for (int i = 0; i < m_; ++i) {
    if (held(i)) continue;
    system_.gradient(i, q_, column_);
    const double start = column_.dot(a0) + system_.gap_curvature(i, q_, v_);
    system_.gradient(i, qs_, column_);
    const double end = column_.dot(a1) + system_.gap_curvature(i, qs_, vs_);
    const double error = end_gaps_[i] - gaps_[i] - 0.5 * h * (rates_[i] + end_rates_[i]) -
                         h * h / 12.0 * (start - end);
    const double terms = std::max(std::min(gaps_[i], end_gaps_[i]), 0.0) +
                         h * (std::abs(rates_[i]) + std::abs(end_rates_[i])) +
                         h * h * (std::abs(start) + std::abs(end));
    if (std::abs(error) > 1e-3 * terms + noise_[i]) return false;
  }
  return true;
}

int EventDrivenRun::looks(double h) const {
  for (int i = 0; i < m_; ++i) {
    if (!surely_open(i, h)) return kLooks;
  }
  return held_.empty() ? 1 : kCostlyLooks;
}

/// Gaps of free contacts, and what keeps the others held.
bool EventDrivenRun::prepare_guards() {
  using enum Watch::Kind;
  watches_.clear();
  watches_.reserve(static_cast<std::size_t>(m_) + 3 * held_.size() + 1);
  for (int i = 0; i < m_; ++i) {
    if (held(i)) continue;
    const double above = gaps_[i] > noise_[i] ? 0.0 : noise_[i];
    watches_.push_back({.kind = Gap, .index = i, .above = above});
  }
  for (int j = 0; j < static_cast<int>(held_.size()); ++j) {
    for (const auto kind : {Load, Grip, Sliding}) watches_.push_back({.kind = kind, .index = j});
  }
  if (!held_.empty()) watches_.push_back({.kind = Forces, .index = 0});
  return true;
}

void EventDrivenRun::evaluate_guards(double t, const double* y, double* g, int which) {
  const auto wanted = [&](int k) {
    return which == k || which == kAllGuards || (which == kCheapGuards && !costly(k));
  };
  const int gaps = m_ - static_cast<int>(held_.size());  // they come first
  read_state(y, qs_, vs_);
  if (which < gaps) {
    system_.gaps(qs_, samples_);
    for (int k = 0; k < gaps; ++k) g[k] = samples_[watched(k).index] - watched(k).above;
  }
  if (which == kCheapGuards || (which >= 0 && which < gaps) || gaps == guards()) return;
  // At the start of a step contacts have just been found as they are.
  bool known = which != kAllGuards || y != integrator_.state();
  if (known) {
    ++ledger_.counts().iterations;
    known = motion_.accelerate(t, qs_, vs_, held_, as_);
  }
  for (int k = gaps; k < guards(); ++k) {
    if (wanted(k)) g[k] = known ? held_margin(watched(k), t) : 1.0;
  }
}

/// What must stay positive at a held contact; forces are those of the last accelerations. Where
/// they are not unique, all of them are asked.
double EventDrivenRun::held_margin(const Watch& watch, double t) {
  using enum Watch::Kind;
  if (watch.kind == Forces) return !motion_.redundant() || stays(t, qs_, vs_) ? 1.0 : -1.0;
  if (watch.kind == Sliding) {
    const HeldContact& held = held_[static_cast<std::size_t>(watch.index)];
    if (held.friction != HeldContact::Friction::Slides) return 1.0;
    return motion_.sliding_velocity(held.contact, qs_, vs_).dot(held.direction) +
           1e-3 * stick_speed();
  }
  if (motion_.redundant()) return 1.0;
  return watch.kind == Load ? motion_.load()[watch.index] : motion_.grip()[watch.index];
}

/// Whether forces exist that keep the held contacts as they are: where they are not unique, all of
/// them are asked.
bool EventDrivenRun::stays(double t, const Vector& q, const Vector& v) {
  std::vector<int> closed;
  closed.reserve(held_.size());
  for (const HeldContact& c : held_) closed.push_back(c.contact);
  ContactMotion::Settled settled;
  if (!motion_.settle(t, q, v, closed, has_friction_ && law_rubs_, stick_speed(), {}, settled)) {
    return false;
  }
  return settled.held.size() == held_.size() &&
         std::equal(held_.begin(), held_.end(), settled.held.begin(),
                    [](const HeldContact& a, const HeldContact& b) {
                      return a.contact == b.contact && a.friction == b.friction;
                    });
}

/// A contact that was let go may be as deep as it was then, others as rounding.
auto EventDrivenRun::late(int k, double g, double /*t*/) const -> Late {
  const int i = watched(k).index;
  const double floor = blind_[i] > 0.0 ? blind_[i] : noise_[i];
  return g + watched(k).above < -floor ? Late::AtOnce : Late::Ignore;
}

}  // namespace percute::simulation

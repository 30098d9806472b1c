// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "simulation/smooth_motion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace percute::simulation {

namespace {

constexpr int kLooks = 16;  ///< at gaps that might close in a step
/// A first step, over the flight to the next impact.
constexpr double kBeyond = 4.0;
/// Flights that are seen, over the rounding of time.
constexpr double kSeen = 1e3 * std::numeric_limits<double>::epsilon();

}  // namespace

SmoothMotion::SmoothMotion(const EventDriven& method, const AnySystem& system, MotionState& now,
                           ContactGaps& gaps, HeldContacts& held, RunLedger& ledger,
                           EventDrivenMemory& memory)
    : system_(system),
      now_(now),
      gaps_(gaps),
      held_(held),
      ledger_(ledger),
      scales_(method, system, memory),
      integrator_(*this),
      n_(system.coordinates()),
      inside_(now),
      acceleration_(n_),
      end_acceleration_(n_) {
  integrator_.resize(2 * n_ + 1);
  integrator_.set_time(now.time);
}

void SmoothMotion::set_time(double time) {
  now_.time = time;
  integrator_.set_time(time);
}

// ------------------------------------------------------------------------------------------- steps

bool SmoothMotion::slope(double t, double* y, double* out) {
  ++ledger_.counts().iterations;
  inside_.read(t, y);
  if (!inside_.v.allFinite() || !inside_.q.allFinite() ||
      !held_.accelerate(inside_, acceleration_)) {
    return false;
  }
  Eigen::Map<Vector>(out, n_) = inside_.v;
  Eigen::Map<Vector>(out + n_, n_) = acceleration_;
  const bool rubs = held_.friction() && !held_.none();
  out[2 * n_] = rubs ? held_.mass().lost_power(inside_, acceleration_) : 0.0;
  return true;
}

bool SmoothMotion::restart() {
  double* y = integrator_.state();
  Eigen::Map<Vector>(y, n_) = now_.q;
  Eigen::Map<Vector>(y + n_, n_) = now_.v;
  y[2 * n_] = 0.0;
  if (!integrator_.restart()) return false;
  scales_.update(now_);
  measure_gaps();
  scales_.set_acceleration(held_.mass().free_acceleration().data());
  return true;
}

/// Not far beyond the next impact: beside a step that is much longer it would be now.
void SmoothMotion::set_first_step(double flight) {
  const bool at_start = integrator_.next_step() == 0.0;
  double h =
      closing_step(at_start ? 1e-2 * (ledger_.end_time() - now_.time) : integrator_.next_step());
  if (flight > kSeen * std::abs(now_.time)) h = std::min(h, kBeyond * flight);
  integrator_.set_next_step(h);
}

/// After an event: h, a part of the step before, and where a contact was just left, of the time in
/// which it would close again. At the start, no more than the time in which contacts close, a
/// thousand times: beside the step they must not seem to close at once.
double SmoothMotion::closing_step(double h) {
  const bool at_start = integrator_.next_step() == 0.0;
  acceleration_ = Eigen::Map<const Vector>(integrator_.slope() + n_, n_);
  constexpr double kWithin = 1e3;
  for (int i = 0; i < system_.contacts(); ++i) {
    const double gap = gaps_.gap(i);
    const double rate = gaps_.rate(i);
    const bool open = gap > gaps_.hold_gap(i);
    if (held_.holds(i) || (open && !at_start)) continue;
    const double back = held_.mass().gap_acceleration(i, now_, acceleration_);
    if (open) {
      // gap + rate t + ½ back t² = 0
      const double root = std::sqrt(std::max(rate * rate - 2.0 * back * gap, 0.0));
      if (root > rate) h = std::min(h, kWithin * 2.0 * gap / (root - rate));
      continue;
    }
    if (!(rate > gaps_.rate_noise(i) && back < 0.0)) continue;
    const double bounce = 2.0 * rate / -back;
    if (bounce > 100.0 * integrator_.shortest()) h = std::min(h, 0.6 * bounce);
  }
  return h;
}

numerics::HybridStep SmoothMotion::advance(double limit) {
  for (const HeldContact& c : held_.contacts()) note_sliding(c.contact);
  return integrator_.advance(limit);
}

void SmoothMotion::passed(double until) {
  const double t = now_.time;
  const double h = integrator_.step();
  ledger_.outputs(t + until * h, [&](double asked) {
    inside_.read(asked, integrator_.inside((asked - t) / h));
    ledger_.output(asked, inside_.q, inside_.v);
  });
}

/// What a step has led to.
bool SmoothMotion::take_step() {
  double* y = integrator_.state();
  now_.read(integrator_.time(), y);
  sinks_ = -1;
  ++ledger_.counts().steps;
  ledger_.counts().energy.dissipated += y[2 * n_];
  y[2 * n_] = 0.0;
  gaps_.turn_step();
  if (!held_.none() || system_.joints() > 0) {
    held_.mass().project_position(held_.contacts(), now_);
    held_.mass().project_velocity(held_.contacts(), {}, now_);
    if (!restart()) return false;
    for (const HeldContact& c : held_.contacts()) note_sliding(c.contact);
  } else {
    scales_.update(now_);
    measure_gaps();
    scales_.set_acceleration(integrator_.slope() + n_);
  }
  gaps_.follow(integrator_.step());
  if (!held_.none()) ledger_.in_contact(now_.time);
  ledger_.step(now_.time, now_.q, now_.v, true);
  return true;
}

/// Whether gaps are as smooth as the looks at them suppose.
bool SmoothMotion::trusted() {
  const double h = integrator_.step();
  inside_.read(now_.time + h, integrator_.trial());
  gaps_.measure_end(inside_);
  acceleration_ = Eigen::Map<const Vector>(integrator_.slope() + n_, n_);
  end_acceleration_ = Eigen::Map<const Vector>(integrator_.trial_slope() + n_, n_);
  for (int i = 0; i < system_.contacts(); ++i) {
    if (held_.holds(i)) continue;
    if (!gaps_.smooth(i, h, now_, acceleration_, inside_, end_acceleration_)) return false;
  }
  return true;
}

// ------------------------------------------------------------------------------------------ guards

int SmoothMotion::looks(double h) const {
  for (int i = 0; i < system_.contacts(); ++i) {
    if (!held_.holds(i) && !gaps_.surely_open(i, h)) return kLooks;
  }
  return held_.none() ? 1 : kCostlyLooks;
}

/// Gaps of free contacts, and what keeps the others held.
bool SmoothMotion::prepare_guards() {
  using enum Guard::Kind;
  const auto held = static_cast<int>(held_.contacts().size());
  guards_.clear();
  guards_.reserve(static_cast<std::size_t>(system_.contacts()) + 3 * held_.contacts().size() + 1);
  for (int i = 0; i < system_.contacts(); ++i) {
    if (held_.holds(i)) continue;
    double above = gaps_.gap(i) > gaps_.noise(i) ? 0.0 : gaps_.noise(i);
    if (i == sinks_) above = -2.0 * gaps_.deepest(i);
    guards_.push_back({.kind = Gap, .index = i, .above = above});
  }
  for (int j = 0; j < held; ++j) {
    for (const auto kind : {Load, Grip, Sliding}) guards_.push_back({.kind = kind, .index = j});
  }
  if (held > 0) guards_.push_back({.kind = Forces, .index = 0});
  return true;
}

void SmoothMotion::evaluate_guards(double t, const double* y, double* g, int which) {
  const auto wanted = [&](int k) {
    return which == k || which == kAllGuards || (which == kCheapGuards && !costly(k));
  };
  // At the start of a step contacts have just been found as they are.
  const bool at_start = y == integrator_.state();
  const int gaps = system_.contacts() - static_cast<int>(held_.contacts().size());  // come first
  inside_.read(t, y);
  if (which < gaps) {
    const Vector& values = at_start ? gaps_.gaps() : gaps_.inside(inside_.q);
    for (int k = 0; k < gaps; ++k) g[k] = values[guard(k).index] - guard(k).above;
  }
  if (which == kCheapGuards || (which >= 0 && which < gaps) || gaps == guards()) return;
  bool known = which != kAllGuards || !at_start;
  if (known) {
    ++ledger_.counts().iterations;
    known = held_.accelerate(inside_, acceleration_);
  }
  for (int k = gaps; k < guards(); ++k) {
    if (wanted(k)) g[k] = known ? held_margin(guard(k)) : 1.0;
  }
}

/// What must stay positive at a held contact; forces are those of the last accelerations. Where
/// they are not unique, all of them are asked.
double SmoothMotion::held_margin(const Guard& guard) {
  using enum Guard::Kind;
  const ContactMotion& motion = held_.motion();
  if (guard.kind == Forces) return !motion.redundant() || held_.stay(inside_) ? 1.0 : -1.0;
  if (guard.kind == Sliding) {
    const HeldContact& held = held_.contacts()[static_cast<std::size_t>(guard.index)];
    if (held.friction != HeldContact::Friction::Slides) return 1.0;
    return held_.sliding(held, inside_) + 1e-3 * held_.stick_speed();
  }
  if (motion.redundant()) return 1.0;
  return guard.kind == Load ? motion.load()[guard.index] : motion.grip()[guard.index];
}

auto SmoothMotion::late(int k, double g, double /*t*/) const -> Late {
  if (guard(k).kind != Guard::Kind::Gap) return Late::AtOnce;
  return g + guard(k).above < -gaps_.deepest(guard(k).index) ? Late::AtOnce : Late::Ignore;
}

}  // namespace percute::simulation

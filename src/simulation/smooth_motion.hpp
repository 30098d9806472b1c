// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "numerics/hybrid_integrator.hpp"
#include "simulation/contact_gaps.hpp"
#include "simulation/held_contacts.hpp"

#include <percute/simulation/event_driven.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace percute::simulation {

/// What the parts of one run of EventDriven work on; references are kept.
struct EventDrivenParts {
  const EventDriven& method_;
  const AnySystem& system_;
  const AnyLaw& law_;
  RunLedger& ledger_;
  MotionState& now_;           ///< the present state, which events may change
  EventDrivenMemory& memory_;  ///< kept up to date: to go on with the same bits
  ContactGaps& gaps_;
  HeldContacts& held_;
};

/// What errors of steps are measured by. Velocities: V_i with ½ M_ii V_i² the largest kinetic
/// energy of a coordinate met so far, that at the end of the step, or what forces do in it.
/// Positions: the largest distance covered so far, or V_i h.
class ErrorScales : EventDrivenParts {
 public:
  explicit ErrorScales(const EventDrivenParts& parts)
      : EventDrivenParts(parts),
        M_(system_.coordinates(), system_.coordinates()),
        mass_(system_.coordinates()),
        unit_(2 * system_.coordinates()) {}

  /// Largest energies and distances met, after a step or an impact.
  void update(const MotionState& state) {
    memory_.reach = memory_.reach.cwiseMax((state.q - memory_.origin).cwiseAbs());
    system_.mass(state.q, M_);
    mass_ = M_.diagonal();
    memory_.energy =
        std::max(memory_.energy, 0.5 * (mass_.array() * state.v.array().square()).maxCoeff());
  }
  /// Of what would move without contacts.
  void set_acceleration(const double* acceleration) {
    const Eigen::Map<const Vector> a(acceleration, mass_.size());
    forced_ = 0.5 * (mass_.array() * a.array().square()).maxCoeff();
  }
  /// For a step of length h from q to `end`.
  void measure(const Vector& q, const double* end, double h) {
    const Eigen::Index n = q.size();
    const Eigen::Map<const Vector> v(end + n, n);
    const double energy = std::max(
        {memory_.energy, 0.5 * (mass_.array() * v.array().square()).maxCoeff(), forced_ * h * h});
    for (Eigen::Index i = 0; i < n; ++i) {
      const double V = std::sqrt(2.0 * energy / mass_[i]);
      unit_[n + i] = std::max(V, 1e-150);
      unit_[i] = std::max({memory_.reach[i], std::abs(end[i] - q[i]), V * h, 1e-150});
    }
  }
  /// Of an error of that step, over the tolerance.
  double norm(const double* error) const {
    const Eigen::Map<const Vector> e(error, unit_.size());
    if (!e.allFinite()) return std::numeric_limits<double>::infinity();
    return (e.array() / unit_.array()).abs().maxCoeff() / method_.tolerance;
  }

 private:
  double forced_ = 0.0;  // energy that forces would give to a coordinate in a second, from rest
  Matrix M_;
  Vector mass_;  // diagonal of M at the start of the step
  Vector unit_;  // of each number of the state, in the present attempt
};

/// Motion between events, the set of held contacts fixed: steps, and what ends them. State of the
/// integrator: q, v, and the energy that sliding of held contacts has taken in the step.
class SmoothMotion : public numerics::HybridClient, EventDrivenParts {
 public:
  /// What a step must not pass.
  struct Guard {
    enum class Kind {
      Gap,      ///< of a free contact reaches 0
      Load,     ///< a held contact would pull, or moves away
      Grip,     ///< friction of a sticking contact reaches its limit
      Sliding,  ///< stops
      Forces,   ///< no forces keep all held contacts as they are
    };
    Kind kind = Kind::Gap;
    int index = -1;      ///< contact, or place among those held
    double above = 0.0;  ///< gaps must be so wide: rounding, where it has not been seen open
  };

  explicit SmoothMotion(const EventDrivenParts& parts)
      : EventDrivenParts(parts),
        scales_(parts),
        integrator_(*this),
        n_(system_.coordinates()),
        inside_(now_),
        acceleration_(n_),
        end_acceleration_(n_) {
    integrator_.resize(2 * n_ + 1);
    integrator_.set_time(now_.time);
  }

  ErrorScales& scales() { return scales_; }
  const Guard& guard(int k) const { return guards_[static_cast<std::size_t>(k)]; }
  double time() const { return integrator_.time(); }  ///< later than the state before take_step()
  double next_step() const { return integrator_.next_step(); }
  void set_next_step(double h) { integrator_.set_next_step(h); }
  double shortest_step() const { return integrator_.shortest(); }
  void set_time(double time) {
    now_.time = time;
    integrator_.set_time(time);
  }
  /// In the next step contact i, which closes without having been seen open, may sink until it
  /// approaches: the time in which it is open is too short to be seen.
  void let_sink(int i) { sinks_ = i; }

  /// Slopes, gaps and scales where velocities or the set of held contacts have changed. False where
  /// forces are not finite or masses not positive.
  bool restart() {
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
  /// The length of the first step after that; `flight`: time until the next impact, as foreseen.
  /// Not far beyond the next impact: beside a step that is much longer it would be now.
  void set_first_step(double flight) {
    constexpr double kBeyond = 4.0;  // a first step, over the flight to the next impact
    // Flights that are seen, over the rounding of time.
    constexpr double kSeen = 1e3 * std::numeric_limits<double>::epsilon();
    const bool at_start = integrator_.next_step() == 0.0;
    double h =
        closing_step(at_start ? 1e-2 * (ledger_.end_time() - now_.time) : integrator_.next_step());
    if (flight > kSeen * std::abs(now_.time)) h = std::min(h, kBeyond * flight);
    integrator_.set_next_step(h);
  }
  /// One step, to `limit` at most; take_step() follows if time has passed.
  numerics::HybridStep advance(double limit) {
    for (const HeldContact& c : held_.contacts()) note_sliding(c.contact);
    return integrator_.advance(limit);
  }
  /// What a step has led to.
  bool take_step() {
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
  void measure_gaps() { gaps_.measure(now_); }
  void note_sliding(int contact) { held_.note_sliding(contact, now_, integrator_.next_step()); }

  // What HybridIntegrator asks.
  bool slope(double t, double* y, double* out) {
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
  double norm(const double* error) const { return scales_.norm(error); }
  void measure(const double* end) { scales_.measure(now_.q, end, integrator_.step()); }
  double time_scale() const { return std::abs(now_.time); }
  double longest_step() const { return system_.longest_step(now_.time); }
  /// Whether gaps are as smooth as the looks at them suppose.
  bool trusted() {
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
  bool exact() const { return true; }
  /// Gaps of free contacts, and what keeps the others held.
  bool prepare_guards() {
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
  int guards() const { return static_cast<int>(guards_.size()); }
  void evaluate_guards(double t, const double* y, double* g, int which) {
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
  bool costly(int k) const { return guard(k).kind != Guard::Kind::Gap; }
  bool oversteps(int k) const { return costly(k); }
  Late late(int k, double g, double /*t*/) const {
    if (guard(k).kind != Guard::Kind::Gap) return Late::AtOnce;
    return g + guard(k).above < -gaps_.deepest(guard(k).index) ? Late::AtOnce : Late::Ignore;
  }
  int looks(double h) const {
    constexpr int kLooks = 16;  // at gaps that might close in a step
    for (int i = 0; i < system_.contacts(); ++i) {
      if (!held_.holds(i) && !gaps_.surely_open(i, h)) return kLooks;
    }
    return held_.none() ? 1 : kCostlyLooks;
  }
  void passed(double until) {
    const double t = now_.time;
    const double h = integrator_.step();
    ledger_.outputs(t + until * h, [&](double asked) {
      inside_.read(asked, integrator_.inside((asked - t) / h));
      ledger_.output(asked, inside_.q, inside_.v);
    });
  }

 private:
  /// After an event: h, a part of the step before, and where a contact was just left, of the time
  /// in which it would close again. At the start, no more than the time in which contacts close, a
  /// thousand times: beside the step they must not seem to close at once.
  double closing_step(double h) {
    const bool at_start = integrator_.next_step() == 0.0;
    acceleration_ = Eigen::Map<const Vector>(integrator_.slope() + n_, n_);
    constexpr double kWithin = 1e3;
    for (int i = 0; i < system_.contacts(); ++i) {
      const bool open = gaps_.gap(i) > gaps_.hold_gap(i);
      const bool left = gaps_.rate(i) > gaps_.rate_noise(i);
      if (held_.holds(i) || !(open ? at_start : left)) continue;
      const double closes = closing_time(open ? gaps_.gap(i) : 0.0, gaps_.rate(i),
                                         held_.mass().gap_acceleration(i, now_, acceleration_));
      if (open) {
        h = std::min(h, kWithin * closes);
      } else if (closes > 100.0 * integrator_.shortest()) {
        h = std::min(h, 0.6 * closes);
      }
    }
    return h;
  }
  /// What must stay positive at a held contact; forces are those of the last accelerations. Where
  /// they are not unique, all of them are asked.
  double held_margin(const Guard& guard) {
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

  ErrorScales scales_;
  numerics::HybridIntegrator<SmoothMotion, 1> integrator_;
  int n_;
  std::vector<Guard> guards_;
  int sinks_ = -1;      // contact
  MotionState inside_;  // of a step
  Vector acceleration_;
  Vector end_acceleration_;
};

}  // namespace percute::simulation

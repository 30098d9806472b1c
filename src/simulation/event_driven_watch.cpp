// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "simulation/event_driven_run.hpp"

#include <percute/numerics/bracketed_root.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace percute::simulation {

namespace {

constexpr int kSamples = 16;  ///< points of a step at which gaps are looked at
constexpr int kForces = 4;    ///< and contact forces

}  // namespace

void EventDrivenRun::dense_state(double theta, Vector& q, Vector& v) {
  for (int i = 0; i < n_; ++i) {
    const auto at = static_cast<std::size_t>(i);
    q[i] = rk_.state()[i] + RungeKutta::evaluate(dense_[at].data(), theta);
    const auto rate = static_cast<std::size_t>(n_) + at;
    v[i] = rk_.state()[n_ + i] + RungeKutta::evaluate(dense_[rate].data(), theta);
  }
}

double EventDrivenRun::gap_at(int contact, double theta) {
  dense_state(theta, qs_, vs_);
  system_.gaps(qs_, samples_);
  return samples_[contact];
}

/// Whether contact i cannot have closed in the step: far from 0 beside what its rate covers.
bool EventDrivenRun::surely_open(int i, double h) const {
  return is_held_[static_cast<std::size_t>(i)] != 0 ||
         std::min(gaps_[i], end_gaps_[i]) >
             1.5 * h * (std::abs(rates_[i]) + std::abs(end_rates_[i])) + noise_[i];
}

/// Whether gaps are as smooth as the 16 points suppose: far ends of a body that turns move on
/// circles, whatever the step of its centre. By the trapezoidal rule with its first correction,
///
///     h₁ = h₀ + ½ Δt (h₀′ + h₁′) + Δt²/12 (h₀″ − h₁″) + O(Δt⁵),
///
/// whose error is 1e-3 of its terms where the motion turns by about 1 rad.
bool EventDrivenRun::gaps_are_smooth(double h) {
  const Eigen::Map<const Vector> a0(rk_.slope() + n_, n_);
  const Eigen::Map<const Vector> a1(rk_.trial_slope() + n_, n_);
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

EventDrivenRun::Watch EventDrivenRun::first_watch(double h) {
  Watch watch;
  read_state(rk_.trial(), qs_, vs_);
  measure(qs_, vs_, end_gaps_, end_rates_);
  peaks_.setZero();
  if (!gaps_are_smooth(h)) return {.kind = Watch::Kind::Rough};
  bool all_open = true;
  for (int i = 0; i < m_ && all_open; ++i) all_open = surely_open(i, h);
  if (all_open && held_.empty()) return watch;
  const auto f = [this](double t, double* y, double* s) { return rhs(t, y, s); };
  if (!rk_.prepare_dense(f, t_, h)) return watch;
  for (int i = 0; i < 2 * n_; ++i) dense_[static_cast<std::size_t>(i)] = rk_.dense_coefficients(i);
  if (!all_open) look_at_gaps(h, watch);
  if (!held_.empty()) look_at_held(h, watch);
  return watch;
}

/// Gaps at the points of the step: the first that is below 0, or dips below between two points.
void EventDrivenRun::look_at_gaps(double h, Watch& watch) {
  std::vector<char> seen_open(static_cast<std::size_t>(m_));
  for (int i = 0; i < m_; ++i)
    seen_open[static_cast<std::size_t>(i)] = gaps_[i] > noise_[i] ? 1 : 0;
  earlier_ = gaps_;
  before_ = gaps_;
  for (int k = 1; k <= kSamples && watch.kind == Watch::Kind::None; ++k) {
    const double theta = static_cast<double>(k) / kSamples;
    if (k < kSamples) {
      dense_state(theta, qs_, vs_);
      system_.gaps(qs_, samples_);
    } else {
      samples_ = end_gaps_;
    }
    const Vector now = samples_;
    for (int i = 0; i < m_; ++i) {
      const auto at = static_cast<std::size_t>(i);
      if (surely_open(i, h)) continue;
      double low = static_cast<double>(k - 1) / kSamples;
      double high = theta;
      const double floor = -(blind_[i] > 0.0 ? blind_[i] : noise_[i]);
      bool below = now[i] < floor;
      if (!below && k >= 2 && before_[i] < earlier_[i] && before_[i] < now[i] && seen_open[at]) {
        // A minimum in between: by three points a parabola reaches this low.
        const double left = earlier_[i] - before_[i];
        const double right = now[i] - before_[i];
        const double depth = (left - right) * (left - right) / (8.0 * (left + right));
        if (before_[i] - 2.0 * depth < 0.0) {
          low = static_cast<double>(k - 2) / kSamples;
          below = dip(i, low, theta, high) < floor;
        }
      }
      if (below && !seen_open[at]) {
        watch = {.kind = Watch::Kind::Gap, .index = i};
        return;
      }
      if (below) {
        const double near =
            numerics::bracketed_root([&](double x) { return gap_at(i, x); }, low, high, 1e-10);
        if (watch.kind == Watch::Kind::None || near * h < watch.near) {
          watch = {.kind = Watch::Kind::Gap,
                   .index = i,
                   .low = low * h,
                   .high = high * h,
                   .near = near * h};
        }
      }
      if (now[i] > noise_[i]) seen_open[at] = 1;
      peaks_[i] = std::max(peaks_[i], now[i]);
    }
    earlier_ = before_;
    before_ = now;
  }
}

/// Lowest value of a gap between two fractions of the step, by golden section, and where it is;
/// stops as soon as it is below 0.
double EventDrivenRun::dip(int contact, double from, double to, double& at) {
  constexpr double kGolden = 0.381966011250105;
  double left = from + kGolden * (to - from);
  double right = to - kGolden * (to - from);
  double g_left = gap_at(contact, left);
  double g_right = gap_at(contact, right);
  for (int i = 0; i < 40 && std::min(g_left, g_right) >= 0.0; ++i) {
    if (g_left < g_right) {
      to = right;
      right = left;
      g_right = g_left;
      left = from + kGolden * (to - from);
      g_left = gap_at(contact, left);
    } else {
      from = left;
      left = right;
      g_left = g_right;
      right = to - kGolden * (to - from);
      g_right = gap_at(contact, right);
    }
  }
  at = g_left < g_right ? left : right;
  return std::min(g_left, g_right);
}

/// What must stay positive at a held contact; forces are those of the last accelerations.
double EventDrivenRun::held_margin(std::size_t place, Watch::Kind kind, double t, const Vector& q,
                                   const Vector& v) {
  if (kind == Watch::Kind::Forces) return stays(t, q, v) ? 1.0 : -1.0;
  if (motion_.redundant() && kind != Watch::Kind::Sliding) return 1.0;
  const auto at = static_cast<Eigen::Index>(place);
  if (kind == Watch::Kind::Load) return motion_.load()[at];
  if (kind == Watch::Kind::Grip) return motion_.grip()[at];
  const HeldContact& held = held_[place];
  if (held.friction != HeldContact::Friction::Slides) return 1.0;
  return motion_.sliding_velocity(held.contact, q, v).dot(held.direction) + 1e-3 * stick_speed();
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

/// Forces and sliding velocities of held contacts, at a few points of the step.
void EventDrivenRun::look_at_held(double h, Watch& watch) {
  using enum Watch::Kind;
  for (int k = 1; k <= kForces; ++k) {
    const double theta = static_cast<double>(k) / kForces;
    const double low = static_cast<double>(k - 1) / kForces * h;
    if (watch.kind != None && low >= watch.high) return;
    if (k < kForces) {
      dense_state(theta, qs_, vs_);
    } else {
      read_state(rk_.trial(), qs_, vs_);
    }
    const Vector q = qs_;
    const Vector v = vs_;
    ++ledger_.counts().iterations;
    if (!motion_.accelerate(t_ + theta * h, q, v, held_, as_)) return;
    const bool redundant = motion_.redundant();
    for (std::size_t j = 0; j < held_.size(); ++j) {
      for (const auto kind : {Load, Grip, Sliding, Forces}) {
        if (redundant ? kind == Load || kind == Grip || (kind == Forces && j > 0)
                      : kind == Forces) {
          continue;
        }
        if (held_margin(j, kind, t_ + theta * h, q, v) >= 0.0) continue;
        Watch found{.kind = kind, .index = static_cast<int>(j), .low = low, .high = theta * h};
        const double d = locate_crossing(found);
        if (watch.kind == None || d < watch.near) {
          found.near = d;
          watch = found;
        }
      }
    }
    if (watch.kind != None && watch.kind != Gap) return;
  }
}

/// What is watched, after a step of length d.
double EventDrivenRun::value(const Watch& watch, double d) {
  const auto f = [this](double t, double* y, double* s) { return rhs(t, y, s); };
  if (d <= 0.0) {
    if (!rk_.start(f, t_)) return -1.0;
    read_state(rk_.state(), qs_, vs_);
  } else {
    if (!rk_.attempt(f, t_, d)) return -1.0;
    read_state(rk_.trial(), qs_, vs_);
  }
  if (watch.kind != Watch::Kind::Gap) {
    const Vector q = qs_;
    const Vector v = vs_;
    return held_margin(static_cast<std::size_t>(watch.index), watch.kind, t_ + d, q, v);
  }
  measure(qs_, vs_, end_gaps_, end_rates_);
  return end_gaps_[watch.index];
}

/// First length of a step after which what is watched is negative, by steps of that length.
double EventDrivenRun::locate_crossing(const Watch& watch) {
  double a = watch.low;
  double b = watch.high;
  double ga = value(watch, a);
  if (ga < 0.0) return a;
  double gb = value(watch, b);
  if (gb >= 0.0) return b;
  const double width = std::max(4.0 * kEps * std::abs(t_), 1e-14 * b);
  for (int i = 0; i < 200 && b - a > width; ++i) {
    double x = i % 3 == 2 ? 0.5 * (a + b) : b - gb * (b - a) / (gb - ga);
    if (!(x > a && x < b)) x = 0.5 * (a + b);
    const double gx = value(watch, x);
    if (gx < 0.0) {
      b = x;
      gb = gx;
      ga *= 0.5;
    } else {
      a = x;
      ga = gx;
      gb *= 0.5;
    }
  }
  return b;
}

/// Newton's method with steps of the length in question; where that fails, by halving.
double EventDrivenRun::locate_gap(const Watch& watch, double h) {
  double d = watch.near;
  double last = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 20; ++i) {
    const double g = value(watch, d);
    const double rate = end_rates_[watch.index];
    if (std::abs(g) <= kEps * noise_[watch.index] || (i >= 2 && std::abs(g) >= last)) return d;
    const double next = d - g / rate;
    if (!(rate < 0.0) || !(next > 0.0) || next > h) break;
    if (std::abs(next - d) <= 0.5 * kEps * d) return d;
    last = std::abs(g);
    d = next;
  }
  return locate_crossing(watch);
}

/// The length of the step that ends where the watch wants it; the attempt of that length is made.
double EventDrivenRun::locate(Watch& watch, double h) {
  double d = watch.kind == Watch::Kind::Gap ? locate_gap(watch, h) : watch.near;
  for (int pass = 0; pass < m_ + 1; ++pass) {
    if (d <= 0.0) return 0.0;
    value(watch, d);
    read_state(rk_.trial(), qs_, vs_);
    measure(qs_, vs_, end_gaps_, end_rates_);
    // Another gap may have closed just before.
    int first = -1;
    for (int i = 0; i < m_; ++i) {
      const auto at = static_cast<std::size_t>(i);
      if (is_held_[at] != 0 || blind_[i] > 0.0 || gaps_[i] <= noise_[i]) continue;
      if (watch.kind == Watch::Kind::Gap && i == watch.index) continue;
      if (end_gaps_[i] < -hold_gap(i) && (first < 0 || end_gaps_[i] < end_gaps_[first])) {
        first = i;
      }
    }
    if (first < 0) return d;
    watch = {.kind = Watch::Kind::Gap, .index = first, .low = 0.0, .high = d, .near = d};
    d = locate_gap(watch, h);
  }
  return d;
}

}  // namespace percute::simulation

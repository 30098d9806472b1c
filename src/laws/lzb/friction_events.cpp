// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/lzb/friction_events.hpp"

#include "laws/lzb/first_crossing.hpp"

#include <algorithm>
#include <cmath>

namespace percute::laws {

using Kind = FrictionWatch::Kind;

namespace {

/// Whether the cubic through values at 0, ⅓, ⅔ and 1 has a minimum between that is near zero.
bool nearly_touches(const std::array<double, 4>& g) {
  constexpr double kNear = 0.1;
  // g = g0 + a t + b t² + c t³, t from 0 to 3
  const double d1 = g[1] - g[0];
  const double d2 = g[2] - 2.0 * g[1] + g[0];
  const double d3 = g[3] - 3.0 * (g[2] - g[1]) - g[0];
  const double c = d3 / 6.0;
  const double b = 0.5 * d2 - 3.0 * c;
  const double a = d1 - b - c;
  // The minimum is the root of a + 2 b t + 3 c t² where the slope rises.
  const double square = b * b - 3.0 * a * c;
  if (!(a < 0.0) || !(square > 0.0)) return false;
  const double t = -a / (b + std::sqrt(square));
  if (!(t > 0.0 && t < 3.0)) return false;
  const double least = g[0] + t * (a + t * (b + t * c));
  return least < kNear * std::max(g[0], g[3]);
}

}  // namespace

void FrictionEvents::assign(const ImpactSetup& setup, const FrictionSetup& friction,
                            const ContactPhases& phases) {
  setup_ = &setup;
  friction_ = &friction;
  phases_ = &phases;
  suspects_.reserve(4 * static_cast<std::size_t>(setup.m));
  const auto rows = static_cast<std::size_t>(friction.rows);
  forces_.assign(rows, 0.0);
  U_.assign(rows, 0.0);
  inside_.assign(static_cast<std::size_t>(setup.m) + rows, 0.0);
  margins_.assign(static_cast<std::size_t>(setup.m), Margins{});
}

const double* FrictionEvents::forces(FrictionStep& step, const double* y, const double* U) {
  step.normal_forces(y, U, nullptr, 0.0, forces_.data());
  step.modes.forces_within(forces_.data(), U + setup_->m, forces_.data() + setup_->m);
  return forces_.data();
}

double FrictionEvents::value(const FrictionWatch& w, const FrictionStep& step, const double* y,
                             const double* U) const {
  switch (w.kind) {
    case Kind::GapRate:
      return w.sign * U[w.contact];
    case Kind::Target:
      return w.sign * (y[w.contact] - (*phases_)[w.contact].xi_target);
    case Kind::Stop:
      return step.modes.along(w.contact, U + setup_->m);
    case Kind::Slip:
      break;
  }
  return 1.0;
}

/// dg/dx for slopes f and accelerations a.
double FrictionEvents::slope(const FrictionWatch& w, const FrictionStep& step, const double* f,
                             const double* a) const {
  if (w.kind == Kind::Target) return w.sign * f[w.contact];
  const double pace = f[step.clock()];
  if (w.kind == Kind::GapRate) return w.sign * a[w.contact] * pace;
  const FrictionModes::Direction& u = step.modes.direction(w.contact);
  double sum = 0.0;
  for (int d = 0; d < friction_->size(w.contact); ++d) {
    sum += u[static_cast<std::size_t>(d)] * a[setup_->m + friction_->row(w.contact) + d];
  }
  return sum * pace;
}

/// Could the function have vanished within the step? Ends of opposite sign, or a dip between.
bool FrictionEvents::suspicious(const FrictionWatch& w, const FrictionStep& step, double h) const {
  const double g0 = value(w, step, step.rk.state(), step.U0.data());
  const double g1 = value(w, step, step.rk.trial(), step.U1.data());
  if (g0 <= w.floor) return g1 < -w.floor;
  // Contacts that open together with the landing one are opened by the landing.
  if (step.landing() >= 0 && w.kind == Kind::Target && std::abs(g1) <= w.floor) return false;
  if (g1 <= 0.0) return true;
  return may_dip_below_zero(g0, h * slope(w, step, step.rk.slope(), step.a0.data()), g1,
                            h * slope(w, step, step.rk.trial_slope(), step.a1.data()));
}

bool FrictionEvents::suspect(FrictionStep& step, double h) {
  suspects_.clear();
  bool sticking = false;
  for (int i = 0; i < setup_->m; ++i) {
    for_each_watch(i, step, [&](const FrictionWatch& w) {
      if (suspicious(w, step, h)) suspects_.push_back(w);
    });
    sticking = sticking || (step.modes.sticks(i) && !std::isinf(friction_->mu(i)));
  }
  if (sticking) suspect_slips(step, h);
  return !suspects_.empty();
}

/// Forces of sticking contacts are no part of the state: their margins are looked at in four
/// places, inside on the cubic between the ends of the step.
void FrictionEvents::suspect_slips(FrictionStep& step, double h) {
  const int m = setup_->m;
  const double* y0 = step.rk.state();
  const double* y1 = step.rk.trial();
  for (int place = 0; place < kPlaces; ++place) {
    const double t = static_cast<double>(place) / (kPlaces - 1);
    const double b = t * t * (3.0 - 2.0 * t);
    const double c0 = h * t * (1.0 - t) * (1.0 - t);
    const double c1 = h * t * t * (t - 1.0);
    for (int k = 0; k < step.losses(); ++k) {
      inside_[k] =
          (1.0 - b) * y0[k] + b * y1[k] + c0 * step.rk.slope()[k] + c1 * step.rk.trial_slope()[k];
    }
    step.velocities(inside_.data(), U_.data());
    const double* f = forces(step, inside_.data(), U_.data());
    for (int i = 0; i < m; ++i) {
      if (!step.modes.sticks(i)) continue;
      margins_[static_cast<std::size_t>(i)][static_cast<std::size_t>(place)] =
          step.modes.margin(i, f, f + m);
    }
  }
  for (int i = 0; i < m; ++i) {
    if (!step.modes.sticks(i) || std::isinf(friction_->mu(i))) continue;
    const Margins& g = margins_[static_cast<std::size_t>(i)];
    const bool inside = g[1] < 0.0 || g[2] < 0.0;
    if (g[3] < 0.0 || (g[0] > 0.0 && (inside || nearly_touches(g)))) {
      suspects_.push_back({.contact = i, .kind = Kind::Slip});
    }
  }
}

/// The dense output of a function that is linear in the state, after its value at the start.
FrictionEvents::Coefficients FrictionEvents::coefficients(const FrictionWatch& w,
                                                          const FrictionStep& step) const {
  Coefficients c{};
  if (w.kind == Kind::Target) {
    c = step.rk.dense_coefficients(w.contact);
    for (double& value : c) value *= w.sign;
    return c;
  }
  const int m = setup_->m;
  const FrictionModes::Direction& u = step.modes.direction(w.contact);
  for (int j = 0; j < friction_->rows; ++j) {
    const double* a = friction_->column(j);
    double weight = w.sign * a[w.contact];
    if (w.kind == Kind::Stop) {
      weight = 0.0;
      for (int d = 0; d < friction_->size(w.contact); ++d) {
        weight += u[static_cast<std::size_t>(d)] * a[m + friction_->row(w.contact) + d];
      }
    }
    if (weight == 0.0) continue;
    const Coefficients p = step.rk.dense_coefficients(step.impulses() + j);
    for (std::size_t d = 0; d < c.size(); ++d) c[d] += weight * p[d];
  }
  return c;
}

FrictionCrossing FrictionEvents::crossing(const FrictionWatch& w, const FrictionStep& step) const {
  const Coefficients c = coefficients(w, step);
  const double g0 = value(w, step, step.rk.state(), step.U0.data());
  const bool armed = g0 > w.floor;
  const auto g = [&](double theta) { return g0 + RK::evaluate(c.data(), theta); };
  // Newton's method, as long as it stays inside.
  const auto root = [&](End left, End right) {
    double theta =
        left.theta + (right.theta - left.theta) * left.value / (left.value - right.value);
    for (int i = 0; i < 8 && theta > left.theta && theta < right.theta; ++i) {
      double rate = 0.0;
      const double change = -(g0 + RK::evaluate(c.data(), theta, rate)) / rate;
      theta += change;
      if (std::abs(change) < 1e-8 && theta >= left.theta && theta <= right.theta) return theta;
    }
    return numerics::bracketed_root(g, left.theta, right.theta, 1e-14);
  };
  const double theta = first_crossing(g, 0.0, armed, root);
  // Left zero into the wrong direction at once: the event belongs to the start of the step.
  if (theta > 1.0 && !armed) return {.watch = w, .theta = 0.0, .armed = false};
  return {.watch = w, .theta = theta};
}

/// When a contact that sticks first slips, up to the fraction `until` of the step: what comes after
/// the opening of a contact is not to be believed.
FrictionCrossing FrictionEvents::slip(const FrictionWatch& w, FrictionStep& step, double until) {
  const auto g = [&](double part) {
    step.rk.interpolate(until * part);
    step.velocities(step.rk.inside(), U_.data());
    const double* f = forces(step, step.rk.inside(), U_.data());
    return step.modes.margin(w.contact, f, f + setup_->m);
  };
  double from = g(0.0) > 0.0 ? 0.0 : -1.0;
  // A contact without force yet starts from 0.
  for (double part = 0.5; part > 1e-9 && from < 0.0; part *= 0.25) {
    if (g(part) > 0.0) from = part;
  }
  if (from < 0.0) return {.watch = w, .theta = 0.0, .armed = false};
  // Forces are continuous where a contact begins to slide: the place matters to second order.
  const double width = step.modes.redundant() ? 1e-10 : 1e-15;
  const double part = first_crossing(g, from, true, [&](End left, End right) {
    return numerics::bracketed_root(g, left.theta, right.theta, width);
  });
  return {.watch = w, .theta = part > 1.0 ? 2.0 : until * part};
}

FrictionCrossing FrictionEvents::earliest(FrictionStep& step) {
  FrictionCrossing first;
  // Contacts that infinite friction parts as soon as they touch open at once, but when one has
  // opened another may stay: the first is the one that is parted most, whatever their order.
  const auto parted_more = [&](const FrictionCrossing& a, const FrictionCrossing& b) {
    const bool tie = a.theta == 0.0 && b.theta == 0.0 && a.watch.kind == Kind::Target &&
                     b.watch.kind == Kind::Target;
    return tie && step.a0[a.watch.contact] > step.a0[b.watch.contact];
  };
  for (const FrictionWatch& w : suspects_) {
    if (w.kind == Kind::Slip) continue;
    const FrictionCrossing found = crossing(w, step);
    if (found.theta < first.theta || parted_more(found, first)) first = found;
  }
  for (const FrictionWatch& w : suspects_) {
    if (w.kind != Kind::Slip || first.theta == 0.0) continue;
    const FrictionCrossing found = slip(w, step, std::min(first.theta, 1.0));
    if (found.theta < first.theta) first = found;
  }
  return first;
}

}  // namespace percute::laws

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "model/text.hpp"
#include "simulation/compliant_integrator.hpp"

#include <percute/numerics/bracketed_root.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace percute::simulation {

// What ends a step, and what it changes.

namespace {

using laws::CompliantContact;

/// Places inside a flight at which gaps are looked at: between two of them a gap has one turning
/// point at most, as steps are short against the time in which accelerations change.
constexpr int kLooks = 8;
constexpr int kMostZeroSteps = 1000;

}  // namespace

/// Gap and gap rate of contact i at θ of the attempt: stage_.
void CompliantIntegrator::look_inside(int i, double theta) {
  const double* y = rk_.state();
  if (theta >= 1.0) {
    y = rk_.trial();
  } else if (theta > 0.0) {
    rk_.interpolate(theta);
    y = rk_.inside();
  }
  q_ = Eigen::Map<const Vector>(y, n_);
  v_ = Eigen::Map<const Vector>(y + n_, n_);
  system_.gaps(q_, stage_.h);
  system_.gradient(i, q_, x_);
  stage_.U[i] = x_.dot(v_);
}

/// θ at which the gap of contact i, apart, closes in the attempt; above 1 if it does not.
double CompliantIntegrator::first_closing(int i, double h) {
  constexpr double kNever = 2.0;
  const double reach = h * std::max(std::abs(now_.U[i]), std::abs(end_.U[i]));
  if (std::min(now_.h[i], end_.h[i]) > 2.0 * reach) return kNever;
  // What moves along with what it touches does not close by rounding.
  if (now_.rests(i) && !end_.presses(i)) return kNever;
  const bool resting = now_.h[i] <= 0.0;
  if (resting && now_.U[i] < 0.0) return 0.0;
  if (resting && now_.U[i] == 0.0) {
    return end_.U[i] < 0.0 || end_.h[i] < now_.h[i] ? 0.0 : kNever;
  }
  prepare_dense(h);
  const auto gap = [&](double theta) {
    look_inside(i, theta);
    return stage_.h[i];
  };
  const auto rate = [&](double theta) {
    look_inside(i, theta);
    return stage_.U[i];
  };
  const auto close = [&](double from, double to) {
    return numerics::bracketed_root(gap, from, to, 1e-15);
  };
  double last = 0.0;
  double last_gap = now_.h[i];
  double last_rate = now_.U[i];
  for (int k = 1; k <= kLooks; ++k) {
    const double theta = static_cast<double>(k) / kLooks;
    const double g = gap(theta);
    const double u = stage_.U[i];
    if (g <= 0.0 && last_gap > 0.0) return close(last, theta);
    if (g <= 0.0 && u < 0.0) {
      // It began to rise and has come down again.
      const double top = last_rate > 0.0 ? numerics::bracketed_root(rate, last, theta, 1e-15) : 0.0;
      return gap(top) > 0.0 ? close(top, theta) : last;
    }
    if (g > 0.0 && last_rate < 0.0 && u > 0.0) {
      const double bottom = numerics::bracketed_root(rate, last, theta, 1e-15);
      if (gap(bottom) <= 0.0) return last_gap > 0.0 ? close(last, bottom) : last;
    }
    last = theta;
    last_gap = g;
    last_rate = u;
  }
  return kNever;
}

template <class Visit>
void CompliantIntegrator::watches(int i, Visit&& visit) const {
  if (contact(i).mode == CompliantContact::Mode::Apart) return;  // first_closing()
  if (friction_.acts(i) && !friction_.regularised()) {
    if (friction_.mode(i) == ContactFriction::Mode::Slide) visit(Change::Stop);
    if (friction_.mode(i) == ContactFriction::Mode::Stick) visit(Change::Slip);
  }
  contact(i).watches(method_.law.tension, visit);
}

/// Positive before the change, negative after it.
double CompliantIntegrator::watch(int i, Change change, double theta) {
  look_inside(i, theta);
  if (change != Change::Stop && change != Change::Slip) {
    return contact(i).watch(change, stage_.h[i], stage_.U[i]);
  }
  look_at_friction(time_ + theta * tried_, 0.0);
  return change == Change::Stop ? friction_.along(i, U_t_.data())
                                : friction_.margin(i, F_, U_t_.data());
}

/// θ at which this change comes in the attempt; above 1 if it does not.
double CompliantIntegrator::first_change(int i, Change change, double h) {
  constexpr double kNever = 2.0;
  // The end of compression matters to reports only: not where a contact is at rest.
  if (change == Change::CompressionEnd || change == Change::Recompress) {
    const double rest = 1e-9 * approach_;
    if (std::abs(now_.U[i]) < rest && std::abs(end_.U[i]) < rest) return kNever;
  }
  // Nor does what moves along with what it touches open, or lose its force, by rounding.
  if ((change == Change::Reopen || change == Change::Release) && now_.rests(i) && !end_.parts(i)) {
    return kNever;
  }
  const double from = watch(i, change, 0.0);
  const double to = watch(i, change, 1.0);
  if (to > 0.0 || (to == 0.0 && from <= 0.0)) return kNever;
  prepare_dense(h);
  double start = from > 0.0 ? 0.0 : -1.0;
  // Sliding that begins, and a contact without force yet, start from 0 and may come back to it.
  const bool begins = change == Change::Stop || change == Change::Slip ||
                      (change == Change::Reopen && now_.U[i] < 0.0);
  for (double x = 0.5; begins && x > 1e-9 && start < 0.0; x *= 0.25) {
    if (watch(i, change, x) > 0.0) start = x;
  }
  if (start < 0.0) return 0.0;
  return numerics::bracketed_root([&](double x) { return watch(i, change, x); }, start, 1.0, 1e-15);
}

CompliantIntegrator::Crossing CompliantIntegrator::first_crossing(double h) {
  Crossing first;
  for (int i = 0; i < m_; ++i) {
    if (contact(i).mode == CompliantContact::Mode::Apart) {
      const double theta = first_closing(i, h);
      if (theta < std::min(first.theta, 1.5)) {
        first = {.contact = i, .change = Change::Close, .theta = theta};
      }
      continue;
    }
    watches(i, [&](Change change) {
      const double theta = first_change(i, change, h);
      if (theta >= std::min(first.theta, 1.5)) return;
      first = {.contact = i, .change = change, .theta = theta};
      if (change == Change::Slip) {
        look_inside(i, 1.0);
        look_at_friction(time_ + h, 0.0);
        first.direction = friction_.escape(i, F_, U_t_.data());
      }
    });
  }
  return first;
}

/// Ends the step at the crossing: a step of its own, so that its end has the full order. Where a
/// gap closes or opens, it is corrected until the gap is 0 as far as rounding goes.
void CompliantIntegrator::land(const Crossing& crossing, double h) {
  const int i = crossing.contact;
  double part = crossing.theta * h;
  if (part > 1e-17 * std::abs(time_)) {
    zero_steps_ = 0;
    const bool of_gap = crossing.change == Change::Close || crossing.change == Change::Reopen;
    double miss = std::numeric_limits<double>::infinity();
    for (int k = 0; k < 5; ++k) {
      if (!rk_.attempt(rhs(), time_, part)) {
        failure_ = "a step to an event failed";
        return;
      }
      look(rk_.trial(), end_);
      const double correction = -end_.h[i] / end_.U[i];
      if (!of_gap || std::abs(end_.h[i]) > 0.25 * miss || !(std::abs(correction) < 0.1 * h)) break;
      miss = std::abs(end_.h[i]);
      if (miss == 0.0 || part + correction <= 0.0) break;
      part += correction;
    }
    rk_.accept();
    time_ += part;
    now_ = end_;
    finish_step();
  } else if (++zero_steps_ > kMostZeroSteps) {
    failure_ = "contacts change without end at t = " + text(time_) + " s";
    return;
  }
  if (crossing.change == Change::Stop || crossing.change == Change::Slip) {
    apply_friction(crossing);
  } else {
    apply(i, crossing.change);
  }
  if (!rk_.start(rhs(), time_)) failure_ = "no acceleration after an event";
}

/// The force of contact i as it closes here, with the mass that is effective here.
void CompliantIntegrator::make_force(int i) {
  q_ = Eigen::Map<const Vector>(rk_.state(), n_);
  system_.gradient(i, q_, x_);
  y_ = x_;
  solver_->factor(q_);
  solver_->solve(y_);
  masses_[static_cast<std::size_t>(i)] = 1.0 / x_.dot(y_);
  contact(i).law = laws::ContactForce(system_.contact(i, q_).material, method_.law.force,
                                      masses_[static_cast<std::size_t>(i)], i);
}

void CompliantIntegrator::apply(int i, Change change) {
  CompliantContact& state = contact(i);
  const bool touched = state.touching();
  const double U = now_.U[i];
  if (change == Change::Close) {
    make_force(i);
    approach_ = std::max(approach_, -U);
  }
  // What closes no faster than rebounds that are none has the damping of one that does.
  const double slowest = std::max(1e-3 * approach_, double{method_.run.micro_bounce_velocity});
  state.apply(change, now_.h[i], U, method_.law.minimum_speed.value_or(slowest));
  if (touched == state.touching()) return;
  ContactTotals& total = totals_[static_cast<std::size_t>(i)];
  Phase& phase = phases_[static_cast<std::size_t>(i)];
  if (touched) {
    --loaded_;
    friction_.turn_off(i);
    W_.col(i).setZero();
    total.duration += time_ - phase.start;
    tell(i, EventKind::ContactEnds);
    return;
  }
  const bool impact = -U > method_.run.micro_bounce_velocity && !impact_under_way(i);
  ++loaded_;
  ++total.phases;
  phase = {.start = time_, .impulse = rk_.state()[impulse(i)], .lost = lost(i)};
  time_unit_ = state.law.time_scale(std::max({-U, 1e-6 * approach_, 1e-12}));
  h_ = std::min(h_, kFirstStep * time_unit_);
  RunRecord& counts = ledger_.counts();
  if (impact && !counts.first_impact_time) {
    counts.first_impact_time = time_;
    counts.first_impact_velocity = U;
  }
  tell(i, EventKind::ContactBegins);
  if (impact) {
    ++counts.impacts;
    if (!counts.clusters.empty()) ++counts.clusters.back().impacts;
  }
  begin_friction({i});
}

/// Whether some other contact is compressed or released faster than contacts at rest are.
bool CompliantIntegrator::impact_under_way(int except) const {
  for (int i = 0; i < m_; ++i) {
    if (i == except || !contact(i).touching()) continue;
    if (std::abs(now_.U[i]) > method_.run.micro_bounce_velocity) return true;
  }
  return false;
}

void CompliantIntegrator::tell(int i, EventKind kind) {
  const Phase& phase = phases_[static_cast<std::size_t>(i)];
  const bool ends = kind == EventKind::ContactEnds;
  Event event;
  event.time = time_;
  event.kind = kind;
  event.contacts = {i};
  event.position = Eigen::Map<const Vector>(rk_.state(), n_);
  event.velocity_before = Eigen::Map<const Vector>(rk_.state() + n_, n_);
  event.velocity_after = event.velocity_before;
  event.impulse = Vector::Constant(1, ends ? rk_.state()[impulse(i)] - phase.impulse : 0.0);
  event.dissipated = ends ? lost(i) - phase.lost : 0.0;
  if (!ledger_.event(event)) stop_ = true;
}

double CompliantIntegrator::stored() const {
  double sum = 0.0;
  for (int i = 0; i < m_; ++i) sum += contact(i).stored(now_.h[i]);
  return sum;
}

double CompliantIntegrator::lost(int i) const {
  return rk_.state()[work(i)] - contact(i).stored(now_.h[i]) +
         (friction_.any() ? rk_.state()[friction_loss(i)] : 0.0);
}

}  // namespace percute::simulation

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "simulation/event_driven_run.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace percute::simulation {

namespace {

/// Of a distance that was integrated, in units of its rounding: what a step leaves.
constexpr double kOfDistance = 0.05;

}  // namespace

void EventDrivenRun::read_state(const double* y, Vector& q, Vector& v) const {
  q = Eigen::Map<const Vector>(y, n_);
  v = Eigen::Map<const Vector>(y + n_, n_);
}

bool EventDrivenRun::slope(double t, double* y, double* out) {
  ++ledger_.counts().iterations;
  read_state(y, qs_, vs_);
  if (!vs_.allFinite() || !qs_.allFinite() || !motion_.accelerate(t, qs_, vs_, held_, as_)) {
    return false;
  }
  Eigen::Map<Vector>(out, n_) = vs_;
  Eigen::Map<Vector>(out + n_, n_) = as_;
  out[2 * n_] = law_rubs_ && has_friction_ && !held_.empty() ? motion_.lost_power(vs_, as_) : 0.0;
  return true;
}

double EventDrivenRun::norm(const double* error) const {
  const Eigen::Map<const Vector> e(error, 2 * n_);
  if (!e.allFinite()) return std::numeric_limits<double>::infinity();
  return (e.array() / unit_.array()).abs().maxCoeff() / method_.tolerance;
}

/// Units of the errors of an attempt. Velocities: V_i with ½ M_ii V_i² the largest
/// kinetic energy of a coordinate met so far, that at the end of the step, or what forces do in it.
/// Positions: the largest distance covered so far, or V_i h.
void EventDrivenRun::measure(const double* end) {
  const double h = integrator_.step();
  const bool given_q = method_.position_scale.size() > 0;
  const bool given_v = method_.velocity_scale.size() > 0;
  if (given_q) unit_.head(n_) = method_.position_scale;
  if (given_v) unit_.tail(n_) = method_.velocity_scale;
  if (given_q && given_v) return;
  read_state(end, qs_, vs_);
  const double energy =
      std::max({energy_, 0.5 * (mass_.array() * vs_.array().square()).maxCoeff(), forced_ * h * h});
  for (int i = 0; i < n_; ++i) {
    const double V = std::sqrt(2.0 * energy / mass_[i]);
    if (!given_v) unit_[n_ + i] = std::max(V, 1e-150);
    if (!given_q) {
      const double scale = given_v ? method_.velocity_scale[i] : V;
      unit_[i] = std::max({reach_[i], std::abs(qs_[i] - q_[i]), scale * h, 1e-150});
    }
  }
}

/// Largest energies and distances met, after a step or an impact.
void EventDrivenRun::update_scales() {
  reach_ = reach_.cwiseMax((q_ - origin_).cwiseAbs());
  if (method_.position_scale.size() > 0 && method_.velocity_scale.size() > 0) return;
  system_.mass(q_, M_);
  mass_ = M_.diagonal();
  energy_ = std::max(energy_, 0.5 * (mass_.array() * v_.array().square()).maxCoeff());
}

void EventDrivenRun::update_forced(const double* acceleration) {
  if (method_.position_scale.size() > 0 && method_.velocity_scale.size() > 0) return;
  const Eigen::Map<const Vector> a(acceleration, n_);
  forced_ = 0.5 * (mass_.array() * a.array().square()).maxCoeff();
}

/// Slopes, gaps and scales where velocities or the set of held contacts have changed.
bool EventDrivenRun::restart() {
  double* y = integrator_.state();
  Eigen::Map<Vector>(y, n_) = q_;
  Eigen::Map<Vector>(y + n_, n_) = v_;
  y[2 * n_] = 0.0;
  if (!integrator_.restart()) {
    return fail(RunStatus::NotConverged, "forces are not finite or masses not positive");
  }
  update_scales();
  measure_gaps(q_, v_, gaps_, rates_);
  update_forced(motion_.free_acceleration().data());
  return true;
}

/// Rounding of gaps: of the coordinates they are made of, and, where these come back to 0, of the
/// distances that were integrated.
void EventDrivenRun::measure_gaps(const Vector& q, const Vector& v, Vector& gaps, Vector& rates) {
  system_.gaps(q, gaps);
  rounding_ = kEps * (8.0 * q.cwiseAbs() + kOfDistance * reach_);
  for (int i = 0; i < m_; ++i) {
    system_.gradient(i, q, column_);
    rates[i] = column_.dot(v);
    noise_[i] = column_.cwiseAbs().dot(rounding_);
    rate_noise_[i] = 1e-13 * column_.cwiseAbs().dot(v.cwiseAbs());
  }
}

/// After an event: a part of the step before, and where a contact was just left, of the time in
/// which it would close again. At the start, no more than the time in which contacts close, a
/// thousand times: beside the step they must not seem to close at once.
double EventDrivenRun::first_step() {
  const double end = ledger_.end_time();
  const bool at_start = integrator_.next_step() == 0.0;
  double h = at_start ? 1e-2 * (end - t_) : integrator_.next_step();
  as_ = Eigen::Map<const Vector>(integrator_.slope() + n_, n_);
  constexpr double kWithin = 1e3;
  for (int i = 0; i < m_; ++i) {
    const bool open = gaps_[i] > hold_gap(i);
    if (held(i) || (open && !at_start)) continue;
    const double back = motion_.gap_acceleration(i, q_, v_, as_);
    if (open) {
      // gap + rate t + ½ back t² = 0
      const double root = std::sqrt(std::max(rates_[i] * rates_[i] - 2.0 * back * gaps_[i], 0.0));
      if (root > rates_[i]) h = std::min(h, kWithin * 2.0 * gaps_[i] / (root - rates_[i]));
      continue;
    }
    if (!(rates_[i] > rate_noise_[i] && back < 0.0)) continue;
    const double bounce = 2.0 * rates_[i] / -back;
    if (bounce > 100.0 * integrator_.shortest()) h = std::min(h, 0.6 * bounce);
  }
  return h;
}

/// One step, to `end` at most, and what happens at its end.
bool EventDrivenRun::advance(double end) {
  const double limit = std::min(end, accumulation_.next_end());
  if (limit - t_ <= integrator_.shortest()) {
    t_ = limit;
    integrator_.set_time(t_);
    return tell_accumulations();
  }
  for (const HeldContact& c : held_) note_sliding(c.contact);
  const numerics::HybridStep step = integrator_.advance(limit);
  if (step.failed) return fail(RunStatus::NotConverged, "the step became too short to go on");
  const bool at_once = !(integrator_.time() > t_);
  if (!at_once) take_step();
  if (status_ != RunStatus::Ok) return false;
  if (step.event >= 0) return happen(Watch(watched(step.event)), at_once);
  return t_ < accumulation_.next_end() || tell_accumulations();
}

void EventDrivenRun::passed(double until) {
  const double d = until * integrator_.step();
  while (ledger_.next_output() <= t_ + d && !stopped_) {
    read_state(integrator_.inside((ledger_.next_output() - t_) / integrator_.step()), qs_, vs_);
    if (!ledger_.output(ledger_.next_output(), qs_, vs_)) stopped_ = true;
  }
}

/// Widest gap of a contact in the step just taken: on the cubic through both ends.
double EventDrivenRun::peak(int i) const {
  const double h = integrator_.step();
  const double rise = h * end_rates_[i];
  const double fall = h * rates_[i];
  if (!(rise > 0.0 && fall < 0.0)) return std::max(gaps_[i], end_gaps_[i]);
  const double jump = gaps_[i] - end_gaps_[i];
  const double b = 3.0 * jump - 2.0 * rise - fall;
  const double c = rise + fall - 2.0 * jump;
  const double x = rise / (std::sqrt(b * b - 3.0 * rise * c) - b);
  return end_gaps_[i] + x * (rise + x * (b + x * c));
}

/// What a step has led to.
void EventDrivenRun::take_step() {
  double* y = integrator_.state();
  t_ = integrator_.time();
  ++ledger_.counts().steps;
  ledger_.counts().energy.dissipated += y[2 * n_];
  y[2 * n_] = 0.0;
  read_state(y, q_, v_);
  end_gaps_.swap(gaps_);
  end_rates_.swap(rates_);
  if (!held_.empty() || system_.joints() > 0) {
    motion_.project_position(held_, q_);
    motion_.project_velocity(held_, {}, q_, v_);
    if (!restart()) return;
    for (const HeldContact& c : held_) note_sliding(c.contact);
  } else {
    update_scales();
    measure_gaps(q_, v_, gaps_, rates_);
    update_forced(integrator_.slope() + n_);
  }
  for (int i = 0; i < m_; ++i) {
    widest_[i] = std::max(widest_[i], peak(i));
    if (gaps_[i] > noise_[i]) blind_[i] = 0.0;
  }
  if (!held_.empty()) ledger_.in_contact(t_);
  const bool go_on = std::isfinite(ledger_.next_output()) ? ledger_.step_without_output(t_, q_, v_)
                                                          : ledger_.step(t_, q_, v_);
  if (!go_on) stopped_ = true;
}

}  // namespace percute::simulation

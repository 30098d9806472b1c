// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "simulation/event_driven_run.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace percute::simulation {

namespace {

constexpr double kShortest = 4.0 * kEps;  ///< of a step, relative to time
/// Of a distance that was integrated, in units of its rounding: what a step leaves.
constexpr double kOfDistance = 0.05;

}  // namespace

void EventDrivenRun::read_state(const double* y, Vector& q, Vector& v) const {
  q = Eigen::Map<const Vector>(y, n_);
  v = Eigen::Map<const Vector>(y + n_, n_);
}

void EventDrivenRun::write_state() {
  Eigen::Map<Vector>(rk_.state(), n_) = q_;
  Eigen::Map<Vector>(rk_.state() + n_, n_) = v_;
  rk_.state()[2 * n_] = 0.0;
}

bool EventDrivenRun::rhs(double t, double* y, double* slope) {
  ++ledger_.counts().iterations;
  read_state(y, qs_, vs_);
  if (!vs_.allFinite() || !qs_.allFinite() || !motion_.accelerate(t, qs_, vs_, held_, as_)) {
    return false;
  }
  Eigen::Map<Vector>(slope, n_) = vs_;
  Eigen::Map<Vector>(slope + n_, n_) = as_;
  slope[2 * n_] = law_rubs_ && has_friction_ && !held_.empty() ? motion_.lost_power(vs_, as_) : 0.0;
  return true;
}

double EventDrivenRun::error_norm(const double* error) const {
  const Eigen::Map<const Vector> e(error, 2 * n_);
  if (!e.allFinite()) return std::numeric_limits<double>::infinity();
  return (e.array() / unit_.array()).abs().maxCoeff() / method_.tolerance;
}

/// Units of the errors of an attempt of length h. Velocities: V_i with ½ M_ii V_i² the largest
/// kinetic energy of a coordinate met so far, that at the end of the step, or what forces do in it.
/// Positions: the largest distance covered so far, or V_i h.
void EventDrivenRun::set_units(double h) {
  const bool given_q = method_.position_scale.size() > 0;
  const bool given_v = method_.velocity_scale.size() > 0;
  if (given_q) unit_.head(n_) = method_.position_scale;
  if (given_v) unit_.tail(n_) = method_.velocity_scale;
  if (given_q && given_v) return;
  read_state(rk_.trial(), qs_, vs_);
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

/// Slopes, gaps and scales where velocities or the set of held contacts have changed.
bool EventDrivenRun::restart() {
  write_state();
  if (!rk_.start([this](double t, double* y, double* s) { return rhs(t, y, s); }, t_)) {
    return fail(RunStatus::NotConverged, "forces are not finite or masses not positive");
  }
  update_scales();
  measure(q_, v_, gaps_, rates_);
  if (method_.position_scale.size() > 0 && method_.velocity_scale.size() > 0) return true;
  forced_ = 0.5 * (mass_.array() * motion_.free_acceleration().array().square()).maxCoeff();
  return true;
}

/// Rounding of gaps: of the coordinates they are made of, and, where these come back to 0, of the
/// distances that were integrated.
void EventDrivenRun::measure(const Vector& q, const Vector& v, Vector& gaps, Vector& rates) {
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
  double h = h_ > 0.0 ? h_ : 1e-2 * (end - t_);
  const Eigen::Map<const Vector> a(rk_.slope() + n_, n_);
  as_ = a;
  constexpr double kWithin = 1e3;
  const bool at_start = h_ == 0.0;
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
    if (bounce > 100.0 * kShortest * std::abs(t_)) h = std::min(h, 0.6 * bounce);
  }
  return h;
}

/// A step of at most h that keeps the tolerance; its length in h.
bool EventDrivenRun::try_step(double& h) {
  const auto f = [this](double t, double* y, double* s) { return rhs(t, y, s); };
  bool shortened = false;
  for (;;) {
    if (!(h > kShortest * std::abs(t_)) || h < 1e-300) {
      return fail(RunStatus::NotConverged, "the step became too short to go on");
    }
    if (!rk_.attempt(f, t_, h)) {
      h *= 0.1;
      shortened = true;
      continue;
    }
    set_units(h);
    const double error = rk_.error(h, [this](const double* e) { return error_norm(e); });
    if (error <= 1.0) {
      const double growth = error > 0.0 ? 0.9 * RungeKutta::growth(error) : 10.0;
      proposed_ = h * std::clamp(growth, 0.3, shortened ? 1.0 : 6.0);
      return true;
    }
    h *= std::isfinite(error) ? std::clamp(0.9 * RungeKutta::growth(error), 0.1, 0.9) : 0.1;
    shortened = true;
  }
}

/// One step, to `end` at most, and what happens at its end.
bool EventDrivenRun::advance(double end) {
  const auto f = [this](double t, double* y, double* s) { return rhs(t, y, s); };
  const double limit = std::min({end, accumulation_.next_end(), t_ + system_.longest_step(t_)});
  if (limit - t_ <= kShortest * std::abs(t_)) {
    t_ = limit;
    return tell_accumulations();
  }
  for (const HeldContact& c : held_) note_sliding(c.contact);
  double h = std::min(h_, limit - t_);
  const bool cut = h < h_;
  if (t_ + h >= limit) h = limit - t_;
  const double wanted = h_;
  Watch watch;
  bool shortened = false;
  for (int tries = 0;;) {
    if (!try_step(h)) return false;
    watch = first_watch(h);
    const bool closed = watch.kind == Watch::Kind::Gap && watch.high <= 0.0;
    if (watch.kind == Watch::Kind::Rough) {
      h *= 0.5;
    } else if (closed && rates_[watch.index] >= -rate_noise_[watch.index] &&
               h > 100.0 * kShortest * std::abs(t_) && tries++ < 8) {
      h *= 0.125;  // a contact that was just left closes before it has been seen open
    } else {
      break;
    }
    shortened = true;
  }
  if (shortened) proposed_ = std::min(proposed_, 1.5 * h);
  const bool full = watch.kind == Watch::Kind::None;
  double d = h;
  if (!full) {
    d = watch.high > 0.0 ? locate(watch, h) : 0.0;
    if (status_ != RunStatus::Ok) return false;
  }
  if (d > 0.0) {
    h_ = cut && full ? std::max(wanted, proposed_) : proposed_;
  } else {
    h_ = wanted;
  }
  if (d > 0.0) {
    if (ledger_.next_output() <= t_ + d) {
      if (!rk_.prepare_dense(f, t_, d)) return fail(RunStatus::NotConverged, "dense output");
      tell_outputs(d);
    }
    take_step(full && t_ + d >= limit ? limit : t_ + d);
    if (status_ != RunStatus::Ok) return false;
  }
  if (!full) return happen(watch);
  return t_ < accumulation_.next_end() || tell_accumulations();
}

void EventDrivenRun::tell_outputs(double d) {
  for (int i = 0; i < 2 * n_; ++i) dense_[static_cast<std::size_t>(i)] = rk_.dense_coefficients(i);
  while (ledger_.next_output() <= t_ + d && !stopped_) {
    dense_state((ledger_.next_output() - t_) / d, qs_, vs_);
    if (!ledger_.output(ledger_.next_output(), qs_, vs_)) stopped_ = true;
  }
}

void EventDrivenRun::take_step(double time) {
  rk_.accept();
  t_ = time;
  ++ledger_.counts().steps;
  ledger_.counts().energy.dissipated += rk_.state()[2 * n_];
  rk_.state()[2 * n_] = 0.0;
  read_state(rk_.state(), q_, v_);
  if (!held_.empty() || system_.joints() > 0) {
    motion_.project_position(held_, q_);
    motion_.project_velocity(held_, {}, q_, v_);
    if (!restart()) return;
    for (const HeldContact& c : held_) note_sliding(c.contact);
  } else {
    update_scales();
    measure(q_, v_, gaps_, rates_);
    forced_ =
        0.5 * (mass_.array() * Eigen::Map<const Vector>(rk_.slope() + n_, n_).array().square())
                  .maxCoeff();
  }
  for (int i = 0; i < m_; ++i) {
    widest_[i] = std::max({widest_[i], gaps_[i], peaks_[i]});
    if (gaps_[i] > noise_[i]) blind_[i] = 0.0;
  }
  if (!held_.empty()) ledger_.in_contact(t_);
  const bool go_on = std::isfinite(ledger_.next_output()) ? ledger_.step_without_output(t_, q_, v_)
                                                          : ledger_.step(t_, q_, v_);
  if (!go_on) stopped_ = true;
}

}  // namespace percute::simulation

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/lzb/friction_step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace percute::laws {

namespace {

/// Slower than this part of the tolerance, sliding in space has stopped: what is left stays.
constexpr double kStop = 0.01;
/// Rounding leaves contacts that stick up to 2e-13 vs: others that they hold stand still like that.
constexpr double kLeastStop = 1e-12;

/// Error in the direction of what fades.
constexpr double kDirection = 1e-3;

/// Where sliding begins at the limit of sticking its speed s grows with the square of time: what
/// the direction of slow sliding leaves out, of order s², adds up to s^2.5: a part of the tolerance
/// even where directions are slow to settle.
double slow_speed(double tolerance) {
  return std::sqrt(0.1 * tolerance);
}

}  // namespace

void FrictionStep::assign(const ImpactSetup& setup, const FrictionSetup& friction,
                          const ContactPhases& phases, double tolerance) {
  setup_ = &setup;
  friction_ = &friction;
  phases_ = &phases;
  // Errors of single steps add up, twice as much in energies as in velocities.
  tolerance_ = 0.02 * tolerance;
  const double stop = std::max(kLeastStop, kStop * tolerance) * setup.velocity_scale;
  modes.assign(friction, stop, slow_speed(tolerance) * setup.velocity_scale);
  rk.resize(clock() + 1);
  const auto rows = static_cast<std::size_t>(friction.rows);
  for (auto* v :
       {&U0, &U1, &a0, &a1, &U_, &scratch_, &zero_, &slow_forces_, &slow_rates_, &slow_later_})
    v->assign(rows, 0.0);
  slope_.assign(static_cast<std::size_t>(clock()) + 1, 0.0);
  weights_.assign(2 * static_cast<std::size_t>(setup.m), 0.0);
  slow_list_.reserve(static_cast<std::size_t>(setup.m));
  use_time(1);
}

void FrictionStep::use_time(int k) {
  k_ = k;
  landing_ = fading_ = -1;
}

void FrictionStep::use_landing(int i, double present_rate) {
  use_time(setup_->contact[i].radical());
  landing_ = i;
  slowest_ = 0.05 * std::abs(present_rate);
}

void FrictionStep::use_fading(int i) {
  use_time(1);
  fading_ = i;
  faded_from_ = modes.speed(i, U0.data() + setup_->m);
}

/// Slopes in τ. False where they are not defined: a spent contact with a fractional exponent is
/// asked for more.
bool FrictionStep::plain(const double* y, double* f) {
  const int m = setup_->m;
  velocities(y, U_.data());
  double* lambda = f + m;
  for (int i = 0; i < m; ++i) {
    const ContactState& s = (*phases_)[i];
    const ContactLaw& contact = setup_->contact[i];
    const double U = U_[i];
    if (s.phase == Phase::Open) {
      f[i] = -s.gain * U;
      lambda[i] = 0.0;
    } else if (s.phase == Phase::Resting) {
      // Driven together it loads; with tracked gaps, driven apart it opens one (ξ < 0).
      const bool drifts = setup_->tracked_gap && y[i] <= setup_->spent[i] && U > setup_->drive;
      f[i] = drifts ? -U : std::max(-U - setup_->drive, 0.0);
      lambda[i] = y[i] > 0.0 ? contact.force(y[i], s.plastic) : 0.0;
    } else {
      if (contact.singular() && y[i] < -setup_->spent[i]) return false;
      f[i] = -s.gain * U;
      lambda[i] = contact.force(y[i], s.plastic);
    }
  }
  const double* U_t = U_.data() + m;
  double* forces = f + 2 * m;
  modes.forces(lambda, U_t, forces);
  if (modes.any_slow()) direct_slow(y, f);
  double* loss = f + losses();
  for (int i = 0; i < m; ++i) {
    loss[i] = 0.0;
    for (int r = friction_->row(i); r < friction_->row(i) + friction_->size(i); ++r) {
      loss[i] -= forces[r] * U_t[r];
    }
  }
  f[clock()] = 1.0;
  return true;
}

bool FrictionStep::evaluate(double x, double* y, double* f) {
  ++evaluations_;
  if (landing_ >= 0) y[landing_] = k_ == 2 ? x * x : x;
  if (!plain(y, f)) return false;
  if (k_ == 1 && landing_ < 0 && fading_ < 0) return true;
  double pace = k_ == 2 ? 2.0 * x : 1.0;
  if (landing_ >= 0) {
    if (!(f[landing_] < -slowest_)) return false;
    pace /= f[landing_];
  }
  if (fading_ >= 0) pace = modes.speed(fading_, U_.data() + setup_->m) / faded_from_;
  for (int k = 0; k <= clock(); ++k) f[k] *= pace;
  return true;
}

void FrictionStep::start() {
  use_time(1);
  plain(rk.state(), rk.slope());
  ++evaluations_;
  measure(rk.slope(), rk.state(), U0, a0);
}

bool FrictionStep::attempt(double x, double h) {
  lost_ = false;
  return rk.attempt([this](double at, double* y, double* f) { return evaluate(at, y, f); }, x, h);
}

bool FrictionStep::prepare_dense(double x, double h) {
  return rk.prepare_dense([this](double at, double* y, double* f) { return evaluate(at, y, f); }, x,
                          h);
}

/// One over the errors allowed. Rounding of gap rates, magnified by 1/e² during expansion, is no
/// error of the step.
void FrictionStep::weigh() {
  const ImpactSetup& s = *setup_;
  const double rounding = 1e-15 * s.velocity_scale * (trial_time() - time());
  if (fading_ >= 0) {
    velocities(rk.trial(), U_.data());
    const double speed =
        std::min(modes.speed(fading_, U0.data() + s.m), modes.speed(fading_, U_.data() + s.m));
    fading_weight_ = 1.0 / (kDirection * speed + 1e-15 * s.velocity_scale);
  }
  for (int i = 0; i < s.m; ++i) {
    const double gain = (*phases_)[i].gain;
    weights_[i] =
        1.0 / (tolerance_ * (s.indentation_scale[i] + std::abs(rk.trial()[i])) + rounding * gain);
    weights_[s.m + i] = 1.0 / (tolerance_ * (s.impulse_scale + std::abs(rk.trial()[s.m + i])));
  }
}

/// Largest of the weighted errors in ξ, P, D_t and all velocities. Redundant contacts share
/// tangential impulses in ways that do not matter, so that these are judged by what they do.
double FrictionStep::worst_error(const double* e) {
  const int m = setup_->m;
  double worst = 0.0;
  friction_->apply(zero_.data(), e + m, scratch_.data());
  for (int i = 0; i < m; ++i) {
    worst = std::max({worst, std::abs(e[i]) * weights_[i], std::abs(e[m + i]) * weights_[m + i],
                      std::abs(e[losses() + i]) / (2.0 * tolerance_ * setup_->energy_scale)});
  }
  double velocity = 0.0;
  for (int r = 0; r < friction_->rows; ++r) velocity = std::max(velocity, std::abs(scratch_[r]));
  worst = std::max(worst, velocity / (tolerance_ * setup_->velocity_scale));
  if (fading_ < 0) return worst;
  // The direction of what fades is kept.
  const int row = m + friction_->row(fading_);
  return std::max(worst, std::hypot(scratch_[row], scratch_[row + 1]) * fading_weight_);
}

double FrictionStep::error(double h) {
  double sum = 0.0;
  for (int k = 0; k <= clock(); ++k) sum += rk.trial()[k];
  if (!std::isfinite(sum)) return std::numeric_limits<double>::infinity();
  weigh();
  return rk.error(h, [this](const double* e) { return worst_error(e); });
}

double FrictionStep::interpolate(double theta, double x) {
  rk.interpolate(theta);
  if (!evaluate(x, rk.inside(), rk.inside_slope())) return std::numeric_limits<double>::infinity();
  weigh();
  return rk.defect([this](const double* e) { return worst_error(e); });
}

void FrictionStep::end_inside() {
  rk.end_inside();
  measure_end();
}

void FrictionStep::evaluate_trial(double x) {
  evaluate(x, rk.trial(), rk.trial_slope());
  measure_end();
}

void FrictionStep::accept() {
  modes.share_impulses(rk.state() + impulses(), rk.trial() + impulses());
  rk.accept();
  U0.swap(U1);
  a0.swap(a1);
}

/// U and dU/dτ; the slopes tell the forces unless time stands still.
void FrictionStep::measure(const double* slope, const double* y, std::vector<double>& U,
                           std::vector<double>& a) {
  const double pace = slope[clock()];
  const double* forces = slope + impulses();
  if (pace == 0.0) {
    plain(y, slope_.data());
    forces = slope_.data() + impulses();
  }
  velocities(y, U.data());
  friction_->apply(zero_.data(), forces, a.data());
  if (pace == 0.0 || pace == 1.0) return;
  for (double& value : a) value /= pace;
}

void FrictionStep::normal_forces(const double* y, const double* U, const double* a, double ahead,
                                 double* lambda) const {
  for (int i = 0; i < setup_->m; ++i) {
    const ContactState& s = (*phases_)[i];
    lambda[i] = 0.0;
    if (s.phase == Phase::Open) continue;
    const double more =
        ahead * (std::max(-U[i], 0.0) + 0.5 * ahead * std::max(a == nullptr ? 0.0 : -a[i], 0.0));
    const double xi = std::max(y[i], 0.0) + (s.phase == Phase::Resting ? 0.0 : more);
    if (xi > 0.0) lambda[i] = setup_->contact[i].force(xi, s.plastic);
  }
}

}  // namespace percute::laws

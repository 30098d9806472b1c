// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "simulation/compliant_integrator.hpp"

#include "laws/compliant/applicable.hpp"
#include "laws/compliant/peak_inside.hpp"
#include "model/text.hpp"

#include <percute/model/invalid_input.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace percute::simulation {

namespace {

constexpr double kSafety = 0.9;
constexpr double kLargestGrowth = 6.0;
constexpr double kSmallestGrowth = 0.1;
/// Forces start and end with fractional powers, where the error estimate of a Runge–Kutta pair says
/// up to a hundred times too little.
constexpr double kEstimateDeficit = 0.01;
constexpr double kLongestStep = 1e6;  ///< s
/// What rounding leaves of a gap and of a gap rate, relative to the terms they are sums of.
constexpr double kGapNoise = 2e-15;
constexpr double kRateNoise = 1e-13;

Vector at(const double* y, int n) {
  return Eigen::Map<const Vector>(y, n);
}

}  // namespace

CompliantIntegrator::CompliantIntegrator(const CompliantMotion& method, const AnySystem& system,
                                         const Moment& start, const Observer& observer)
    : method_(method),
      system_(system),
      ledger_(system, method.run, observer, start),
      solver_(system.solver()),
      n_(system.coordinates()),
      m_(system.contacts()),
      contacts_(static_cast<std::size_t>(m_)),
      masses_(static_cast<std::size_t>(m_), 1.0),
      phases_(static_cast<std::size_t>(m_)),
      totals_(static_cast<std::size_t>(m_)),
      time_(start.time),
      now_{.h = Vector::Zero(m_),
           .U = Vector::Zero(m_),
           .h_noise = Vector::Zero(m_),
           .U_noise = Vector::Zero(m_)},
      end_(now_),
      F_(static_cast<std::size_t>(m_), 0.0),
      W_(Matrix::Zero(n_, m_)),
      stage_(now_),
      q_(n_),
      v_(n_),
      a_(n_),
      x_(n_),
      y_(n_) {
  if (system.joints() > 0) {
    throw InvalidInput("simulation.method",
                       "moves compliant contacts of systems without joints only; this one has " +
                           std::to_string(system.joints()));
  }
  std::vector<int> all(static_cast<std::size_t>(m_));
  std::iota(all.begin(), all.end(), 0);
  const ImpactProblem problem =
      systems::impact_problem(system, start.state.position, start.state.velocity, all);
  laws::check_applicable(problem, method.law);
  if (laws::ignores_restitution(problem, method.law.force)) {
    ledger_.warn("this force has no coefficient of restitution: material.restitution is not used");
  }
  const laws::FrictionRows rows(problem);
  rows_ = rows.start;
  const int tangential = rows.tangential();
  friction_ = ContactFriction(problem, rows, SparseMatrix(m_ + tangential, m_ + tangential), 0.0,
                              method.law.regularisation_velocity);
  T_ = Matrix::Zero(n_, tangential);
  U_t_.assign(static_cast<std::size_t>(tangential), 0.0);
  f_t_ = U_t_;
  rk_.resize(2 * n_ + 2 * m_ + (tangential > 0 ? m_ : 0));
  begin(start);
}

void CompliantIntegrator::look(const double* y, View& view) {
  q_ = at(y, n_);
  v_ = at(y + n_, n_);
  system_.gaps(q_, view.h);
  for (int i = 0; i < m_; ++i) {
    system_.gradient(i, q_, x_);
    view.U[i] = x_.dot(v_);
    view.h_noise[i] = kGapNoise * x_.cwiseAbs().dot(q_.cwiseAbs());
    view.U_noise[i] = kRateNoise * x_.cwiseAbs().dot(v_.cwiseAbs());
  }
}

/// Normal forces at q_, v_.
void CompliantIntegrator::contact_forces() {
  system_.gaps(q_, stage_.h);
  for (int i = 0; i < m_; ++i) {
    const auto k = static_cast<std::size_t>(i);
    F_[k] = 0.0;
    if (!contacts_[k].touching()) continue;
    system_.gradient(i, q_, x_);
    W_.col(i) = x_;
    stage_.U[i] = x_.dot(v_);
    F_[k] = contacts_[k].force(stage_.h[i], stage_.U[i]);
  }
}

bool CompliantIntegrator::slope(double t, const double* y, double* out) {
  ++ledger_.counts().iterations;
  q_ = at(y, n_);
  v_ = at(y + n_, n_);
  if (!solver_->factor(q_)) return false;
  system_.force(t, q_, v_, a_);
  std::copy_n(y + n_, n_, out);
  std::fill(out + 2 * n_, out + rk_.size(), 0.0);
  if (!in_flight()) {
    contact_forces();
    if (friction_.any()) friction_forces();
    for (int i = 0; i < m_; ++i) {
      if (!contact(i).touching()) continue;
      const double F = F_[static_cast<std::size_t>(i)];
      a_ += F * W_.col(i);
      out[impulse(i)] = F;
      out[work(i)] = -F * stage_.U[i];
      if (!friction_.any()) continue;
      for (int row = friction_.row(i); row < friction_.row(i) + friction_.size(i); ++row) {
        const auto r = static_cast<std::size_t>(row);
        a_ += f_t_[r] * T_.col(row);
        out[friction_loss(i)] -= f_t_[r] * U_t_[r];
      }
    }
  }
  solver_->solve(a_);
  std::copy(a_.begin(), a_.end(), out + n_);
  return a_.allFinite();
}

/// Velocities count by kinetic energy; positions by what velocities make of them in a step.
double CompliantIntegrator::norm(const double* error) {
  const auto length = [this](const double* e) {
    x_ = at(e, n_);
    solver_->multiply(x_, y_);
    return std::sqrt(std::max(x_.dot(y_), 0.0));
  };
  const double unit = std::max(speed_, 1e-300);
  double largest = std::max(length(error + n_), length(error) / tried_) / unit;
  for (int i = 2 * n_ + m_; i < rk_.size(); ++i) {  // W and D
    largest = std::max(largest, std::abs(error[i]) / (0.5 * unit * unit));
  }
  return largest / (in_flight() ? method_.tolerance : kEstimateDeficit * method_.law.tolerance);
}

void CompliantIntegrator::grow_scales(const double* y) {
  x_ = at(y + n_, n_);
  solver_->multiply(x_, y_);
  speed_ = std::max(speed_, std::sqrt(std::max(x_.dot(y_), 0.0)));
}

bool CompliantIntegrator::advance() {
  refresh_friction();
  const double end = std::min(ledger_.end_time(), time_ + system_.longest_step(time_));
  for (;;) {
    const double left = end - time_;
    const bool last = h_ >= left;
    tried_ = std::min({h_, left, kLongestStep});
    if (tried_ < 1e-15 * std::abs(time_) || tried_ <= 0.0) {
      if (!last) return false;
      time_ = end;
      return true;
    }
    dense_ = false;
    const bool defined = rk_.attempt(rhs(), time_, tried_);
    if (defined) grow_scales(rk_.trial());
    const double error =
        defined ? rk_.error(tried_, [this](const double* e) { return norm(e); }) : 1e10;
    if (error <= 1.0) {
      look(rk_.trial(), end_);
      const Crossing crossing = first_crossing(tried_);
      const double until = std::min(crossing.theta, 1.0);
      tell_outputs(tried_, until);
      find_peaks(tried_, until);
      const double growth = error > 0.0 ? kSafety * rk_.growth(error) : kLargestGrowth;
      // A step cut short by the end says nothing of how long steps could be.
      if (tried_ == h_) h_ *= std::clamp(growth, kSmallestGrowth, kLargestGrowth);
      h_ = std::min(h_, kLongestStep);
      ++ledger_.counts().steps;
      if (crossing.contact >= 0) {
        land(crossing, tried_);
      } else {
        rk_.accept();
        time_ = last ? end : time_ + tried_;
        now_ = end_;
        finish_step();
      }
      return true;
    }
    const double factor = std::isfinite(error) ? kSafety * rk_.growth(error) : kSmallestGrowth;
    h_ = tried_ * std::clamp(factor, kSmallestGrowth, 0.9);
  }
}

void CompliantIntegrator::prepare_dense(double h) {
  if (dense_) return;
  rk_.prepare_dense(rhs(), time_, h);
  dense_ = true;
}

void CompliantIntegrator::tell_outputs(double h, double until) {
  while (!stop_ && ledger_.next_output() <= time_ + until * h) {
    const double asked = ledger_.next_output();
    prepare_dense(h);
    rk_.interpolate(std::clamp((asked - time_) / h, 0.0, until));
    stop_ = !ledger_.output(asked, at(rk_.inside(), n_), at(rk_.inside() + n_, n_));
  }
}

/// Tells the state at the end of a step.
void CompliantIntegrator::finish_step() {
  for (int i = 0; i < m_; ++i) {
    if (!contact(i).touching()) continue;
    note_force(i, time_, contact(i).force(now_.h[i], now_.U[i]));
    fastest_ = std::max(fastest_, std::abs(now_.U[i]));
  }
  ledger_.set_stored_energy(stored());
  q_ = at(rk_.state(), n_);
  v_ = at(rk_.state() + n_, n_);
  const bool go_on = method_.run.output_interval > 0.0 ? ledger_.step_without_output(time_, q_, v_)
                                                       : ledger_.step(time_, q_, v_);
  stop_ = stop_ || !go_on;
  if (!in_flight()) ledger_.in_contact(time_);
}

void CompliantIntegrator::note_force(int i, double time, double force) {
  ContactTotals& total = totals_[static_cast<std::size_t>(i)];
  if (force <= total.peak_force) return;
  total.peak_force = force;
  total.peak_force_time = time;
}

/// The largest force of a damped contact lies inside a step; others have theirs where compression
/// ends.
void CompliantIntegrator::find_peaks(double h, double until) {
  for (int i = 0; i < m_; ++i) {
    if (!contact(i).touching() || !contact(i).law.damped()) continue;
    prepare_dense(h);
    const auto force = [&](double theta) {
      look_inside(i, theta);
      return contact(i).force(stage_.h[i], stage_.U[i]);
    };
    const double theta = laws::peak_inside(force, until);
    if (theta >= 0.0) note_force(i, time_ + theta * h, force(theta));
  }
}

Run CompliantIntegrator::run() {
  if (!rk_.start(rhs(), time_)) return finish(RunStatus::NotConverged, "no acceleration at start");
  grow_scales(rk_.state());
  if (!(h_ > 0.0)) {
    // A small part of the time in which velocities change by themselves, or of the run.
    x_ = at(rk_.slope() + n_, n_);
    solver_->multiply(x_, y_);
    const double acceleration = std::sqrt(std::max(x_.dot(y_), 0.0));
    h_ = 1e-3 * method_.run.duration.value_or(1.0);
    if (speed_ > 0.0 && acceleration > 0.0) h_ = std::min(h_, 1e-2 * speed_ / acceleration);
    if (!in_flight()) h_ = std::min(h_, kFirstStep * time_unit_);
  }
  if (ledger_.next_output() <= time_) {
    stop_ = !ledger_.output(time_, at(rk_.state(), n_), at(rk_.state() + n_, n_));
  }
  while (!stop_ && time_ < ledger_.end_time()) {
    if (ledger_.too_many_events()) {
      return finish(RunStatus::NotTerminated,
                    ledger_.limit_reached() + " at t = " + text(time_) + " s");
    }
    if (time_ > 1e6 * kLongestStep) {
      return finish(RunStatus::NotTerminated, "nothing ever touches");
    }
    if (!advance()) {
      return finish(RunStatus::NotConverged, "steps became too short at t = " + text(time_) + " s");
    }
    if (!failure_.empty()) return finish(RunStatus::NotConverged, failure_);
  }
  return finish(RunStatus::Ok, {});
}

}  // namespace percute::simulation

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/compliant/integrator.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace percute::laws {

namespace {

constexpr double kSafety = 0.9;
constexpr double kLargestGrowth = 6.0;
constexpr double kSmallestGrowth = 0.1;
/// Forces start and end with fractional powers, where the error estimate of a Runge–Kutta pair says
/// up to a hundred times too little.
constexpr double kEstimateDeficit = 0.01;
constexpr double kFirstStep = 1e-3;  ///< of the time scale

}  // namespace

CompliantIntegrator::CompliantIntegrator(const ImpactProblem& problem, const Compliant& law,
                                         Recorder* recorder)
    : law_(law), recorder_(recorder), rows_(problem) {
  G_ = problem.mass.delassus(rows_.directions);
  const auto contacts = static_cast<Eigen::Index>(problem.contacts.size());
  scale_ = scales(problem, Vector(G_.diagonal().head(contacts)));
  U_before_ = rows_.directions.transpose() * problem.velocity;
  const auto count = problem.contacts.size();
  contacts_.resize(count);
  length_.resize(count);
  const double approach = count > 0 ? std::max(-U_before_.head(contacts).minCoeff(), 0.0) : 0.0;
  minimum_speed_ = law.minimum_speed.value_or(1e-3 * approach);
  const double speed = scale_.velocity > 0.0 ? scale_.velocity : 1.0;
  time_unit_ = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < count; ++i) {
    CompliantContact& contact = contacts_[i];
    const auto k = static_cast<Eigen::Index>(i);
    contact.law = ContactForce(problem.contacts[i].material, law.force, scale_.effective_mass[k],
                               static_cast<int>(i));
    const double t = contact.law.time_scale(speed);
    length_[i] = speed * t;
    time_unit_ = std::min(time_unit_, t);
  }
  tolerance_ = kEstimateDeficit * law.tolerance;
  const int tangential = rows_.tangential();
  rk_.resize(3 * m() + (tangential > 0 ? tangential + m() : 0));
  const double stop = std::max(1e-10, 0.1 * law.tolerance) * speed;
  friction_ = ContactFriction(problem, rows_, G_, stop, law.regularisation_velocity);
  F_.assign(count, 0.0);
  U_.assign(count + static_cast<std::size_t>(tangential), 0.0);
  U_stage_ = U_;
  std::copy(U_before_.begin(), U_before_.end(), U_.begin());
  diagnostics_.contacts.resize(count);
  for (int i = 0; i < m(); ++i) {
    const double energy = problem.contacts[static_cast<std::size_t>(i)].stored_energy;
    if (energy > 0.0) precompress(i, energy);
  }
}

/// Starts contact i on its loading curve, where k δ^(n+1)/(n+1) is the energy it has stored.
void CompliantIntegrator::precompress(int i, double energy) {
  CompliantContact& contact = contacts_[static_cast<std::size_t>(i)];
  gaps()[i] = -contact.law.indentation_of(energy);
  rk_.state()[work() + i] = energy;
  contact.memory = contact.law.closed_at(0.0, minimum_speed_);
  contact.mode = Mode::Touching;
  precompressed_ = true;
}

bool CompliantIntegrator::impact() const {
  return m() > 0 && (precompressed_ || U_before_.head(m()).minCoeff() < -scale_.gap_rate_tol);
}

void CompliantIntegrator::gap_rates(const double* P, std::vector<double>& U) const {
  for (int i = 0; i < static_cast<int>(U_before_.size()); ++i) {
    double sum = U_before_[i];
    for (SparseMatrix::InnerIterator entry(G_, i); entry; ++entry) {
      sum += entry.value() * P[entry.row()];
    }
    U[static_cast<std::size_t>(i)] = sum;
  }
}

bool CompliantIntegrator::slope(const double* y, double* out) {
  ++diagnostics_.evaluations;
  gap_rates(y + m(), U_stage_);
  bool finite = true;
  for (int i = 0; i < m(); ++i) {
    const double U = U_stage_[static_cast<std::size_t>(i)];
    const double F = force(i, y[i], U);
    out[i] = U;
    out[m() + i] = F;
    out[work() + i] = -F * U;
    F_[static_cast<std::size_t>(i)] = F;
    finite = finite && std::isfinite(F) && std::isfinite(U);
  }
  if (!friction_.any() || !finite) return finite;
  const double* U_t = U_stage_.data() + m();
  double* f = out + 2 * m();
  friction_.forces(F_, U_t, f);
  for (int i = 0; i < m(); ++i) {
    double power = 0.0;
    for (int row = friction_.row(i); row < friction_.row(i) + friction_.size(i); ++row) {
      power -= f[row] * U_t[row];
    }
    out[friction_loss() + i] = power;
    finite = finite && std::isfinite(power);
  }
  return finite;
}

double CompliantIntegrator::norm(const double* error) const {
  double largest = 0.0;
  for (int i = 0; i < m(); ++i) {
    largest = std::max({largest, std::abs(error[i]) / length_[static_cast<std::size_t>(i)],
                        std::abs(error[m() + i]) / (scale_.effective_mass[i] * scale_.velocity),
                        std::abs(error[work() + i]) / scale_.energy});
    if (!friction_.acts(i)) continue;
    largest = std::max(largest, std::abs(error[friction_loss() + i]) / scale_.energy);
    for (int row = friction_.row(i); row < friction_.row(i) + friction_.size(i); ++row) {
      const double unit = scale_.effective_mass[i] * scale_.velocity;
      largest = std::max(largest, std::abs(error[2 * m() + row]) / unit);
    }
  }
  return largest / tolerance_;
}

bool CompliantIntegrator::idle(int i) const {
  const auto k = static_cast<std::size_t>(i);
  if (contacts_[k].mode == Mode::Apart) return true;
  return contacts_[k].mode == Mode::Touching && rk_.state()[i] >= 0.0 &&
         std::abs(U_[k]) <= scale_.gap_rate_tol && force(i, rk_.state()[i], U_[k]) <= 0.0;
}

bool CompliantIntegrator::over() const {
  for (int i = 0; i < m(); ++i) {
    if (contacts_[static_cast<std::size_t>(i)].mode == Mode::Touching && !idle(i)) return false;
    if (U_[static_cast<std::size_t>(i)] < -scale_.gap_rate_tol) return false;
  }
  return true;
}

bool CompliantIntegrator::fly() {
  double next = std::numeric_limits<double>::infinity();
  int first = -1;
  for (int i = 0; i < m(); ++i) {
    const double U = U_[static_cast<std::size_t>(i)];
    if (!idle(i)) return false;
    if (U < -scale_.gap_rate_tol && std::max(rk_.state()[i], 0.0) / -U < next) {
      next = std::max(rk_.state()[i], 0.0) / -U;
      first = i;
    }
  }
  if (first < 0) return false;
  for (int i = 0; i < m(); ++i) gaps()[i] += next * U_[static_cast<std::size_t>(i)];
  gaps()[first] = 0.0;
  time_ += next;
  apply(first, Change::Close);
  return true;
}

bool CompliantIntegrator::advance() {
  const auto rhs = [this](double, const double* y, double* out) { return slope(y, out); };
  if (friction_.any() && !friction_.regularised()) {
    normal_forces(rk_.state(), U_, 0.0);
    const int died = friction_.refresh(F_, U_.data() + m());
    if (died >= 0) {
      apply_friction({.contact = died, .change = Change::Stop});
      rk_.start(rhs, time_);
    }
  }
  for (;;) {
    if (h_ < 1e-15 * std::max(time_unit_, time_)) return false;
    const bool defined = rk_.attempt(rhs, time_, h_);
    const double error =
        defined ? rk_.error(h_, [this](const double* e) { return norm(e); }) : 1e10;
    if (error <= 1.0) {
      const double tried = h_;
      const double growth = error > 0.0 ? kSafety * rk_.growth(error) : kLargestGrowth;
      const Crossing crossing = first_crossing(tried);
      const double until = std::min(crossing.theta, 1.0);
      record_times(tried, until);
      find_peaks(tried, until);
      h_ = tried * std::clamp(growth, kSmallestGrowth, kLargestGrowth);
      if (crossing.contact < 0) {
        rk_.accept();
        time_ += tried;
        gap_rates(rk_.state() + m(), U_);
      } else {
        land(crossing, tried);
      }
      ++diagnostics_.steps;
      note_progress();
      if (recorder_ != nullptr && (crossing.contact >= 0 || recorder_->due())) record();
      return true;
    }
    ++diagnostics_.rejected;
    const double factor = std::isfinite(error) ? kSafety * rk_.growth(error) : kSmallestGrowth;
    h_ *= std::clamp(factor, kSmallestGrowth, 0.9);
    if (diagnostics_.steps + diagnostics_.rejected >= law_.max_steps) return false;
  }
}

Status CompliantIntegrator::run() {
  // Contacts that rest or approach take part from the start.
  std::vector<int> touching;
  for (int i = 0; i < m(); ++i) {
    CompliantContact& contact = contacts_[static_cast<std::size_t>(i)];
    if (contact.mode == Mode::Touching) {  // precompressed
      touching.push_back(i);
      log(i, EventKind::Activation);
      ContactSummary& summary = diagnostics_.contacts[static_cast<std::size_t>(i)];
      summary.impacts = 1;
      contact.compressing = U_[static_cast<std::size_t>(i)] < 0.0;
      summary.compressions = contact.compressing ? 1 : 0;
      if (!contact.compressing && contact.law.hysteretic(contact.memory.branch)) {
        contact.law.turn(-gaps()[i], contact.memory);
      }
    } else if (U_[static_cast<std::size_t>(i)] <= scale_.gap_rate_tol) {
      touching.push_back(i);
      contact.mode = Mode::Apart;
      if (U_[static_cast<std::size_t>(i)] < -scale_.gap_rate_tol) {
        apply(i, Change::Close);
      } else {
        contact.memory = contact.law.closed_at(0.0, minimum_speed_);
        contact.mode = Mode::Touching;
        contact.compressing = true;
      }
    }
  }
  started_ = true;
  begin_friction(touching);
  if (status_ != Status::Ok) return status_;
  h_ = kFirstStep * time_unit_;
  const auto start = [this] {
    return rk_.start([this](double, const double* y, double* out) { return slope(y, out); }, time_);
  };
  if (!start()) return Status::StepUnderflow;
  note_progress();
  record();
  while (!over()) {
    if (status_ != Status::Ok) return status_;
    if (diagnostics_.events >= law_.max_events ||
        diagnostics_.steps + diagnostics_.rejected >= law_.max_steps) {
      return Status::NotTerminated;
    }
    if (fly()) {
      if (!start()) return Status::StepUnderflow;
      note_progress();
      record();
      h_ = kFirstStep * time_unit_;
      continue;
    }
    if (!advance()) {
      return diagnostics_.steps + diagnostics_.rejected >= law_.max_steps ? Status::NotTerminated
                                                                          : Status::StepUnderflow;
    }
  }
  diagnostics_.duration = time_;
  return Status::Ok;
}

}  // namespace percute::laws

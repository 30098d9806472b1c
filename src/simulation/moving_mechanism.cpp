// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "simulation/moving_mechanism.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace percute::simulation {

namespace {

/// What rounding leaves of a gap and of a gap rate, relative to the terms they are sums of; and the
/// least gap that matters, relative to the way of a compression: bodies begin to move by far less.
constexpr double kLeastGap = 1e-16;
constexpr double kGapNoise = 2e-15;
constexpr double kRateNoise = 1e-13;

}  // namespace

MovingMechanism::MovingMechanism(const systems::AnySystem& system,
                                 const contact::FrictionRows& rows)
    : system_(system),
      rows_(rows),
      solver_(system.solver()),
      q_(system.coordinates()),
      v_(q_.size()),
      loaded_(rows.friction.size(), 0),
      gaps_(Vector::Zero(system.contacts())),
      gap_noise_(gaps_),
      rate_noise_(gap_noise_),
      H_(Matrix::Zero(q_.size(), system.contacts() + rows.tangential())),
      A_(Matrix::Zero(rows.tangential(), rows.tangential())),
      T_(q_.size(), 2),
      x_(q_.size()),
      y_(q_.size()) {}

bool MovingMechanism::look(double time, const double* y, const char* loaded, bool all, double* gap,
                           double* U) {
  time_ = time;
  q_ = Eigen::Map<const Vector>(y, q_.size());
  v_ = Eigen::Map<const Vector>(y + q_.size(), q_.size());
  undefined_ = Undefined::Masses;
  if (!solver_->factor(q_)) return false;
  undefined_ = Undefined::No;
  const int m = system_.contacts();
  system_.gaps(q_, gaps_);
  std::copy(gaps_.begin(), gaps_.end(), gap);
  for (int i = 0; i < m; ++i) {
    loaded_[i] = loaded[i];
    if (loaded[i] == 0 && !all) continue;
    system_.gradient(i, q_, x_);
    U[i] = x_.dot(v_);
    if (all) {
      gap_noise_[i] = kGapNoise * x_.cwiseAbs().dot(q_.cwiseAbs()) + kLeastGap * length_unit_;
      rate_noise_[i] = kRateNoise * x_.cwiseAbs().dot(v_.cwiseAbs());
    }
    if (loaded[i] == 0) continue;
    H_.col(i) = x_;
    if (!rows_.acts(i)) continue;
    system_.tangents(i, q_, H_.middleCols(m + rows_.row(i), rows_.size(i)));
    for (int k = m + rows_.row(i); k < m + rows_.row(i) + rows_.size(i); ++k) {
      U[k] = H_.col(k).dot(v_);
    }
  }
  return true;
}

bool MovingMechanism::slope(const double* forces, double* out) {
  const int m = system_.contacts();
  system_.force(time_, q_, v_, x_);
  for (int i = 0; i < m; ++i) {
    if (loaded_[i] == 0) continue;
    x_ += forces[i] * H_.col(i);
    for (int k = m + rows_.row(i); k < m + rows_.row(i) + rows_.size(i); ++k) {
      x_ += forces[k] * H_.col(k);
    }
  }
  solver_->solve(x_);
  std::copy(v_.begin(), v_.end(), out);
  std::copy(x_.begin(), x_.end(), out + q_.size());
  undefined_ = x_.allFinite() ? Undefined::No : Undefined::Forces;
  return undefined_ == Undefined::No;
}

/// Ṫᵀ v of the tangential rows: a central difference along v.
void MovingMechanism::turning(double* out) {
  std::fill_n(out, rows_.tangential(), 0.0);
  if (v_.isZero(0.0)) return;
  constexpr double kPart = 1e-3;  // of a compression, in which bodies hardly turn
  const double step = kPart * time_unit_;
  for (const double way : {step, -step}) {
    y_ = q_ + way * v_;
    for (int i = 0; i < system_.contacts(); ++i) {
      if (loaded_[i] == 0 || !rows_.acts(i)) continue;
      const auto T = T_.leftCols(rows_.size(i));
      system_.tangents(i, y_, T_.leftCols(rows_.size(i)));
      for (int d = 0; d < rows_.size(i); ++d) {
        out[rows_.row(i) + d] += T.col(d).dot(v_) / (2.0 * way);
      }
    }
  }
}

void MovingMechanism::accelerations(const double* slope, double* a) {
  const int m = system_.contacts();
  const Eigen::Map<const Vector> acceleration(slope + q_.size(), q_.size());
  for (int i = 0; i < m; ++i) {
    a[i] = 0.0;
    if (loaded_[i] == 0) continue;
    a[i] = H_.col(i).dot(acceleration) + system_.gap_curvature(i, q_, v_);
  }
  Eigen::Map<Vector> tangential(a + m, rows_.tangential());
  turning(tangential.data());
  for (int i = 0; i < m; ++i) {
    if (loaded_[i] == 0) continue;
    for (int k = rows_.row(i); k < rows_.row(i) + rows_.size(i); ++k) {
      tangential[k] += H_.col(m + k).dot(acceleration);
    }
  }
}

void MovingMechanism::drive(const double* F, double* c) {
  const int m = system_.contacts();
  system_.force(time_, q_, v_, x_);
  for (int i = 0; i < m; ++i) {
    if (loaded_[i] != 0) x_ += F[i] * H_.col(i);
  }
  solver_->solve(x_);
  Eigen::Map<Vector> out(c, rows_.tangential());
  turning(c);
  for (int i = 0; i < m; ++i) {
    if (loaded_[i] == 0) continue;
    for (int k = rows_.row(i); k < rows_.row(i) + rows_.size(i); ++k) {
      out[k] += H_.col(m + k).dot(x_);
    }
  }
}

contact::Mobility MovingMechanism::mobility() {
  const int m = system_.contacts();
  A_.setZero();
  for (int i = 0; i < m; ++i) {
    for (int k = rows_.row(i); k < rows_.row(i) + rows_.size(i); ++k) {
      if (loaded_[i] == 0) continue;
      x_ = H_.col(m + k);
      solver_->solve(x_);
      for (int j = 0; j < m; ++j) {
        if (loaded_[j] == 0) continue;
        for (int l = rows_.row(j); l < rows_.row(j) + rows_.size(j); ++l) {
          A_(l, k) = H_.col(m + l).dot(x_);
        }
      }
    }
  }
  A_ = (0.5 * (A_ + A_.transpose())).eval();
  return {.first = A_.data(), .stride = A_.outerStride()};
}

void MovingMechanism::respond(const double* p, double* change) {
  const int m = system_.contacts();
  x_.setZero();
  for (int i = 0; i < m; ++i) {
    if (loaded_[i] == 0) continue;
    for (int k = rows_.row(i); k < rows_.row(i) + rows_.size(i); ++k) x_ += p[k] * H_.col(m + k);
  }
  solver_->solve(x_);
  for (int j = 0; j < q_.size(); ++j) change[q_.size() + j] += x_[j];
}

void MovingMechanism::sense(int k, double* row) {
  Eigen::Map<Vector>(row + q_.size(), q_.size()) = H_.col(system_.contacts() + k);
}

double MovingMechanism::effective_mass(int i) {
  system_.gradient(i, q_, x_);
  y_ = x_;
  solver_->solve(y_);
  return 1.0 / x_.dot(y_);
}

// ------------------------------------------------------------------------------- gaps within a
// step

/// h″ = ∇h · a + vᵀ ∇²h v, and the rate h′ = ∇h · v.
double MovingMechanism::gap_acceleration(int i, const Vector& q, const Vector& v, const Vector& a,
                                         double& rate) {
  system_.gradient(i, q, x_);
  rate = x_.dot(v);
  return x_.dot(a) + system_.gap_curvature(i, q, v);
}

/// Far ends of a body that turns move on circles, whatever the step of its centre: errors of q and
/// v do not tell how long a step may be. On the parabola q + s v + ½ s² a that the step begins
/// with, the trapezoidal rule with its first correction,
///
///     h₁ = h₀ + ½ s (h₀′ + h₁′) + s²/12 (h₀″ − h₁″) + O(s⁵),
///
/// has an error of 1e-3 of its terms where the motion turns by about 1 rad. A whole turn looks like
/// none from its ends; half of it does not.
bool MovingMechanism::gaps_are_smooth(const double* y, const double* slope,
                                      const std::vector<char>& open, double h) {
  constexpr double kPart = 1e-3;
  const Eigen::Index n = q_.size();
  const Vector q = Eigen::Map<const Vector>(y, n);
  const Vector v = Eigen::Map<const Vector>(y + n, n);
  const Vector a = Eigen::Map<const Vector>(slope + n, n);
  const int m = system_.contacts();
  Vector gaps(m);
  Vector ahead(m);
  Vector rates = Vector::Zero(m);
  Vector bends = Vector::Zero(m);
  system_.gaps(q, gaps);
  for (int i = 0; i < m; ++i) {
    if (open[static_cast<std::size_t>(i)] != 0) bends[i] = gap_acceleration(i, q, v, a, rates[i]);
  }
  for (const double s : {h, 0.5 * h}) {
    const Vector q1 = q + s * (v + 0.5 * s * a);
    const Vector v1 = v + s * a;
    system_.gaps(q1, ahead);
    for (int i = 0; i < m; ++i) {
      if (open[static_cast<std::size_t>(i)] == 0) continue;
      double rate = 0.0;
      const double bend = gap_acceleration(i, q1, v1, a, rate);
      const double error =
          ahead[i] - gaps[i] - 0.5 * s * (rates[i] + rate) - s * s / 12.0 * (bends[i] - bend);
      const double terms = std::max(std::min(gaps[i], ahead[i]), 0.0) +
                           s * (std::abs(rates[i]) + std::abs(rate)) +
                           s * s * (std::abs(bends[i]) + std::abs(bend));
      if (std::abs(error) <= kPart * terms) continue;
      // Rounding of the gaps, and of rates that cancel.
      constexpr double kRounding = 64.0 * std::numeric_limits<double>::epsilon();
      const Vector size = q1.cwiseAbs() + q.cwiseAbs() + s * (v.cwiseAbs() + v1.cwiseAbs());
      const double noise = kRounding * x_.cwiseAbs().dot(size);
      if (!(std::abs(error) <= kPart * terms + noise)) return false;
    }
  }
  return true;
}

/// √(xᵀ M x)
double MovingMechanism::length(const double* x) {
  x_ = Eigen::Map<const Vector>(x, q_.size());
  solver_->multiply(x_, y_);
  return std::sqrt(std::max(x_.dot(y_), 0.0));
}

void MovingMechanism::measure(const double* y) {
  speed_ = std::max(speed_, length(y + q_.size()));
}

/// Velocities count by kinetic energy; positions by what velocities make of them in a step.
double MovingMechanism::norm(const double* error, double step) {
  const double unit = std::max(speed_, 1e-300);
  return std::max(length(error + q_.size()), length(error) / step) / unit;
}

}  // namespace percute::simulation

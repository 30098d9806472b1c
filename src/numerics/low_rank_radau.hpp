// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "numerics/radau_table.hpp"

#include <percute/numerics/linear_algebra.hpp>

#include <Eigen/LU>

#include <array>
#include <cmath>
#include <limits>

namespace percute::numerics {

/// One step of Radau IIA, order 9, for y' = f(x, y) that is stiff in few directions: J = B D(y) C,
/// with B and C frozen over the step and D exact in every stage. Newton's method needs 5 r unknowns
/// for the rank r of the stiff part; what is not stiff converges by itself. (numerics::Radau solves
/// with the whole Jacobian; the referee of friction uses it, which shares nothing with what it
/// judges.)
///
/// The right-hand side is any type with
///     bool slope(double x, double* y, double* out)
///     void stiff_frame(Matrix& B, Matrix& C)   at the state of the last slope(): n × r and r × n
///     void stiff_part(Matrix& D)               at the state of the last slope(): r × r
///     double norm(const double* error)         relative to the tolerance
/// and, where C changes by itself,
///     void stiff_drift(const double* slope, Vector& c)   Ċ y where the last step ended, r
class LowRankRadau {
 public:
  static constexpr int kStages = RadauTable::kStages;

  void resize(int n) {
    y1_.setZero(n);
    f0_.setZero(n);
    F_.setZero(n, kStages);
    Z_.setZero(n, kStages);
  }

  const double* end() const { return y1_.data(); }
  /// The collocation polynomial of the last step from y, of order 5.
  void interpolate(double theta, const double* y, double* out) const {
    const auto node = [](int i) { return i == 0 ? 0.0 : RadauTable::kNodes[i - 1]; };
    Eigen::Map<Vector> value(out, y1_.size());
    value = Eigen::Map<const Vector>(y, y1_.size());
    for (int i = 1; i <= kStages; ++i) {
      double weight = 1.0;
      for (int j = 0; j <= kStages; ++j) {
        if (j != i) weight *= (theta - node(j)) / (node(i) - node(j));
      }
      value += weight * Z_.col(i - 1);
    }
  }

  /// Tries a step of length h from y. Returns the error relative to the tolerance, infinite where
  /// Newton's method fails. `restart`: no step of this length has been taken before.
  template <class Rhs>
  double attempt(Rhs& rhs, double x, double h, const double* y, bool restart) {
    constexpr double kFailed = std::numeric_limits<double>::infinity();
    constexpr double kGamma = RadauTable::kStart;
    const Eigen::Map<const Vector> start(y, y1_.size());
    y1_ = start;
    if (!rhs.slope(x, y1_.data(), f0_.data())) return kFailed;
    rhs.stiff_frame(B_, C_);
    CB_.noalias() = C_ * B_;
    rhs.stiff_part(D0_);
    drift_.setZero(CB_.rows());
    if constexpr (requires { rhs.stiff_drift(f0_.data(), drift_); }) {
      rhs.stiff_drift(f0_.data(), drift_);
    }
    // A plain Euler step would overshoot.
    for (int i = 0; i < kStages; ++i) {
      const double part = RadauTable::kNodes[i] * h;
      Z_.col(i) = damped(part, part * f0_, part * drift_);
    }
    if (!iterate(rhs, x, h, start)) return kFailed;
    y1_ = start + Z_.col(kStages - 1);
    const Vector z = Z_ * (radau_table().inverse.transpose() * radau_table().estimate);
    drift_.setZero();
    Vector error = damped(h * kGamma, kGamma * h * f0_ + z, drift_);
    double size = rhs.norm(error.data());
    if (size > 1.0 && restart) {
      Vector moved = start + error;
      Vector slope(start.size());
      if (!rhs.slope(x, moved.data(), slope.data())) return kFailed;
      error = damped(h * kGamma, kGamma * h * slope + z, drift_);
      size = rhs.norm(error.data());
    }
    return size;
  }

 private:
  /// (1 − t J)⁻¹ b at the start of the step, where C y changes by c besides.
  Vector damped(double t, const Vector& b, const Vector& c) {
    const Matrix K = Matrix::Identity(CB_.rows(), CB_.rows()) - t * CB_ * D0_;
    return b + t * (B_ * (D0_ * K.partialPivLu().solve(C_ * b + c)));
  }

  template <class Rhs>
  bool iterate(Rhs& rhs, double x, double h, const Vector& start) {
    constexpr double kSmall = 1e-3;  // of the tolerance
    constexpr double kNoise = 0.1;   // below it corrections that do not fall are rounding
    constexpr int kMost = 15;
    constexpr int kPatience = 7;  // steps in which it may be far from quadratic
    const RadauTable& table = radau_table();
    const Eigen::Index r = CB_.rows();
    double last = std::numeric_limits<double>::infinity();
    for (int step = 0; step < kMost; ++step) {
      Matrix K = Matrix::Identity(kStages * r, kStages * r);
      std::array<Matrix, kStages> D;
      for (int j = 0; j < kStages; ++j) {
        y1_ = start + Z_.col(j);
        if (!rhs.slope(x + RadauTable::kNodes[j] * h, y1_.data(), F_.col(j).data())) return false;
        rhs.stiff_part(D[j]);
        const Matrix part = h * CB_ * D[j];
        for (int i = 0; i < kStages; ++i) K.block(i * r, j * r, r, r) -= table.a(i, j) * part;
      }
      const Matrix R = h * F_ * table.a.transpose() - Z_;
      Vector w(kStages * r);
      for (int i = 0; i < kStages; ++i) w.segment(i * r, r) = C_ * R.col(i);
      w = K.partialPivLu().solve(w);
      Matrix turned(r, kStages);  // D w
      for (int j = 0; j < kStages; ++j) turned.col(j) = D[j] * w.segment(j * r, r);
      const Matrix change = R + h * B_ * (turned * table.a.transpose());
      Z_ += change;
      double moved = 0.0;
      for (int i = 0; i < kStages; ++i) moved = std::max(moved, rhs.norm(change.col(i).data()));
      if (!std::isfinite(moved)) return false;
      if (moved <= kSmall || (moved <= kNoise && moved > 0.5 * last)) return true;
      if (step > kPatience && moved > 0.9 * last) return false;
      last = moved;
    }
    return false;
  }

  Vector y1_;  ///< end of the step
  Vector f0_;  ///< slope at its start
  Matrix F_;   ///< slopes of the stages
  Matrix Z_;   ///< y − y0 of the stages
  Matrix B_;
  Matrix C_;
  Matrix CB_;
  Matrix D0_;  ///< at the start
  Vector drift_;
};

}  // namespace percute::numerics

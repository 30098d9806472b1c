// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/numerics/linear_algebra.hpp>

#include <Eigen/LU>

#include <array>
#include <cmath>
#include <limits>

namespace percute::numerics {

/// One step of Radau IIA, order 5 (Hairer, Wanner, Solving ODEs II, IV.8), for y' = f(x, y) that is
/// stiff in few directions: J = B D(y) C, with B and C frozen over the step and D exact in every
/// stage. Newton's method needs 3 r unknowns for the rank r of the stiff part; what is not stiff
/// converges by itself. (numerics::Radau solves with the whole Jacobian; the referee of friction
/// uses it, which shares nothing with what it judges.)
///
/// The right-hand side is any type with
///     bool slope(double x, double* y, double* out)
///     void stiff_frame(Matrix& B, Matrix& C)   at the state of the last slope(): n × r and r × n
///     void stiff_part(Matrix& D)               at the state of the last slope(): r × r
///     double norm(const double* error)         relative to the tolerance
class LowRankRadau {
 public:
  void resize(int n) {
    y1_.setZero(n);
    f0_.setZero(n);
    F_.setZero(n, 3);
    Z_.setZero(n, 3);
  }

  const double* end() const { return y1_.data(); }

  /// Tries a step of length h from y. Returns the error relative to the tolerance, infinite where
  /// Newton's method fails. `restart`: no step of this length has been taken before.
  template <class Rhs>
  double attempt(Rhs& rhs, double x, double h, const double* y, bool restart) {
    constexpr double kFailed = std::numeric_limits<double>::infinity();
    const Eigen::Map<const Vector> start(y, y1_.size());
    y1_ = start;
    if (!rhs.slope(x, y1_.data(), f0_.data())) return kFailed;
    rhs.stiff_frame(B_, C_);
    CB_.noalias() = C_ * B_;
    rhs.stiff_part(D0_);
    // A plain Euler step would overshoot.
    for (int i = 0; i < 3; ++i) Z_.col(i) = damped(kC[i] * h, kC[i] * h * f0_);
    if (!iterate(rhs, x, h, start)) return kFailed;
    y1_ = start + Z_.col(2);
    const Vector z = kE[0] * Z_.col(0) + kE[1] * Z_.col(1) + kE[2] * Z_.col(2);
    Vector error = damped(h * kGamma, kGamma * (h * f0_ + z));
    double size = rhs.norm(error.data());
    if (size > 1.0 && restart) {
      Vector moved = start + error;
      Vector slope(start.size());
      if (!rhs.slope(x, moved.data(), slope.data())) return kFailed;
      error = damped(h * kGamma, kGamma * (h * slope + z));
      size = rhs.norm(error.data());
    }
    return size;
  }

  /// The collocation polynomial of the last step from y, of order 3.
  void interpolate(double theta, const double* y, double* out) const {
    const std::array<double, 4> node{0.0, kC[0], kC[1], kC[2]};
    Eigen::Map<Vector> value(out, y1_.size());
    value = Eigen::Map<const Vector>(y, y1_.size());
    for (int i = 1; i < 4; ++i) {
      double weight = 1.0;
      for (int j = 0; j < 4; ++j) {
        if (j != i) weight *= (theta - node[j]) / (node[i] - node[j]);
      }
      value += weight * Z_.col(i - 1);
    }
  }

 private:
  // Nodes c, matrix a, and the embedded error estimate of the method.
  inline static const double kRoot = std::sqrt(6.0);
  inline static const std::array<double, 3> kC{(4.0 - kRoot) / 10.0, (4.0 + kRoot) / 10.0, 1.0};
  inline static const std::array<std::array<double, 3>, 3> kA{
      {{(88.0 - 7.0 * kRoot) / 360.0, (296.0 - 169.0 * kRoot) / 1800.0,
        (-2.0 + 3.0 * kRoot) / 225.0},
       {(296.0 + 169.0 * kRoot) / 1800.0, (88.0 + 7.0 * kRoot) / 360.0,
        (-2.0 - 3.0 * kRoot) / 225.0},
       {(16.0 - kRoot) / 36.0, (16.0 + kRoot) / 36.0, 1.0 / 9.0}}};
  inline static const std::array<double, 3> kE{(-13.0 - 7.0 * kRoot) / 3.0,
                                               (-13.0 + 7.0 * kRoot) / 3.0, -1.0 / 3.0};
  inline static const double kGamma = (6.0 + std::cbrt(81.0) - std::cbrt(9.0)) / 30.0;

  /// (1 − t J)⁻¹ b at the start of the step.
  Vector damped(double t, const Vector& b) {
    const Matrix K = Matrix::Identity(CB_.rows(), CB_.rows()) - t * CB_ * D0_;
    return b + t * (B_ * (D0_ * K.partialPivLu().solve(C_ * b)));
  }

  template <class Rhs>
  bool iterate(Rhs& rhs, double x, double h, const Vector& start) {
    constexpr double kSmall = 1e-3;  // of the tolerance
    constexpr int kMost = 15;
    constexpr int kPatience = 7;  // steps in which it may be far from quadratic
    const Eigen::Index r = CB_.rows();
    double last = std::numeric_limits<double>::infinity();
    for (int step = 0; step < kMost; ++step) {
      Matrix K = Matrix::Identity(3 * r, 3 * r);
      std::array<Matrix, 3> D;
      for (int j = 0; j < 3; ++j) {
        y1_ = start + Z_.col(j);
        if (!rhs.slope(x + kC[j] * h, y1_.data(), F_.col(j).data())) return false;
        rhs.stiff_part(D[j]);
        for (int i = 0; i < 3; ++i) K.block(i * r, j * r, r, r) -= h * kA[i][j] * CB_ * D[j];
      }
      Matrix R = -Z_;
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) R.col(i) += h * kA[i][j] * F_.col(j);
      }
      Vector w(3 * r);
      for (int i = 0; i < 3; ++i) w.segment(i * r, r) = C_ * R.col(i);
      w = K.partialPivLu().solve(w);
      double moved = 0.0;
      for (int i = 0; i < 3; ++i) {
        Vector change = R.col(i);
        for (int j = 0; j < 3; ++j) change += h * kA[i][j] * (B_ * (D[j] * w.segment(j * r, r)));
        Z_.col(i) += change;
        moved = std::max(moved, rhs.norm(change.data()));
      }
      if (!std::isfinite(moved)) return false;
      if (moved <= kSmall) return true;
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
};

}  // namespace percute::numerics

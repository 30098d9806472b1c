// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "numerics/low_rank_radau.hpp"

#include "numerics/triangular_factors.hpp"

#include <Eigen/LU>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace percute::numerics {

RadauTable::RadauTable() {
  using Wide = Eigen::Matrix<long double, kStages, kStages>;
  Wide powers;
  Wide integrals;
  for (int j = 0; j < kStages; ++j) {
    long double power = 1.0L;
    for (int q = 0; q < kStages; ++q) {
      powers(q, j) = power;
      power *= kNodes[j];
      integrals(j, q) = power / (q + 1);
    }
  }
  const Wide of_powers = powers.inverse();
  const Wide weights = integrals * of_powers.transpose();
  a = weights.cast<double>();
  inverse = weights.inverse().cast<double>();
  estimate = (-kStart * of_powers.col(0)).cast<double>();
}

const RadauTable& radau_table() {
  static const RadauTable table;
  return table;
}

void LowRankRadau::interpolate(double theta, const double* y, double* out) const {
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

double LowRankRadau::attempt(StiffClient& rhs, double x, double h, const double* y, bool restart) {
  constexpr double kFailed = std::numeric_limits<double>::infinity();
  constexpr double kGamma = RadauTable::kStart;
  const Eigen::Map<const Vector> start(y, y1_.size());
  y1_ = start;
  if (!rhs.slope(x, y1_.data(), f0_.data())) return kFailed;
  rhs.stiff_frame(B_, C_);
  CB_.noalias() = C_ * B_;
  rhs.stiff_part(D0_);
  drift_.setZero(CB_.rows());
  rhs.stiff_drift(f0_.data(), drift_);
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
  if (!error.allFinite()) return kFailed;
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

/// (1 − t J)⁻¹ b at the start of the step, where C y changes by c besides.
Vector LowRankRadau::damped(double t, const Vector& b, const Vector& c) const {
  Matrix K = -t * CB_ * D0_;
  K.diagonal().array() += 1.0;
  DenseLU factors;
  if (!factors.compute(std::move(K))) return Vector::Constant(b.size(), NAN);
  return b + t * (B_ * (D0_ * factors.solve(C_ * b + c)));
}

bool LowRankRadau::iterate(StiffClient& rhs, double x, double h, const Vector& start) {
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
    DenseLU factors;
    if (!factors.compute(std::move(K))) return false;
    w = factors.solve(std::move(w));
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

}  // namespace percute::numerics

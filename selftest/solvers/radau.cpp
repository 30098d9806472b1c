// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "selftest/solvers/radau.hpp"

#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <utility>

namespace percute::selftest {

namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

/// What is orthogonal to two vectors.
Vector3d across(const Vector3d& a, const Vector3d& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// A⁻¹ = T Λ T⁻¹, Λ = (γ, 0, 0; 0, α, −β; 0, β, α).
struct Tableau {
  Matrix3d inverse;  ///< A⁻¹
  double gamma = 0.0;
  double alpha = 0.0;
  double beta = 0.0;
  Matrix3d T;
  Matrix3d into;      ///< T⁻ᵀ
  Vector3d estimate;  ///< of the error: weights of the stages, beside h f(y)/γ

  Tableau() {
    const double s = std::sqrt(6.0);
    Matrix3d A;
    A << (88.0 - 7.0 * s) / 360.0, (296.0 - 169.0 * s) / 1800.0, (-2.0 + 3.0 * s) / 225.0,
        (296.0 + 169.0 * s) / 1800.0, (88.0 + 7.0 * s) / 360.0, (-2.0 - 3.0 * s) / 225.0,
        (16.0 - s) / 36.0, (16.0 + s) / 36.0, 1.0 / 9.0;
    inverse = A.inverse();
    // 60 det(λ A − I) = λ³ − 9 λ² + 36 λ − 60, of which γ = 3 − 3^(1/3) + 3^(2/3) is a root.
    const double root = std::cbrt(3.0);
    gamma = 3.0 - root + root * root;
    alpha = (9.0 - gamma) / 2.0;
    beta = std::sqrt(60.0 / gamma - alpha * alpha);
    const Matrix3d shifted = inverse - gamma * Matrix3d::Identity();
    const Vector3d onto = across(shifted.col(0), shifted.col(1));
    const Vector3d first = across(onto, Vector3d::UnitZ());
    T.col(0) = across(shifted.row(0).transpose(), shifted.row(1).transpose()).normalized();
    T.col(1) = first.normalized();
    T.col(2) = (inverse * T.col(1) - alpha * T.col(1)) / beta;
    into = T.inverse().transpose();
    estimate << (-13.0 - 7.0 * s) / 3.0, (-13.0 + 7.0 * s) / 3.0, -1.0 / 3.0;
  }
};

const Tableau& tableau() {
  static const Tableau kTableau;
  return kTableau;
}

}  // namespace

Radau::Radau(const StiffSystem& system, Vector start) : system_(system) {
  restart(std::move(start));
}

void Radau::restart(Vector state) {
  y_ = std::move(state);
  slope_.resize(y_.size());
  J_.resize(y_.size(), y_.size());
  Z_.resize(y_.size(), 3);
  system_.slope(y_, slope_);
  system_.jacobian(y_, J_);
  h_ = 0.0;
}

bool Radau::factorise(double h) {
  const Eigen::Index n = y_.size();
  const Tableau& t = tableau();
  Matrix real = -h * J_;
  Matrix pair = Matrix::Zero(2 * n, 2 * n);
  pair.topLeftCorner(n, n) = real;
  pair.bottomRightCorner(n, n) = real;
  pair.diagonal().array() += t.alpha;
  pair.bottomLeftCorner(n, n).diagonal().array() += t.beta;
  pair.topRightCorner(n, n).diagonal().array() -= t.beta;
  real.diagonal().array() += t.gamma;
  const bool regular = real_.compute(std::move(real)) && pair_.compute(std::move(pair));
  h_ = regular ? h : 0.0;
  return regular;
}

bool Radau::iterate(double h) {
  constexpr int kMost = 12;
  constexpr double kSmall = 1e-2;  // of the tolerance: no more than its error adds
  const Tableau& t = tableau();
  Matrix F(y_.size(), 3);
  Vector f(y_.size());
  double before = 0.0;
  for (int k = 0; k < kMost; ++k) {
    for (int i = 0; i < 3; ++i) {
      system_.slope(y_ + Z_.col(i), f);
      F.col(i) = f;
    }
    // Residuals h F − Z A⁻ᵀ, in the columns in which A⁻¹ is Λ.
    Matrix step = (h * F - Z_ * t.inverse.transpose()) * t.into;
    step.col(0) = real_.solve(step.col(0));
    step.rightCols(2).reshaped() = pair_.solve(step.rightCols(2).reshaped());
    step *= t.T.transpose();
    Z_ += step;
    double now = 0.0;
    for (int i = 0; i < 3; ++i) now = std::max(now, system_.norm(step.col(i)));
    if (!std::isfinite(now)) return false;
    if (now < kSmall) return true;
    // Two iterations that gain nothing: kinks of f make single ones worse.
    if (k > 3 && now > 0.9 * before) return false;
    before = now;
  }
  return false;
}

bool Radau::attempt(double h) {
  if (h != h_ && !factorise(h)) return false;
  Z_.setZero();
  return iterate(h);
}

double Radau::error() const {
  // (I − h J/γ)⁻¹ (h f(y) + Σ e_i z_i)/γ.
  const Vector raw = h_ * slope_ + Z_ * tableau().estimate;
  const Vector filtered = real_.solve(raw);
  const double size = system_.norm(filtered);
  if (size <= 1.0) return size;
  // Stiff components make it far too large at first: filtered once more.
  Vector f(y_.size());
  system_.slope(y_ + filtered, f);
  return system_.norm(real_.solve(h_ * f + Z_ * tableau().estimate));
}

void Radau::accept() {
  restart(y_ + Z_.col(2));
}

}  // namespace percute::selftest

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "numerics/radau.hpp"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <utility>

namespace percute::numerics {

namespace {

using Eigen::Matrix3d;
using Eigen::Vector3cd;
using Eigen::Vector3d;
using Complex = std::complex<double>;

/// A⁻¹ = T diag(λ) T⁻¹, its real eigenvalue and one of the conjugate pair.
struct Tableau {
  Matrix3d inverse;    ///< A⁻¹
  double real = 0.0;   ///< λ
  Vector3d along;      ///< of the real one: column of T
  Vector3d onto;       ///< and row of T⁻¹
  Complex pair = 0.0;  ///< λ with a positive imaginary part
  Vector3cd along_pair;
  Vector3cd onto_pair;
  Vector3d estimate;  ///< of the error: weights of the stages, beside h f(y)/λ

  Tableau() {
    const double s = std::sqrt(6.0);
    Matrix3d A;
    A << (88.0 - 7.0 * s) / 360.0, (296.0 - 169.0 * s) / 1800.0, (-2.0 + 3.0 * s) / 225.0,
        (296.0 + 169.0 * s) / 1800.0, (88.0 + 7.0 * s) / 360.0, (-2.0 - 3.0 * s) / 225.0,
        (16.0 - s) / 36.0, (16.0 + s) / 36.0, 1.0 / 9.0;
    inverse = A.inverse();
    const Eigen::EigenSolver<Matrix3d> eigen(inverse);
    const Eigen::Matrix3cd T = eigen.eigenvectors();
    const Eigen::Matrix3cd rows = T.inverse();
    for (int k = 0; k < 3; ++k) {
      const Complex value = eigen.eigenvalues()[k];
      if (std::abs(value.imag()) < 1e-8) {
        real = value.real();
        // The eigenvector is real up to a factor, which the row of T⁻¹ undoes.
        const Complex factor = std::abs(T(2, k)) / T(2, k);
        along = (T.col(k) * factor).real();
        onto = (rows.row(k).transpose() / factor).real();
      } else if (value.imag() > 0.0) {
        pair = value;
        along_pair = T.col(k);
        onto_pair = rows.row(k).transpose();
      }
    }
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

void Radau::factorise(double h) {
  const Eigen::Index n = y_.size();
  const Matrix one = Matrix::Identity(n, n);
  real_.compute(tableau().real * one - h * J_);
  complex_.compute(tableau().pair * one.cast<Complex>() - (h * J_).cast<Complex>());
  h_ = h;
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
    // Residuals R = h F − Z A⁻ᵀ, one column for each eigenvalue.
    const Matrix R = h * F - Z_ * t.inverse.transpose();
    const Vector w = real_.solve(R * t.onto);
    const Eigen::VectorXcd c = complex_.solve(R.cast<Complex>() * t.onto_pair);
    const Matrix step = w * t.along.transpose() + 2.0 * (c * t.along_pair.transpose()).real();
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
  if (h != h_) factorise(h);
  Z_.setZero();
  return iterate(h);
}

double Radau::error() const {
  // (I − h J/λ)⁻¹ (h f(y) + Σ e_i z_i)/λ; λ is that of the real factor, which has λ I − h J.
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

}  // namespace percute::numerics

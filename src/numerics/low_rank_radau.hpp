// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/numerics/linear_algebra.hpp>

#include <array>
#include <cmath>

namespace percute::numerics {

/// Collocation at the five points of Radau: method IIA, order 9 (Hairer and Wanner, Solving
/// Ordinary Differential Equations II, IV.5 and IV.8).
struct RadauTable {
  static constexpr int kStages = 5;
  using Square = Eigen::Matrix<double, kStages, kStages>;
  using Row = Eigen::Matrix<double, kStages, 1>;

  /// Zeros of d⁴/dc⁴ c⁴ (c − 1)⁵.
  static constexpr std::array<double, kStages> kNodes{
      0.05710419611451768219312119, 0.2768430136381238276800460, 0.5835904323689168200566977,
      0.8602401356562194478479129, 1.0};
  /// Weight γ of the slope at the start in the error estimate: one over the real eigenvalue of a⁻¹,
  /// as Hairer and Wanner choose it (IV.8).
  static constexpr double kStart = 1.0 / 6.286704751729317;

  Square a;        ///< Σ_j a_kj c_j^(q−1) = c_k^q/q
  Square inverse;  ///< a⁻¹
  Row estimate;    ///< Σ_j d_j c_j^(q−1) = −γ for q = 1, else 0: γ f₀ + Σ_j d_j f_j has order 5

  /// Factor by which a step of this error could have been longer.
  static double growth(double error) { return std::pow(error, -1.0 / (kStages + 1)); }

  RadauTable();
};

const RadauTable& radau_table();

/// A right-hand side that is stiff in few directions.
class StiffClient {
 public:
  virtual ~StiffClient() = default;
  virtual bool slope(double x, double* y, double* out) = 0;
  virtual void stiff_frame(Matrix& B, Matrix& C) = 0;  ///< n × r and r × n, where slope() was last
  virtual void stiff_part(Matrix& D) = 0;              ///< r × r, likewise
  /// Ċ y where slope() was last, if C changes by itself; r.
  virtual void stiff_drift(const double* /*slope*/, Vector& /*c*/) {}
  virtual double norm(const double* error) = 0;  ///< relative to the tolerance
};

/// One step of Radau IIA, order 9, for y' = f(x, y) that is stiff in few directions: J = B D(y) C,
/// with B and C frozen over the step and D exact in every stage. Newton's method needs 5 r unknowns
/// for the rank r of the stiff part; what is not stiff converges by itself. (numerics::Radau solves
/// with the whole Jacobian; the referee of friction uses it, which shares nothing with what it
/// judges.)
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
  void interpolate(double theta, const double* y, double* out) const;

  /// Tries a step of length h from y. Returns the error relative to the tolerance, infinite where
  /// Newton's method fails. `restart`: no step of this length has been taken before.
  double attempt(StiffClient& rhs, double x, double h, const double* y, bool restart);

 private:
  Vector damped(double t, const Vector& b, const Vector& c) const;
  bool iterate(StiffClient& rhs, double x, double h, const Vector& start);

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

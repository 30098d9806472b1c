// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "numerics/triangular_factors.hpp"

#include <percute/numerics/linear_algebra.hpp>

namespace percute::selftest {

/// What Radau integrates: y' = f(y), its derivative, and how errors are measured.
class StiffSystem {
 public:
  virtual ~StiffSystem() = default;
  virtual void slope(const Vector& y, Vector& f) const = 0;
  virtual void jacobian(const Vector& y, Matrix& J) const = 0;
  /// Of a difference of two states, in units of the tolerance.
  virtual double norm(const Vector& difference) const = 0;
};

/// Radau IIA with three stages (Hairer, Wanner, Solving Ordinary Differential Equations II, IV.8):
/// order 5, and B-stable, so that solutions of a monotone system, such as friction, never part.
///
///     z_i = h Σ_j a_ij f(y + z_j),    y ← y + z_3,
///
/// by Newton's method with the Jacobian at the start of the step; A⁻¹ has one real eigenvalue γ and
/// a conjugate pair α ± iβ, so that each iteration solves with γ I − h J, and for the pair with
/// twice as many real unknowns. The caller keeps the step: it attempts one, judges the error, and
/// accepts it or tries another.
class Radau {
 public:
  Radau(const StiffSystem& system, Vector start);

  /// False where Newton's method does not converge: h is too long.
  bool attempt(double h);
  /// Of the last attempt, by the estimate of order 3 filtered by (I − h J/γ)⁻¹.
  double error() const;
  void accept();
  /// Goes on from another state.
  void restart(Vector state);

  const Vector& state() const { return y_; }

 private:
  bool factorise(double h);
  bool iterate(double h);

  const StiffSystem& system_;
  Vector y_;
  Vector slope_;  ///< f(y)
  Matrix J_;
  double h_ = 0.0;
  Matrix Z_;                ///< stages, N × 3
  numerics::DenseLU real_;  ///< γ I − h J
  numerics::DenseLU pair_;  ///< (α I − h J, −β I; β I, α I − h J)
};

}  // namespace percute::selftest

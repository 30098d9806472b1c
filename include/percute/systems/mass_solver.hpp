// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/numerics/linear_algebra.hpp>

namespace percute::systems {

/// Solves with the mass matrix of one system, in memory of its own: one per run. A system whose
/// structure allows better than a dense factor brings its own (MovingSystem, solver()).
class MassSolver {
 public:
  MassSolver() = default;
  MassSolver(const MassSolver&) = delete;
  MassSolver& operator=(const MassSolver&) = delete;
  virtual ~MassSolver() = default;

  /// Prepares multiply() and solve() with M(q). False if M is not positive definite there.
  virtual bool factor(const Vector& q) = 0;
  virtual void multiply(const Vector& x, Vector& y) = 0;  ///< y = M x
  virtual void solve(Vector& x) = 0;                      ///< x := M⁻¹ x

  /// ½ vᵀ M(q) v, at any q; leaves the factors alone.
  virtual double kinetic_energy(const Vector& q, const Vector& v) = 0;

  /// Prepares solve_stiffened() with M(q) + c K(q), K the stiffness of the system (0 where it is
  /// not known). False if that is not positive definite.
  virtual bool factor_stiffened(const Vector& q, double c) = 0;
  virtual void solve_stiffened(Vector& x) = 0;
};

}  // namespace percute::systems

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "contact/mechanism.hpp"

namespace percute::laws {

/// The bodies of an impact problem with frozen geometry: state (gaps, w), w = v − v⁻,
///
///     U = U⁻ + Hᵀ w,   ġ = U_n,   M ẇ = W F + T f.
///
/// Velocities are a state of their own, not M⁻¹ H P: where masses differ widely, rounding of the
/// large impulses would swamp the velocity of a light body. And only their change is: rounding of
/// what all bodies have in common would swamp how they move against each other.
class FrozenMechanism final : public contact::Mechanism {
 public:
  FrozenMechanism(const ImpactProblem& problem, const contact::FrictionRows& rows);

  const Vector& inverse_masses() const { return normal_mobility_; }  ///< G_ii
  /// Units of errors: of the gaps, and of all velocities of rows.
  void set_units(std::vector<double> lengths, double speed);

  int size() const override { return static_cast<int>(contacts_ + H_.rows()); }
  bool look(double time, const double* y, const char* loaded, bool all, double* gap,
            double* U) override;
  double gap_noise(int i) const override { return 1e-16 * lengths_[static_cast<std::size_t>(i)]; }
  bool slope(const double* forces, double* out) override;
  void accelerations(const double* slope, double* a) override;
  void drive(const double* F, double* c) override;
  contact::Mobility mobility() override;
  bool frozen() const override { return true; }
  void respond(const double* p, double* change) override;
  void sense(int k, double* row) override;
  double effective_mass(int i) override { return 1.0 / normal_mobility_[i]; }
  double norm(const double* error, double step) override;

 private:
  Eigen::Index contacts_;
  SparseMatrix H_;         ///< directions of all rows
  SparseMatrix response_;  ///< M⁻¹ H
  Vector normal_mobility_;
  Matrix A_;                   ///< Tᵀ M⁻¹ T
  Matrix tangents_, answers_;  ///< T, M⁻¹ T
  Vector before_;              ///< U⁻
  Vector U_;                   ///< at the state looked at last
  Vector rows_;                ///< scratch
  Vector v_;                   ///< scratch
  std::vector<double> lengths_;
  double speed_ = 1.0;
};

}  // namespace percute::laws

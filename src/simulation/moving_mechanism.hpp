// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "contact/mechanism.hpp"
#include "laws/compliant/contact_dynamics.hpp"
#include "simulation/scene.hpp"

#include <percute/systems/any_system.hpp>

#include <memory>
#include <vector>

namespace percute::simulation {

/// The bodies of a moving system: state (q, v),
///
///     q' = v,   M(q) v' = f(t, q, v) + Σ ∇h_i F_i + Σ T_i f_i.
class MovingMechanism final : public contact::Mechanism {
 public:
  /// Why the motion is not defined at the state looked at last.
  enum class Undefined { No, Masses, Forces };

  MovingMechanism(const systems::AnySystem& system, const contact::FrictionRows& rows);

  systems::MassSolver& solver() { return *solver_; }
  double speed() const { return speed_; }  ///< largest √(vᵀMv) so far
  void set_speed(double speed) { speed_ = judged_ = speed; }
  /// Of a compression, s, and of contacts, m/s.
  void set_units(double time, double speed) {
    units_.time = time;
    units_.speed = speed;
  }
  Undefined undefined() const { return seen_.undefined; }
  /// Gap of contact i at the state looked at last, and its rate where it has a force.
  double gap(int i) const { return seen_.gaps[i]; }
  double rate(int i) const { return H_.col(i).dot(seen_.state.v); }
  int size() const override { return static_cast<int>(2 * n()); }
  bool look(double time, const double* y, const char* loaded, bool all, double* gap,
            double* U) override;
  double gap_noise(int i) const override { return seen_.noise(i, 0); }
  double rate_noise(int i) const override { return seen_.noise(i, 1); }
  bool slope(const double* forces, double* out) override;
  void accelerations(const double* slope, double* a) override;
  void drive(const double* F, double* c) override;
  contact::Mobility mobility() override;
  bool frozen() const override { return false; }
  void respond(const double* p, double* change) override;
  void sense(int k, double* row) override;
  double effective_mass(int i) override;
  void measure(const double* y, bool accepted) override;
  double norm(const double* error, double step) override;

 private:
  /// The state looked at last.
  struct Seen {
    MotionState state;
    Undefined undefined = Undefined::No;
    std::vector<char> loaded;
    Vector gaps;
    Matrix noise;  ///< rounding of the gaps, and of their rates
  };

  Eigen::Index n() const { return seen_.state.q.size(); }
  bool loaded(int i) const { return seen_.loaded[static_cast<std::size_t>(i)] != 0; }
  /// Tangential rows of contacts with a force, counted after all contacts, as columns of H.
  template <class Each>
  void each_row(Each&& each) const {
    const int m = system_.contacts();
    for (int i = 0; i < m; ++i) {
      if (!loaded(i)) continue;
      for (int k = rows_.row(i); k < rows_.row(i) + rows_.size(i); ++k) each(m + k);
    }
  }
  void turning(double* out);
  double length(const double* x);

  const systems::AnySystem& system_;
  const contact::FrictionRows& rows_;
  std::unique_ptr<systems::MassSolver> solver_;
  double speed_ = 0.0;
  double judged_ = 0.0;  ///< with the end of the step being judged
  laws::ContactUnits units_{.speed = 0.0};
  Seen seen_;
  /// Gradients and tangents of contacts with a force, 0 elsewhere; two columns to spare.
  Matrix H_;
  Matrix A_;        ///< mobility of the tangential rows
  Matrix answers_;  ///< M⁻¹ of these rows
  Vector x_;        ///< memory to work in
  Vector y_;
};

}  // namespace percute::simulation

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "laws/lzb/contact_phases.hpp"
#include "laws/lzb/friction_modes.hpp"

#include <percute/numerics/runge_kutta.hpp>

#include <vector>

namespace percute::laws {

/// One step of an impact with friction, seen from both ends. State y = (ξ, P, P_t, D_t, τ):
///
///     dξ/dτ = −gain U_n,   dP/dτ = λ(ξ),   dP_t/dτ = f,   dD_t/dτ = −f·U_t,   U = U⁻ + A (P, P_t)
///
/// with phases and modes of friction frozen. The independent variable x is one of
///   * time:     τ = τ₀ + x^k, k = 2 where a contact with a fractional exponent starts;
///   * landing:  x = ξ_i^(1/k) runs down to 0, the opening of contact i;
///   * fading:   dτ = (|U_t,i|/s₀) dx. In space the direction of a contact that comes to a stop
///               settles like a power of its speed; in x the speed falls exponentially and nothing
///               is singular.
class FrictionStep {
 public:
  using RK = numerics::RungeKutta<numerics::DormandPrince8>;

  RK rk;
  FrictionModes modes;
  std::vector<double> U0, U1;  ///< all rows, at the start and at the end
  std::vector<double> a0, a1;  ///< dU/dτ

  void assign(const ImpactSetup& setup, const FrictionSetup& friction, const ContactPhases& phases,
              double tolerance);

  int impulses() const { return setup_->m; }  ///< first of P; P_t follows
  int losses() const { return setup_->m + friction_->rows; }
  int clock() const { return losses() + setup_->m; }
  double time() const { return rk.state()[clock()]; }
  double trial_time() const { return rk.trial()[clock()]; }
  long evaluations() const { return evaluations_; }
  void forget_evaluations() { evaluations_ = 0; }

  void use_time(int k);
  void use_landing(int i, double present_rate);
  void use_fading(int i);
  int landing() const { return landing_; }
  int fading() const { return fading_; }
  int radical() const { return k_; }

  /// Slope, U and a of the current state, in plain time.
  void start();
  /// Slope of the current state in the variable in use.
  void restart(double x) { evaluate(x, rk.state(), rk.slope()); }
  bool attempt(double x, double h);
  /// Whether there was no direction for slow contacts in the last attempt.
  bool lost_direction() const { return lost_; }
  /// Local error of the trial step relative to the tolerance.
  double error(double h);
  bool prepare_dense(double x, double h);
  /// The dense output at the fraction θ of the step, which is at x. Returns its defect.
  double interpolate(double theta, double x);
  void end_inside();
  void evaluate_trial(double x);
  void measure_end() { measure(rk.trial_slope(), rk.trial(), U1, a1); }
  void accept();

  /// Normal forces at the state y, a moment ahead where `ahead` is positive: contacts that have
  /// just closed have no force yet, but forces that are about to grow have ratios.
  void normal_forces(const double* y, const double* U, const double* a, double ahead,
                     double* lambda) const;
  /// Velocities of all rows at the state y.
  void velocities(const double* y, double* U) const {
    friction_->apply(friction_->U_before.data(), y + impulses(), U);
  }

 private:
  bool evaluate(double x, double* y, double* f);
  bool plain(const double* y, double* f);
  void direct_slow(const double* y, double* f);
  bool turn_slow(const double* lambda, const double* U_t, const Vector& target, double* p);
  Vector turning(const double* p);
  Vector along_slow() const;
  double worst_error(const double* e);
  void weigh();
  void measure(const double* slope, const double* y, std::vector<double>& U,
               std::vector<double>& a);

  const ImpactSetup* setup_ = nullptr;
  const FrictionSetup* friction_ = nullptr;
  const ContactPhases* phases_ = nullptr;
  double tolerance_ = 0.0;
  int k_ = 1;
  int landing_ = -1;
  int fading_ = -1;
  double slowest_ = 0.0;
  double faded_from_ = 1.0;
  double fading_weight_ = 0.0;
  long evaluations_ = 0;
  std::vector<double> U_;        ///< rows
  std::vector<double> scratch_;  ///< rows
  std::vector<double> zero_;     ///< rows
  std::vector<double> slope_;    ///< like the state
  std::vector<double> weights_;  ///< 2 m, of errors in ξ and P

  // Slow sliding: slow_sliding.cpp.
  bool lost_ = false;
  std::vector<int> slow_list_;
  std::vector<double> slow_forces_;  ///< rows
  std::vector<double> slow_rates_;   ///< rows
  std::vector<double> slow_later_;   ///< rows
};

}  // namespace percute::laws

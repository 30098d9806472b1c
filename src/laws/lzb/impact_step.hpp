// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "laws/lzb/dynamics.hpp"
#include "numerics/runge_kutta.hpp"

#include <vector>

namespace percute::laws {

/// One step of the integration, seen from both ends: states and slopes (in the Runge–Kutta method),
/// gap rates U and their derivatives a = dU/dτ.
///
/// Order 8 is used throughout: with the variables that make starts and openings smooth it needs
/// fewer evaluations than order 5 down to errors of 1e-3.
class ImpactStep {
 public:
  /// Pseudo-time and the padding beside it are integrals.
  using RK = numerics::RungeKutta<numerics::DormandPrince8, 2>;

  RK rk;
  LzbDynamics dynamics;
  std::vector<double> U0, U1;  ///< lanes, at the start and at the end
  std::vector<double> a0, a1;  ///< lanes

  void assign(const ImpactSetup& setup, const ContactPhases& phases);

  const double* impulse() const { return rk.state() + setup_->lanes; }
  const double* trial_impulse() const { return rk.trial() + setup_->lanes; }
  double time() const { return rk.state()[setup_->clock()]; }
  double trial_time() const { return rk.trial()[setup_->clock()]; }
  /// Time at the fraction θ of the last attempt, whose dense output must be ready.
  double time_inside(double theta) const;

  /// Slope, U and a of the current state, in plain time.
  void start();
  /// Slope of the current state in the independent variable of the dynamics.
  void restart(double x);
  /// Tries a step of length h from x. False if it leaves the domain of the dynamics.
  bool attempt(double x, double h);
  /// Local error of the trial step relative to the tolerance: indentations, gap rates, impulses.
  double error(double h, double tolerance);
  bool prepare_dense(double x, double h);
  /// Evaluates the dense output at the fraction θ of the step, which is at x. Returns its defect
  /// relative to the tolerance.
  double interpolate(double theta, double x, double tolerance);
  /// Makes the interpolated state the trial state.
  void end_inside();
  /// Slope, U and a of the trial state after it was moved.
  void evaluate_trial(double x);

  /// Slopes f of any state y at x. False outside the domain of the dynamics.
  bool evaluate(double x, double* y, double* f);
  /// Size of local errors e of a step of another method that has set the trial state.
  double size_of_error(const double* e, double tolerance);

  /// U and a of the trial state.
  void measure_end();

  void accept() {
    rk.accept();
    U0.swap(U1);
    a0.swap(a1);
  }

 private:
  template <int Lanes = 2, class Use>
  auto with_lanes(Use&& use);
  template <int Lanes>
  void weigh(double tolerance);
  template <int Lanes>
  double worst_error(const double* e);
  void measure(const double* slope, const double* y, std::vector<double>& U,
               std::vector<double>& a);

  const ImpactSetup* setup_ = nullptr;
  const ContactPhases* phases_ = nullptr;
  int known_lanes_ = 0;          ///< 0 where their number is not known to the compiler
  double x_ = 0.0;               ///< start of the last attempt
  double h_ = 0.0;               ///< its length
  std::vector<double> scratch_;  ///< lanes
  std::vector<double> weights_;  ///< 2 × lanes, of errors in ξ and P
  double gap_rate_weight_ = 0.0;
  std::vector<double> accelerations_;  ///< of the bodies, if used
};

}  // namespace percute::laws

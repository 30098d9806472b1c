// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "laws/lzb/impact_step.hpp"

#include <Eigen/LU>

namespace percute::laws {

/// Whether steps are those of StiffStep.
struct StiffSteps {
  bool on = false;
  bool entering = false;  ///< the first of them has not been made
  double fastest = 0.0;   ///< while on: frequency of the fastest oscillation
  long next_look = 0;     ///< step of the next look whether they could be
  long interval = 0;      ///< steps between two looks
};

/// Steps that pass over oscillations too small to matter.
///
/// A stiff contact that carries the load of slow ones, or a light body between heavy ones, has
/// followed its load after a while: what is left of its own oscillation is below the tolerance, but
/// an explicit method has to go on in steps of its period to be stable. Such steps are made by
/// collocation at the five points of Radau (method IIA, order 9; Hairer and Wanner, Solving
/// Ordinary Differential Equations II, IV.5 and IV.8), which damps what it passes over. Its error
/// estimate contains the oscillation as a whole, so that none above the tolerance is lost.
///
/// With stages k, weights a and Λ = dλ/dξ, the impulses follow from the indentations, and these
/// from
///
///     F_k = ξ_k − ξ₀ + h Σ_j a_kj gain U_j = 0,   ∂F_k/∂ξ_j = δ_kj + h² (a²)_kj gain G Λ_j.
class StiffStep {
 public:
  /// Beyond as many contacts the linear systems cost more than they save.
  static constexpr int kMostContacts = numerics::DelassusOperator::kLargestSmall;
  /// A step is worth its price if it passes over this much of the fastest oscillation, in radians.
  static constexpr double kShortest = 10.0;
  /// Part by which the next step can be longer.
  static double growth(double error);

  void assign(const ImpactSetup& setup, const ContactPhases& phases);

  /// The fastest oscillation of a loaded contact by itself.
  struct Fastest {
    double frequency = 0.0;  ///< ω = √(gain λ' G_ii)
    double speed = 0.0;      ///< |dU/dτ|/ω, about the part of its gap rate that oscillates
  };
  Fastest fastest(const ImpactStep& step) const;

  /// Tries a step of length h in time from the state of `step`, to its trial state.
  bool attempt(ImpactStep& step, double h);
  /// Its local error relative to the tolerance.
  double error(ImpactStep& step, double tolerance);
  /// Dense output by its stages.
  void prepare_dense(ImpactStep& step) const;

 private:
  void prepare();
  double force_slope(int i, double xi) const;
  bool evaluate(ImpactStep& step);
  double correct(const Eigen::Map<const Vector>& y0);

  const ImpactSetup* setup_ = nullptr;
  const ContactPhases* phases_ = nullptr;
  bool prepared_ = false;
  double h_ = 0.0;
  Matrix G_;                             ///< m × m
  Vector gain_;                          ///< m, of the last iteration
  Vector slope_;                         ///< m, Λ
  Matrix y_;                             ///< states of the stages, a column each
  Matrix f_;                             ///< their slopes
  Matrix jacobian_;                      ///< ∂F/∂ξ
  Vector residual_;                      ///< F, then the correction
  Eigen::PartialPivLU<Matrix> factors_;  ///< of either matrix
  Vector error_;                         ///< of a whole state
};

}  // namespace percute::laws

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "laws/lzb/impact_step.hpp"
#include "numerics/low_rank_radau.hpp"

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
/// collocation at the five points of Radau (LowRankRadau), which damps what it passes over. Its
/// error estimate contains the oscillation as a whole, so that none above the tolerance is lost.
///
/// With Λ = dλ/dξ and U = U⁻ + G P the Jacobian of the dynamics has two parts,
///
///     ∂(dξ/dτ)/∂P = −gain G,   ∂(dP/dτ)/∂ξ = Λ:   J = B D C,   C y = (ξ, U),   D = [0 −gain; Λ 0].
class StiffStep final : public numerics::StiffClient {
 public:
  /// Beyond as many contacts the linear systems cost more than they save.
  static constexpr int kMostContacts = numerics::DelassusOperator::kLargestSmall;
  /// A step is worth its price if it passes over this much of the fastest oscillation, in radians.
  static constexpr double kShortest = 10.0;

  void assign(const ImpactSetup& setup, const ContactPhases& phases) {
    setup_ = &setup;
    phases_ = &phases;
  }

  /// The fastest oscillation of a loaded contact by itself.
  struct Fastest {
    double frequency = 0.0;  ///< ω = √(gain λ' G_ii)
    double speed = 0.0;      ///< |dU/dτ|/ω, about the part of its gap rate that oscillates
  };
  Fastest fastest(const ImpactStep& step) const;

  /// Tries a step of length h in time from the state of `step`, to its trial state. Returns its
  /// local error relative to the tolerance; infinite, or not a number, where it fails.
  double attempt(ImpactStep& step, double h, double tolerance);
  /// Dense output by its stages.
  void prepare_dense(ImpactStep& step);

  // What LowRankRadau asks.
  bool slope(double x, double* y, double* out) override;
  void stiff_frame(Matrix& B, Matrix& C) override;
  void stiff_part(Matrix& D) override;
  double norm(const double* error) override { return step_->size_of_error(error, tolerance_); }

 private:
  double force_slope(int i, double xi) const;

  const ImpactSetup* setup_ = nullptr;
  const ContactPhases* phases_ = nullptr;
  ImpactStep* step_ = nullptr;
  double h_ = 0.0;
  double tolerance_ = 0.0;
  numerics::LowRankRadau radau_;
  Matrix part_;  ///< D where the slope was last asked for
};

}  // namespace percute::laws

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "simulation/scene.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace percute::simulation {

/// A gap h at one instant.
struct GapAt {
  double gap = 0.0;
  double rate = 0.0;          ///< h′
  double acceleration = 0.0;  ///< h″
};

/// How far a gap is from smooth in a step, and how far it may be.
struct GapDeviation {
  double error = 0.0;
  double allowed = 0.0;
};

/// Far ends of a body that turns move on circles, whatever the step of its centre: errors of q and
/// v do not tell how long a step may be. The trapezoidal rule with its first correction,
///
///     h₁ = h₀ + ½ s (h₀′ + h₁′) + s²/12 (h₀″ − h₁″) + O(s⁵),
///
/// has an error of 1e-3 of its terms where the motion turns by about 1 rad. Up to that, a few looks
/// at a gap within a step of length s see all that it does.
inline GapDeviation gap_deviation(const GapAt& from, const GapAt& to, double s) {
  constexpr double kPart = 1e-3;
  const double error = to.gap - from.gap - 0.5 * s * (from.rate + to.rate) -
                       s * s / 12.0 * (from.acceleration - to.acceleration);
  const double terms = std::max(std::min(from.gap, to.gap), 0.0) +
                       s * (std::abs(from.rate) + std::abs(to.rate)) +
                       s * s * (std::abs(from.acceleration) + std::abs(to.acceleration));
  return {.error = std::abs(error), .allowed = kPart * terms};
}

/// Open gaps in steps to come, on the parabola q + s v + ½ s² a with which these begin.
class GapOutlook {
 public:
  explicit GapOutlook(const AnySystem& system);

  /// Steps are to begin at the state y, which has this slope; contacts are added after that.
  void begin(double time, const double* y, const double* slope);
  void add(int contact);
  bool empty() const { return open_.empty(); }
  /// Whether these gaps are smooth in a step of length h from there, so that a few looks at them
  /// see all that they do.
  bool smooth(double h);

 private:
  struct OpenGap {
    int contact = 0;
    GapAt start;
  };
  GapAt gap_at(int i, double gap, const MotionState& state);

  const AnySystem& system_;
  std::vector<OpenGap> open_;
  MotionState start_;    ///< of the steps
  MotionState ahead_;    ///< in them
  Vector acceleration_;  ///< at their start
  Vector gaps_;
  Vector gradient_;
  Vector size_;
};

}  // namespace percute::simulation

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <limits>
#include <string>

namespace percute::systems {

/// Prescribed acceleration of the base that a system stands on, in one direction:
///
///     a(t) = A sin(2π f (t − t₀) + φ)   from t₀ to t₀ + cycles/f,   0 before and after.
///
/// Half a cycle is a half-sine pulse (Housner 1963), one cycle a one-sine pulse, as in studies of
/// blocks in earthquakes; without an end the base vibrates, with displacements of A/(2π f)². A
/// system in motion is written in the frame of its base: positions and velocities are relative to
/// it, and a mass m feels the force −m a(t) beside its weight.
struct BaseMotion {
  double acceleration = 0.0;                                ///< A, m/s²; 0: the base is fixed
  double frequency = 1.0;                                   ///< f > 0, Hz
  double phase = 0.0;                                       ///< φ, rad
  double start = 0.0;                                       ///< t₀, s
  double cycles = std::numeric_limits<double>::infinity();  ///< > 0

  bool moves() const { return acceleration != 0.0; }
  double at(double time) const;  ///< a, m/s²
  /// Longest step from `time` on that sees the motion, s: to its start, an eighth of a cycle, to
  /// its end; infinite once it is over.
  double longest_step(double time) const;
};

/// Throws InvalidInput, naming the field after `base` ("base.frequency"), unless it makes sense.
void validate(const BaseMotion& motion, const std::string& base);

/// Motion of a base in the plane.
struct PlanarBaseMotion {
  BaseMotion horizontal = {};  ///< positive to the right
  BaseMotion vertical = {};    ///< positive upwards

  bool moves() const { return horizontal.moves() || vertical.moves(); }
  double longest_step(double time) const;  ///< that of both
};

}  // namespace percute::systems

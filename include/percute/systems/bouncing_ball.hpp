// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/model/state.hpp>
#include <percute/systems/any_system.hpp>

namespace percute::systems {

/// A ball above a floor, in free fall:
///
///     m q″ = −m g + λ,   h(q) = q ≥ 0.
///
/// The coordinate q is the height of the lowest point of the ball, so that a small gap keeps all
/// its digits and the radius has no part in the motion.
struct BouncingBall {
  double mass = 1.0;       ///< kg
  double gravity = 0.0;    ///< g ≥ 0, m/s²
  double radius = 0.0;     ///< m, ≥ 0; for who draws the ball
  Material material = {};  ///< of the contact

  /// Its lowest point at a height, m, with a velocity upwards, m/s.
  State at(double height, double velocity = 0.0) const;

  /// The ball as the methods of percute::simulation move it.
  operator AnySystem() const;  // NOLINT(google-explicit-constructor): a ball is a moving system
};

/// Throws InvalidInput, naming the field, unless the ball can be built. The other functions call
/// it.
void validate(const BouncingBall& ball);

}  // namespace percute::systems

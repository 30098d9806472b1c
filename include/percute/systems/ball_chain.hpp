// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/model/impact_problem.hpp>
#include <percute/model/state.hpp>

#include <vector>

namespace percute::systems {

/// Balls on a line, each touching the next: contact i joins balls i and i+1, gap rate
/// v_{i+1} − v_i. With a wall on the right, one more contact has gap rate −v of the last ball.
/// Coordinates are the centres x_i, growing to the right; ball 1 starts at x = 0 and the wall
/// stands where the last ball of the touching chain meets it.
struct BallChain {
  int balls = 2;                         ///< 1 or more
  double mass = 1.0;                     ///< of each ball, kg
  double radius = 0.01;                  ///< of each ball, m
  Material material = {};                ///< of every contact
  bool wall = false;                     ///< a fixed wall behind the last ball
  std::vector<double> masses = {};       ///< one per ball; empty: all equal to `mass`
  std::vector<Material> materials = {};  ///< one per contact; empty: all equal to `material`

  int contacts() const { return balls - 1 + (wall ? 1 : 0); }

  /// All balls touching; the first one moves at `striker_speed` (m/s), the others are at rest.
  State at_contact(double striker_speed) const;
  /// All balls touching, with the given velocities.
  State at_contact(const Vector& velocity) const;
  /// The impact that starts in this state. Balls further apart than 1e-9 radii share no contact.
  ImpactProblem impact(const State& state) const;
};

/// Throws InvalidInput, naming the field, unless the chain can be built. The other functions call
/// it; materials are judged with the problem they end up in.
void validate(const BallChain& chain);

}  // namespace percute::systems

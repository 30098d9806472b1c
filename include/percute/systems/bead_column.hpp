// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/systems/ball_chain.hpp>

#include <string>
#include <vector>

namespace percute::systems {

/// A column of equal beads that falls on a fixed wall, as in the experiments of Falcon, Laroche,
/// Fauve and Coste (1998, Eur. Phys. J. B 5, 111) that Liu, Zhao and Brogliato (2008, section 9)
/// compute.
///
/// Coordinates are the heights z_i of the centres, positive upwards; the wall is z = 0 and bead 1
/// is on it. Contact 1 is that of bead 1 with the wall, gap rate v_1; contact i+1 that of beads i
/// and i+1, gap rate v_{i+1} − v_i. Stiffnesses may come from what beads and wall are made of, or
/// from a measured time (hertz.hpp). Gravity brings the column to its speed and is left out of the
/// impact. In motion the wall may vibrate; heights are then above the wall.
struct BeadColumn {
  int beads = 1;           ///< 1 or more
  double mass = 1.0;       ///< of each bead, kg
  double radius = 0.01;    ///< of each bead, m
  Material material = {};  ///< of the contacts between beads
  Material wall = {};      ///< of the contact of bead 1 with the wall
  double gravity = 0.0;    ///< g ≥ 0, m/s², downwards; for motion only
  BaseMotion base = {};    ///< acceleration of the wall, upwards; for motion only

  /// Touching each other and the wall, all coming down at `speed` ≥ 0 (m/s): v = −speed.
  State at_contact(double speed) const;
  /// Touching each other and the wall, with the given velocities (positive upwards).
  State at_contact(const Vector& velocity) const;
  /// As they reach the wall after falling freely through `height` (m): v = −√(2 g h).
  State dropped_from(double height, double g) const;
  /// Touching each other, the lowest point `height` ≥ 0 (m) above the wall, with the velocity of
  /// all of them, m/s, positive upwards.
  State above(double height, double velocity = 0.0) const;
  /// The impact that starts in this state. Beads further apart than 1e-9 of their radius share no
  /// contact; those that overlap do.
  ImpactProblem impact(const State& state) const;

  /// "bead 1", on the wall, to "bead N", on top.
  std::vector<Body> bodies() const;
  /// "wall–1", "1–2", …
  std::vector<std::string> contact_names(const State& state) const;

  /// The same as a chain with a wall on its left: x is the height.
  BallChain chain() const;
  /// The column as the methods of percute::simulation move it.
  operator AnySystem() const;  // NOLINT(google-explicit-constructor): it is a moving system
};

/// Throws InvalidInput, naming the field, unless the column can be built. The other functions call
/// it; materials are judged with the problem they end up in.
void validate(const BeadColumn& column);

static_assert(System<BeadColumn>);

}  // namespace percute::systems

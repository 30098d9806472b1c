// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/systems/system.hpp>

#include <string>
#include <vector>

namespace percute::systems {

/// Balls on top of each other on a fixed floor, falling together: a tennis ball on a basketball.
///
/// Coordinates are the heights z_i of the centres, positive upwards; the floor is z = 0 and ball 1
/// is the lowest. Contact 1 is that of ball 1 with the floor, gap rate v_1; contact i+1 that of
/// balls i and i+1, gap rate v_{i+1} − v_i.
///
/// Inflated balls have the stiffness of their pressure and contact exponent 1: with
/// k_i = 2 π p_i R_i, K = k_1 on the floor and 1/K = 1/k_i + 1/k_{i+1} between two balls
/// (Liu, Zhao, Brogliato 2008, section 8, eqs (107)–(113)). Only ratios of the K matter for the
/// velocities.
struct StackedBalls {
  std::vector<double> masses;             ///< kg, from the lowest ball to the highest
  std::vector<double> radii;              ///< m, one per ball
  std::vector<double> pressures = {};     ///< Pa, one per ball; empty: `material` has the stiffness
  Material material = {.exponent = 1.0};  ///< of every contact; with pressures, its stiffness and
                                          ///< exponent give way to those of the pressure
  std::vector<Material> materials = {};   ///< one per contact, from the floor up; empty: `material`
  std::vector<std::string> names = {};    ///< one per ball; empty: "ball 1", "ball 2", …

  int balls() const { return static_cast<int>(masses.size()); }

  /// Touching each other and the floor, all falling at `drop_speed` ≥ 0 (m/s): v = −drop_speed.
  State at_contact(double drop_speed) const;
  /// Touching each other and the floor, with the given velocities (positive upwards).
  State at_contact(const Vector& velocity) const;
  /// As they reach the floor after falling freely through `height` (m): v = −√(2 g h).
  State dropped_from(double height, double gravity) const;
  /// The impact that starts in this state. Balls further apart than 1e-9 of their mean radius share
  /// no contact; those that overlap do.
  ImpactProblem impact(const State& state) const;

  std::vector<Body> bodies() const;
  /// "1–floor", "1–2", …
  std::vector<std::string> contact_names(const State& state) const;
};

/// Throws InvalidInput, naming the field, unless the stack can be built. The other functions call
/// it; materials are judged with the problem they end up in.
void validate(const StackedBalls& stack);

static_assert(System<StackedBalls>);

}  // namespace percute::systems

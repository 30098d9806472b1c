// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/systems/any_system.hpp>
#include <percute/systems/system.hpp>

#include <numbers>
#include <string>
#include <vector>

namespace percute::systems {

/// A particle at the bottom of a groove with two plane walls, symmetric about the vertical.
///
/// Coordinates are (x, y) from the bottom of the groove. With the opening θ between the walls, both
/// rise at b = (π − θ)/2 from the horizontal; contact 1 is that with the left wall, contact 2 that
/// with the right one:
///
///     ∇h_1 = (sin b, cos b),   ∇h_2 = (−sin b, cos b),   tangents (cos b, ∓sin b).
///
/// The opening is the kinetic angle of the two contacts. A right-angled groove decouples them.
struct VGroove {
  double mass = 1.0;                        ///< kg
  double opening = std::numbers::pi / 2.0;  ///< between the walls, rad, in (0, π)
  Material material = {};                   ///< of both contacts
  std::vector<Material> materials = {};     ///< left, right; empty: both `material`
  double gravity = 0.0;                     ///< g ≥ 0, m/s², downwards; for motion only

  /// At the bottom, with velocity (v_x, v_y), m/s.
  State at_contact(const Point& velocity) const;
  /// At a place (x, y), m, with velocity (v_x, v_y), m/s.
  State at(const Point& position, const Point& velocity) const;
  /// The impact that starts in this state. A wall further away than 1e-9 m shares no contact.
  ImpactProblem impact(const State& state) const;

  std::vector<Body> bodies() const;
  /// "particle–left wall", "particle–right wall".
  std::vector<std::string> contact_names(const State& state) const;

  /// The particle as the methods of percute::simulation move it: h_i = ∇h_i · (x, y).
  operator AnySystem() const;  // NOLINT(google-explicit-constructor): it is a moving system
};

/// Throws InvalidInput, naming the field, unless the groove can be built. The other functions call
/// it; materials are judged with the problem they end up in.
void validate(const VGroove& groove);

static_assert(System<VGroove>);

}  // namespace percute::systems

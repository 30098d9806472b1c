// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/systems/planar_body.hpp>

#include <optional>
#include <string>
#include <vector>

namespace percute::systems {

/// A rectangular block that stands on its two lower corners on a fixed floor y = 0.
///
/// Coordinates are (x, y, φ) of the centre, as for any PlanarBody. Contact 1 is that of the left
/// corner, contact 2 that of the right one; upright,
///
///     ∇h_1 = (0, 1, −b/2),   ∇h_2 = (0, 1, b/2),   tangents (1, 0, h/2).
///
/// Their kinetic angle θ, cos θ = (2b² − h²)/(4b² + h²) for a uniform block, is a right one at
/// h = √2 b: striking one corner opens the other if the block is slenderer, and closes it if it is
/// not (Brogliato 2024, hal-04673788). Nothing but these corners touches the floor: a block that
/// topples has left the model.
struct RockingBlock {
  enum class Corner { Left, Right };

  double width = 1.0;                    ///< b, m
  double height = 1.0;                   ///< h, m
  double mass = 1.0;                     ///< m, kg
  std::optional<double> inertia = {};    ///< about the centre, kg m²; none: m (b² + h²)/12, uniform
  Material material = {};                ///< of both contacts
  std::vector<Material> materials = {};  ///< left, right; empty: both `material`
  double gravity = 0.0;                  ///< g ≥ 0, m/s², downwards; for motion only
  PlanarBaseMotion base = {};            ///< acceleration of the floor; for motion, which is
                                         ///< written in its frame

  /// Upright on both corners; velocity (v_x, v_y, ω) of the centre in m/s and rad/s.
  State at_contact(const Eigen::Vector3d& velocity) const;
  /// Upright on both corners, at the end of a rotation about one of them: ω in rad/s, positive
  /// counter-clockwise. A block that comes down about its left corner has ω < 0.
  State rotating_about(Corner corner, double angular_velocity) const;
  /// Tilted about the corner that stays on the floor at its place: the left one if the angle (rad,
  /// counter-clockwise) is positive, the right one if it is negative. With the angle 0, the sign of
  /// ω (rad/s) decides.
  State tilted(double angle, double angular_velocity = 0.0) const;
  /// The impact that starts in this state; corners above the floor share no contact.
  ImpactProblem impact(const State& state) const;

  std::vector<Body> bodies() const;
  /// "left–floor", "right–floor".
  std::vector<std::string> contact_names(const State& state) const;

  /// The same as a body with two points.
  PlanarBody body() const;
  /// The block as the methods of percute::simulation move it.
  operator AnySystem() const;  // NOLINT(google-explicit-constructor): it is a moving system
};

/// Throws InvalidInput, naming the field, unless the block can be built. The other functions call
/// it; materials are judged with the problem they end up in.
void validate(const RockingBlock& block);

static_assert(System<RockingBlock>);

}  // namespace percute::systems

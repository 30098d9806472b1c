// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/systems/any_system.hpp>
#include <percute/systems/system.hpp>

#include <string>
#include <vector>

namespace percute::systems {

/// A point of a planar body that touches a fixed obstacle.
struct BodyPoint {
  Point at = Point::Zero();       ///< from the centre of mass, in axes that turn with the body, m
  Point normal = Point::UnitY();  ///< of the obstacle, towards the body, in fixed axes; any length
                                  ///< but zero
  std::string name = {};          ///< of the contact; empty: "point 1", "point 2", …
};

/// A rigid body in the plane, touching fixed obstacles at any number of its points.
///
/// Coordinates are (x, y, φ): the centre of mass and the angle, counter-clockwise; M = diag(m, m,
/// I). Point i is at c + R(φ) r_i. Its obstacle is the half-plane with unit normal n whose border
/// passes through the place of the point at contact (centre at `position`, turned by `angle`):
///
///     h_i = n · (c + R(φ) r_i − border),   ∇h_i = (n, s × n),   tangent (t, s × t),
///     s = R(φ) r_i,   t = (n_y, −n_x),   s × n = s_x n_y − s_y n_x.
///
/// On a floor, n = (0, 1), sliding to the right is positive.
struct PlanarBody {
  double mass = 1.0;                     ///< kg
  double inertia = 1.0;                  ///< about the centre of mass, kg m²
  std::vector<BodyPoint> points;         ///< one contact each, in this order
  Point position = Point::Zero();        ///< of the centre of mass at contact, m
  double angle = 0.0;                    ///< of the body at contact, rad
  Material material = {};                ///< of every contact
  std::vector<Material> materials = {};  ///< one per point; empty: all equal to `material`
  std::string name = "body";
  double gravity = 0.0;        ///< g ≥ 0, m/s², towards −y; for motion only
  PlanarBaseMotion base = {};  ///< acceleration of the obstacles, all together; for motion, which
                               ///< is written in their frame

  /// All points touching; velocity (v_x, v_y, ω) in m/s and rad/s.
  State at_contact(const Eigen::Vector3d& velocity) const;
  /// Anywhere: (x, y, φ) in m and rad, velocity (v_x, v_y, ω) in m/s and rad/s.
  State at(const Eigen::Vector3d& place, const Eigen::Vector3d& velocity) const;
  /// The impact that starts in this state. Points further from their obstacle than 1e-9 of the
  /// largest |r_i| share no contact; those that overlap do.
  ImpactProblem impact(const State& state) const;

  std::vector<Body> bodies() const;
  std::vector<std::string> contact_names(const State& state) const;

  /// The body as the methods of percute::simulation move it: f = −m (a_x, g + a_y, 0).
  operator AnySystem() const;  // NOLINT(google-explicit-constructor): it is a moving system
};

/// Throws InvalidInput, naming the field, unless the body can be built. The other functions call
/// it; materials are judged with the problem they end up in.
void validate(const PlanarBody& body);

static_assert(System<PlanarBody>);

}  // namespace percute::systems

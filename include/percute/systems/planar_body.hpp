// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/model/fields.hpp>
#include <percute/systems/any_system.hpp>

#include <numbers>
#include <optional>
#include <string>
#include <vector>

namespace percute::systems {

/// A point of a planar body that touches a fixed obstacle.
struct BodyPoint {
  Point at = Point::Zero();       ///< from the centre of mass, in axes that turn with the body, m
  Point normal = Point::UnitY();  ///< of the obstacle, towards the body, in fixed axes; not zero
  std::string name = {};          ///< of the contact; empty: "point 1", "point 2", …
  double radius = 0.0;            ///< of a disc about the point, which touches in its place, m
  double gap = 0.0;               ///< left to the obstacle at contact, m
};

/// A rigid body in the plane, touching fixed obstacles at any number of its points.
///
/// Coordinates are (x, y, φ): the centre of mass and the angle, counter-clockwise; M = diag(m, m,
/// I). Point i is at c + R(φ) r_i. Its obstacle is the half-plane with unit normal n whose border
/// passes through the place of the point at contact (centre at `position`, turned by `angle`):
///
///     h_i = n · (c + R(φ) r_i − border),   ∇h_i = (n, s × n),   tangent (t, s × t),
///     s = R(φ) r_i,   t = (n_y, −n_x),   s × n = s_x n_y − s_y n_x;
///
/// a disc of radius ρ about the point touches at s − ρ n, and a `gap` at contact adds to h_i.
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
  PlanarBaseMotion base = {};  ///< of the obstacles, all together; for motion only

  /// All points touching; velocity (v_x, v_y, ω) in m/s and rad/s.
  State at_contact(const Eigen::Vector3d& velocity) const;
  /// Anywhere: (x, y, φ) in m and rad, velocity (v_x, v_y, ω) in m/s and rad/s.
  State at(const Eigen::Vector3d& place, const Eigen::Vector3d& velocity) const;
  /// The impact that starts in this state. Points further from their obstacle than 1e-9 of the
  /// largest |r_i| share no contact; those that overlap do.
  ImpactProblem impact(const State& state) const { return AnySystem(*this).impact(state); }

  /// The body as the methods of percute::simulation move it: f = −m (a_x, g + a_y, 0).
  operator AnySystem() const;  // NOLINT(google-explicit-constructor): it is a moving system
};

template <Same<BodyPoint> S>
void fields(S& point, auto&& visit) {
  visit(Field{"at", "from the centre of mass, in axes of the body", {}, "m"}.needed(), point.at);
  visit(Field{"normal", "of the obstacle, towards the body"}, point.normal);
  visit(Field{"name", "of the contact"}, point.name);
}
template <Same<PlanarBody> S>
void fields(S& body, auto&& visit) {
  visit(Field{"name", "of the body"}, body.name);
  visit(Field{"mass", "of the body", Range::positive(), "kg"}.needed(), body.mass);
  visit(Field{"inertia", "about the centre of mass", Range::positive(), "kg m²"}.needed(),
        body.inertia);
  visit(Field{"angle_deg", "of the body at contact"}.in_degrees(), body.angle);
  visit(Field{"position", "of the centre of mass at contact", {}, "m"}, body.position);
  visit(kGravity, body.gravity);
}
void validate(const PlanarBody& body);

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
  PlanarBaseMotion base = {};            ///< of the floor; for motion only

  /// Upright on both corners; velocity (v_x, v_y, ω) of the centre in m/s and rad/s.
  State at_contact(const Eigen::Vector3d& velocity) const;
  /// Upright on both corners, at the end of a rotation about one of them: ω in rad/s, positive
  /// counter-clockwise. A block that comes down about its left corner has ω < 0.
  State rotating_about(Corner corner, double angular_velocity) const;
  /// Tilted about the corner that stays on the floor at its place: the left one if the angle (rad,
  /// counter-clockwise) is positive, the right one if it is negative. With the angle 0, the sign of
  /// ω (rad/s) decides.
  State tilted(double angle, double angular_velocity = 0.0) const;
  /// The impact that starts in this state; corners above the floor share no contact. Contacts are
  /// "left–floor", "right–floor".
  ImpactProblem impact(const State& state) const { return AnySystem(*this).impact(state); }

  /// The same as a body with two points.
  PlanarBody body() const;
  operator AnySystem() const;  // NOLINT(google-explicit-constructor): it is a moving system
};

template <Same<RockingBlock> S>
void fields(S& block, auto&& visit) {
  visit(Field{"width", "b", Range::positive(), "m"}.needed(), block.width);
  visit(Field{"height", "h", Range::positive(), "m"}.needed(), block.height);
  visit(Field{"mass", "of the block", Range::positive(), "kg"}.needed(), block.mass);
  visit(Field{"inertia", "about the centre", Range::positive(), "kg m²"}, block.inertia);
  visit(kGravity, block.gravity);
}
void validate(const RockingBlock& block);

/// Balls fixed to a straight rod without mass that falls on a floor y = 0 in a plane: a dimer if
/// there are two of them (Dorbolo et al. 2005; Liu, Zhao, Brogliato 2009), and any number.
///
/// Coordinates are (x, y, φ) of the centre of mass, as for any PlanarBody; the rod points along φ.
/// Ball i, at the distance a_i along the rod from the centre of mass, touches below its centre:
///
///     h_i = y + a_i sin φ − r_i,   ∇h_i = (0, 1, a_i cos φ),   tangent (1, 0, −a_i sin φ + r_i).
///
/// The balls do not turn on the rod: I = Σ m_i (a_i² + ⅖ r_i²). Three equal balls on a floor are
/// one contact too many.
struct BallRod {
  std::vector<double> places = {};       ///< of the balls along the rod, from anywhere, growing, m
  std::vector<double> masses = {};       ///< one per ball, kg
  std::vector<double> radii = {};        ///< one per ball, m
  std::optional<double> inertia = {};    ///< about the centre of mass, kg m²; none: as above
  std::optional<double> angle = {};      ///< φ at contact, rad; none: the first and the last ball
                                         ///< lie on the floor. Otherwise the lowest one does, for
                                         ///< φ > 0 and equal radii the first
  Material material = {};                ///< of every contact
  std::vector<Material> materials = {};  ///< one per ball; empty: all equal to `material`
  std::string name = "rod";
  double gravity = 0.0;        ///< g ≥ 0, m/s², downwards; for motion only
  PlanarBaseMotion base = {};  ///< of the floor; for motion only

  /// On the floor; velocity (v_x, v_y, ω) of the centre of mass in m/s and rad/s.
  State at_contact(const Eigen::Vector3d& velocity) const;
  /// At an angle, rad, its lowest ball `height` ≥ 0 (m) above the floor.
  State above(double height, double phi, const Eigen::Vector3d& velocity) const;
  /// The impact that starts in this state. Balls higher than 1e-9 of the largest |a_i| share no
  /// contact; those that overlap with the floor do. Contacts are "ball 1–floor", "ball 2–floor", …
  ImpactProblem impact(const State& state) const { return AnySystem(*this).impact(state); }

  /// The same as a body with a disc for each ball.
  PlanarBody body() const;
  operator AnySystem() const;  // NOLINT(google-explicit-constructor): it is a moving system
};

template <Same<BallRod> S>
void fields(S& rod, auto&& visit) {
  visit(Field{"name", "of the body"}, rod.name);
  visit(Field{"inertia", "about the centre of mass", Range::positive(), "kg m²"}, rod.inertia);
  visit(Field{"angle_deg", "of the rod at contact"}.in_degrees(), rod.angle);
  visit(kGravity, rod.gravity);
}

/// Two equal balls whose centres are `length` apart, m; the mass is that of each, kg.
BallRod ball_dimer(double length, double radius, double mass);

/// Three equal balls, one of them in the middle of a rod of this length.
BallRod three_ball_rod(double length, double radius, double mass);
void validate(const BallRod& rod);

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
  /// Contacts are "particle–left wall", "particle–right wall".
  ImpactProblem impact(const State& state) const { return AnySystem(*this).impact(state); }

  /// A PlanarBody that does not turn: h_i = ∇h_i · (x, y).
  operator AnySystem() const;  // NOLINT(google-explicit-constructor): it is a moving system
};

template <Same<VGroove> S>
void fields(S& groove, auto&& visit) {
  visit(Field{"mass", "of the particle", Range::positive(), "kg"}.needed(), groove.mass);
  visit(Field{"opening_deg", "between the walls", Range::between(0.0, 180.0)}.in_degrees().needed(),
        groove.opening);
  visit(kGravity, groove.gravity);
}
void validate(const VGroove& groove);

}  // namespace percute::systems

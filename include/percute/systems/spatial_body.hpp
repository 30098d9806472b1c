// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/model/fields.hpp>
#include <percute/systems/any_system.hpp>

#include <string>
#include <vector>

namespace percute::systems {

/// A point of a body in space that touches a fixed obstacle.
struct SpatialPoint {
  Eigen::Vector3d at = Eigen::Vector3d::Zero();       ///< from the centre of mass, in its axes, m
  Eigen::Vector3d normal = Eigen::Vector3d::UnitZ();  ///< of the obstacle, towards the body, in
                                                      ///< fixed axes; any length but zero
  std::string name = {};  ///< of the contact; empty: "point 1", "point 2", …
};

/// A rigid body in space, touching fixed obstacles at any number of its points.
///
/// Velocities are (v, ω): of the centre of mass and the rotation, both in fixed axes. Positions are
/// the centre of mass c and a rotation vector ρ, by which the body is turned further than at
/// contact, R = exp(ρ) R₀; ω is its rate where ρ = 0. With s = R r_i,
///
///     M = diag(m 1, R I Rᵀ),   h_i = n · (c + s − border),   ∇h_i = (n, s × n),
///     tangents (t, s × t),  t₁ and t₂ perpendicular to n and to each other.
///
/// On a floor, n = z, the tangents are along x and y.
struct SpatialBody {
  double mass = 1.0;                                      ///< kg
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Identity();  ///< in axes of the body, kg m²
  std::vector<SpatialPoint> points;                       ///< one contact each, in this order
  Eigen::Vector3d position = Eigen::Vector3d::Zero();     ///< of the centre of mass, m
  Eigen::Vector3d rotation = Eigen::Vector3d::Zero();     ///< at contact, R₀ = exp of it, rad
  Material material = {};                                 ///< of every contact
  std::vector<Material> materials = {};                   ///< one per point; empty: all `material`
  std::string name = "body";

  /// All points touching; velocity (v_x, v_y, v_z, ω_x, ω_y, ω_z) in m/s and rad/s.
  State at_contact(const Vector& velocity) const;
  /// The impact that starts in this state. Points further from their obstacle than 1e-9 of the
  /// largest |r_i| share no contact; those that overlap do.
  ImpactProblem impact(const State& state) const { return AnySystem(*this).impact(state); }
  operator AnySystem() const;  // NOLINT(google-explicit-constructor): it is a system
};

template <Same<SpatialPoint> S>
void fields(S& point, auto&& visit) {
  visit(Field{"at", "from the centre of mass, in axes of the body", {}, "m"}.needed(), point.at);
  visit(Field{"normal", "of the obstacle, towards the body"}, point.normal);
  visit(Field{"name", "of the contact"}, point.name);
}
template <Same<SpatialBody> S>
void fields(S& body, auto&& visit) {
  visit(Field{"name", "of the body"}, body.name);
  visit(Field{"rotation_deg", "at contact, a rotation vector"}.in_degrees(), body.rotation);
}

/// A uniform block, upright on its four lower corners on the floor z = 0: sides (a, b, c) along x,
/// y, z in m, mass in kg. Corners count counter-clockwise from (a/2, b/2), "corner 1–floor", ….
SpatialBody block_on_corners(const Eigen::Vector3d& sides, double mass);

/// Inertia of a uniform block about its centre, kg m²: m/12 diag(b² + c², a² + c², a² + b²).
Eigen::Matrix3d block_inertia(const Eigen::Vector3d& sides, double mass);

/// Throws InvalidInput, naming the field, unless the body can be built: the inertia is symmetric,
/// positive definite, and no principal moment exceeds the sum of the two others.
void validate(const SpatialBody& body);

/// A rigid plate that lies level on four feet, or any number of them, on a fixed floor. More than
/// three feet are redundant: the Delassus matrix has rank 3, so velocities after an impact are
/// unique where impulses are not.
///
/// It is a SpatialBody whose coordinates are (z, r_x, r_y): the height of the centre, and the
/// rotation vector about the x and y axes. Level, with foot i at (x_i, y_i),
///
///     M = diag(m, I_x, I_y),   ∇h_i = (1, y_i, −x_i).
///
/// A `sliding` plate also moves along the floor and turns about z: coordinates (x, y, z, r_x, r_y,
/// r_z), M = diag(m, m, m, I_x, I_y, I_z), and two tangents per foot, the velocity of the foot
/// along x and y, with H the height of the centre above the feet:
///
///     (1, 0, 0, 0, −H, −y_i),   (0, 1, 0, H, 0, x_i).
///
/// Without `sliding` the contacts have no tangents: there is no friction.
struct FourFootPlate {
  double length = 1.0;                ///< l, along x, m
  double width = 1.0;                 ///< w, along y, m
  double mass = 1.0;                  ///< m, kg
  std::vector<double> inertias = {};  ///< about x, y, z through the centre, kg m²; empty: those of
                                      ///< a thin uniform plate, m w²/12, m l²/12, m (l² + w²)/12
  std::vector<Point> feet = {};       ///< from the centre, m; empty: the corners, counter-clockwise
                                      ///< from (l/2, w/2)
  bool sliding = false;               ///< free to move along the floor
  double height = 0.0;                ///< H ≥ 0, of the centre above the feet, m
  Material material = {};             ///< of every contact
  std::vector<Material> materials = {};  ///< one per foot; empty: all equal to `material`

  int coordinates() const { return sliding ? 6 : 3; }

  /// All feet on the floor; velocities (v_z, ω_x, ω_y), or (v_x, v_y, v_z, ω_x, ω_y, ω_z) of a
  /// sliding plate, in m/s and rad/s.
  State at_contact(const Vector& velocity) const;
  /// The impact that starts in this state. A foot further from the floor than 1e-9 of the largest
  /// distance of a foot from the centre shares no contact. Contacts are "foot 1–floor", "foot
  /// 2–floor", …
  ImpactProblem impact(const State& state) const { return AnySystem(*this).impact(state); }
  operator AnySystem() const;  // NOLINT(google-explicit-constructor): it is a system
};

template <Same<FourFootPlate> S>
void fields(S& plate, auto&& visit) {
  visit(Field{"length", "along x", Range::positive(), "m"}.needed(), plate.length);
  visit(Field{"width", "along y", Range::positive(), "m"}.needed(), plate.width);
  visit(Field{"mass", "of the plate", Range::positive(), "kg"}.needed(), plate.mass);
  visit(Field{"sliding", "free to move along the floor"}, plate.sliding);
}
void validate(const FourFootPlate& plate);

}  // namespace percute::systems

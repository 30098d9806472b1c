// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/systems/system.hpp>

#include <string>
#include <vector>

namespace percute::systems {

/// A point of a body in space that touches a fixed obstacle.
struct SpatialPoint {
  Eigen::Vector3d at = Eigen::Vector3d::Zero();  ///< from the centre of mass, in axes that turn
                                                 ///< with the body, m
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
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Identity();  ///< about the centre of mass, in axes
                                                          ///< of the body, kg m²
  std::vector<SpatialPoint> points;                       ///< one contact each, in this order
  Eigen::Vector3d position = Eigen::Vector3d::Zero();     ///< of the centre of mass, m
  Eigen::Vector3d rotation = Eigen::Vector3d::Zero();     ///< at contact, R₀ = exp of this
                                                          ///< rotation vector, rad
  Material material = {};                                 ///< of every contact
  std::vector<Material> materials = {};                   ///< one per point; empty: all `material`
  std::string name = "body";

  /// All points touching; velocity (v_x, v_y, v_z, ω_x, ω_y, ω_z) in m/s and rad/s.
  State at_contact(const Vector& velocity) const;
  /// The impact that starts in this state. Points further from their obstacle than 1e-9 of the
  /// largest |r_i| share no contact; those that overlap do.
  ImpactProblem impact(const State& state) const;

  std::vector<Body> bodies() const;
  std::vector<std::string> contact_names(const State& state) const;
};

/// A uniform block, upright on its four lower corners on the floor z = 0: sides (a, b, c) along x,
/// y, z in m, mass in kg. Corners count counter-clockwise from (a/2, b/2), "corner 1–floor", ….
SpatialBody block_on_corners(const Eigen::Vector3d& sides, double mass);

/// Inertia of a uniform block about its centre, kg m²: m/12 diag(b² + c², a² + c², a² + b²).
Eigen::Matrix3d block_inertia(const Eigen::Vector3d& sides, double mass);

/// Throws InvalidInput, naming the field, unless the body can be built: the inertia is symmetric,
/// positive definite, and no principal moment exceeds the sum of the two others. The other
/// functions call it; materials are judged with the problem they end up in.
void validate(const SpatialBody& body);

static_assert(System<SpatialBody>);

}  // namespace percute::systems

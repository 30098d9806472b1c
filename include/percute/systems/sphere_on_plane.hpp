// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/systems/system.hpp>

#include <string>
#include <vector>

namespace percute::systems {

/// A sphere that strikes a fixed plane, moving and spinning: a ball on a court, a superball.
///
/// Velocities are (v, ω) in fixed axes; the plane passes through the origin. With s = −r n,
///
///     M = diag(m 1, β m r² 1),   ∇h = (n, 0),   tangents (t, s × t),
///     A_nn = 1/m,   A_tn = 0,   A_tt = (1 + 1/β)/m · 1:
///
/// normal and tangential motion do not feel each other. If the point of contact comes to rest
/// within the impact, |p_t| = min(μ p_n, β/(1 + β) m |U_t⁻|), 2/7 m |U_t⁻| for a solid sphere.
struct SphereOnPlane {
  double mass = 1.0;                                  ///< kg
  double radius = 0.01;                               ///< m
  double inertia_factor = 0.4;                        ///< β in (0, 1], I = β m r²: 2/5 solid, 2/3
                                                      ///< a thin shell
  Eigen::Vector3d normal = Eigen::Vector3d::UnitZ();  ///< of the plane, towards the sphere; any
                                                      ///< length but zero
  Material material = {};

  /// On the plane, the centre above the origin; m/s and rad/s.
  State at_contact(const Eigen::Vector3d& velocity,
                   const Eigen::Vector3d& spin = Eigen::Vector3d::Zero()) const;
  /// The impact that starts in this state; a sphere above the plane, by more than 1e-9 of its
  /// radius, has no contact.
  ImpactProblem impact(const State& state) const;

  std::vector<Body> bodies() const;
  /// "sphere–plane".
  std::vector<std::string> contact_names(const State& state) const;
};

/// Throws InvalidInput, naming the field, unless the sphere can be built. The other functions call
/// it; the material is judged with the problem it ends up in.
void validate(const SphereOnPlane& sphere);

static_assert(System<SphereOnPlane>);

}  // namespace percute::systems

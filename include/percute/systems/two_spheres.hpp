// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/systems/system.hpp>

#include <array>
#include <string>
#include <vector>

namespace percute::systems {

/// Two spheres that strike each other anywhere, moving and spinning: billiard balls.
///
/// Velocities are (v₁, ω₁, v₂, ω₂) in fixed axes. With n the unit normal from the first centre to
/// the second, s₁ = r₁ n and s₂ = −r₂ n,
///
///     M = diag(m₁ 1, β₁ m₁ r₁² 1, m₂ 1, β₂ m₂ r₂² 1),   ∇h = (−n, 0, n, 0),
///     tangents (−t, −s₁ × t, t, s₂ × t),
///     A_nn = 1/m₁ + 1/m₂,   A_tn = 0,   A_tt = ((1 + 1/β₁)/m₁ + (1 + 1/β₂)/m₂) · 1.
///
/// The sliding velocity is that of the second sphere on the first.
struct TwoSpheres {
  using Pair = std::array<double, 2>;
  using Vectors = std::array<Eigen::Vector3d, 2>;

  Pair masses{1.0, 1.0};           ///< kg
  Pair radii{0.01, 0.01};          ///< m
  Pair inertia_factors{0.4, 0.4};  ///< β in (0, 1], I = β m r²: 2/5 solid, 2/3 a thin shell
  /// At contact, m; as far apart as the sum of the radii, up to 1e-6 of that.
  Vectors centres{Eigen::Vector3d::Zero(), Eigen::Vector3d(0.02, 0.0, 0.0)};
  Material material = {};

  /// Touching; velocities in m/s, spins in rad/s.
  State at_contact(const Vectors& velocities,
                   const Vectors& spins = {Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero()}) const;
  /// The impact that starts in this state; spheres further apart than 1e-6 of the sum of their
  /// radii share no contact.
  ImpactProblem impact(const State& state) const;

  std::vector<Body> bodies() const;
  /// "1–2".
  std::vector<std::string> contact_names(const State& state) const;
};

/// Throws InvalidInput, naming the field, unless the spheres can be built and touch. The other
/// functions call it; the material is judged with the problem it ends up in.
void validate(const TwoSpheres& spheres);

static_assert(System<TwoSpheres>);

}  // namespace percute::systems

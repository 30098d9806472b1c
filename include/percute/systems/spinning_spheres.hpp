// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/model/fields.hpp>
#include <percute/systems/ball_chain.hpp>

#include <array>
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
  double mass = 1.0;            ///< kg
  double radius = 0.01;         ///< m
  double inertia_factor = 0.4;  ///< β in (0, 1], I = β m r²: 2/5 solid
  Eigen::Vector3d normal =
      Eigen::Vector3d::UnitZ();  ///< of the plane, towards the sphere; not zero
  Material material = {};

  /// On the plane, the centre above the origin; m/s and rad/s.
  State at_contact(const Eigen::Vector3d& velocity,
                   const Eigen::Vector3d& spin = Eigen::Vector3d::Zero()) const;
  /// The impact that starts in this state; a sphere above the plane, by more than 1e-9 of its
  /// radius, has no contact. The contact is "sphere–plane".
  ImpactProblem impact(const State& state) const { return AnySystem(*this).impact(state); }
  operator AnySystem() const;  // NOLINT(google-explicit-constructor): it is a system
};

template <Same<SphereOnPlane> S>
void fields(S& sphere, auto&& visit) {
  visit(Field{"radius", "of the sphere", Range::positive(), "m"}.needed(), sphere.radius);
  visit(Field{"inertia_factor", "β, I = β m r²: 0.4 of a solid sphere"}, sphere.inertia_factor);
  visit(Field{"normal", "of the plane, towards the sphere"}, sphere.normal);
}
void validate(const SphereOnPlane& sphere);

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
  /// radii share no contact. The contact is "1–2".
  ImpactProblem impact(const State& state) const { return AnySystem(*this).impact(state); }
  operator AnySystem() const;  // NOLINT(google-explicit-constructor): it is a system
};

/// Throws InvalidInput, naming the field, unless the spheres can be built and touch.
void validate(const TwoSpheres& spheres);

/// Balls in a row along x that also move sideways and spin, so that they rub on each other: what
/// BallChain leaves out. Walls at the ends if wanted.
///
/// In the plane each ball has (x, y, angle), in space (x, y, z, r_x, r_y, r_z), with velocities in
/// fixed axes. Between ball i and ball i + 1, n along x, planar,
///
///     gap rate   ẋ_{i+1} − ẋ_i,
///     sliding    (ẏ_{i+1} − r_{i+1} ω_{i+1}) − (ẏ_i + r_i ω_i),
///
/// in space the same with z, (ż_{i+1} + r_{i+1} ω_{y,i+1}) − (ż_i − r_i ω_{y,i}), beside it. Two
/// neighbouring contacts feel each other in normal direction through the mass of the ball between
/// them, tangentially through its mass and its inertia: an impulse along x makes nothing spin.
struct RotatingChain {
  int balls = 2;                ///< 1 or more
  double mass = 1.0;            ///< of each ball, kg
  double radius = 0.01;         ///< of each ball, m
  double inertia_factor = 0.4;  ///< β in (0, 1], I = β m r²: 2/5 solid sphere, 1/2 disc
  bool spatial = false;         ///< six coordinates per ball instead of three
  Material material = {};       ///< of every contact
  BallChain::Wall wall = BallChain::Wall::None;  ///< fixed walls at the ends
  std::vector<double> masses = {};               ///< one per ball; empty: all equal to `mass`
  std::vector<double> radii = {};                ///< one per ball; empty: all equal to `radius`
  std::vector<Material> materials = {};  ///< one per contact; empty: all equal to `material`
  std::vector<std::string> names = {};   ///< one per ball; empty: "ball 1", "ball 2", …

  int per_ball() const { return spatial ? 6 : 3; }  ///< coordinates
  int coordinates() const { return per_ball() * balls; }
  int contacts() const;

  /// All balls touching in a row, the first at the origin; the velocities of all balls.
  State at_contact(const Vector& velocity) const;
  /// The same with one moving ball, the first: (v_x, v_y, ω), or (v, ω) in space.
  State struck_by(const Vector& first) const;
  /// The impact that starts in this state. Neighbours further apart than 1e-9 of their mean radius
  /// share no contact; those that overlap do. Contacts are "1–2", with walls "wall–1" and "3–wall".
  ImpactProblem impact(const State& state) const { return AnySystem(*this).impact(state); }
  operator AnySystem() const;  // NOLINT(google-explicit-constructor): it is a system
};

template <Same<RotatingChain> S>
void fields(S& chain, auto&& visit) {
  visit(Field{"inertia_factor", "β, I = β m r²: 0.4 of a solid sphere"}, chain.inertia_factor);
  visit(Field{"spatial", "six coordinates per ball instead of three"}, chain.spatial);
}
void validate(const RotatingChain& chain);

}  // namespace percute::systems

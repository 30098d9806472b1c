// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/systems/ball_chain.hpp>

#include <string>
#include <vector>

namespace percute::systems {

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
  /// The impact that starts in this state. Neighbours further apart than 1e-9 of the sum of their
  /// radii share no contact; those that overlap do.
  ImpactProblem impact(const State& state) const;

  std::vector<Body> bodies() const;
  /// "1–2", with walls "wall–1" and "3–wall".
  std::vector<std::string> contact_names(const State& state) const;
};

/// Throws InvalidInput, naming the field, unless the chain can be built. The other functions call
/// it; materials are judged with the problem they end up in.
void validate(const RotatingChain& chain);

static_assert(System<RotatingChain>);

}  // namespace percute::systems

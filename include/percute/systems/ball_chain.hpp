// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/systems/any_system.hpp>
#include <percute/systems/system.hpp>

#include <string>
#include <vector>

namespace percute::systems {

/// Balls on a line, each touching the next: neighbours i and i+1 share a contact with gap rate
/// v_{i+1} − v_i. A fixed wall on the right adds one with gap rate −v of the last ball, a wall on
/// the left one with gap rate v of the first. Contacts are counted from left to right, walls
/// included. Coordinates are the centres x_i, growing to the right; ball 1 starts at x = `first`
/// and the walls stand where the touching chain meets them.
struct BallChain {
  enum class Wall { None, Left, Right, Both };

  int balls = 2;                         ///< 1 or more
  double mass = 1.0;                     ///< of each ball, kg
  double radius = 0.01;                  ///< of each ball, m
  Material material = {};                ///< of every contact
  Wall wall = Wall::None;                ///< fixed walls at the ends
  std::vector<double> masses = {};       ///< one per ball; empty: all equal to `mass`
  std::vector<double> radii = {};        ///< one per ball; empty: all equal to `radius`
  std::vector<Material> materials = {};  ///< one per contact; empty: all equal to `material`
  std::vector<std::string> names = {};   ///< one per ball; empty: "ball 1", "ball 2", …
  double first = 0.0;                    ///< place of the first ball when all touch, m
  double gravity = 0.0;                  ///< m/s², along the line, towards the left: a chain with
                                         ///< a wall on its left may stand on it. For motion only
  BaseMotion base = {};                  ///< acceleration of the walls, to the right; for motion,
                                         ///< which is written in their frame

  bool wall_on_left() const { return wall == Wall::Left || wall == Wall::Both; }
  bool wall_on_right() const { return wall == Wall::Right || wall == Wall::Both; }
  int contacts() const { return balls - 1 + (wall_on_left() ? 1 : 0) + (wall_on_right() ? 1 : 0); }

  /// All balls touching; the first `strikers` of them move at `speed` (m/s), the others are at
  /// rest.
  State at_contact(double speed, int strikers = 1) const;
  /// All balls touching; the first `strikers` of them move at `speed` (m/s), the last `strikers` at
  /// −`speed`, those between are at rest.
  State struck_at_both_ends(double speed, int strikers = 1) const;
  /// All balls touching, with the given velocities.
  State at_contact(const Vector& velocity) const;
  /// Apart by these gaps ≥ 0 (m), one per contact from left to right, with the given velocities.
  /// Walls at both ends leave no room for that.
  State apart(const Vector& gaps, const Vector& velocity) const;
  /// The impact that starts in this state. Balls further apart than 1e-9 of their mean radius share
  /// no contact; those that overlap do.
  ImpactProblem impact(const State& state) const;

  std::vector<Body> bodies() const;
  /// "1–2", with walls "wall–1" and "3–wall".
  std::vector<std::string> contact_names(const State& state) const;

  /// The chain as the methods of percute::simulation move it: M = diag(m_i), f_i = −m_i (g + a(t)).
  operator AnySystem() const;  // NOLINT(google-explicit-constructor): it is a moving system
};

/// The same chain with another mass of its first ball, kg: a heavy or a light striker.
BallChain with_striker_mass(BallChain chain, double mass);

/// Throws InvalidInput, naming the field, unless the chain can be built. The other functions call
/// it; materials are judged with the problem they end up in.
void validate(const BallChain& chain);

static_assert(System<BallChain>);

}  // namespace percute::systems

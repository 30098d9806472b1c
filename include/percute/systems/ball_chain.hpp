// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/model/fields.hpp>
#include <percute/systems/any_system.hpp>

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
  BaseMotion base = {};                  ///< of the walls, to the right; for motion only

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
  /// no contact; those that overlap do. Contacts are "1–2", with walls "wall–1" and "3–wall".
  ImpactProblem impact(const State& state) const { return AnySystem(*this).impact(state); }

  /// The chain as the methods of percute::simulation move it: M = diag(m_i), f_i = −m_i (g + a(t)).
  operator AnySystem() const;  // NOLINT(google-explicit-constructor): it is a moving system
};

template <Same<BallChain> S>
void fields(S& chain, auto&& visit) {
  visit(Field{"gravity", "along the line, towards the left, for motion only", {}, "m/s²"},
        chain.gravity);
}

/// The same chain with another mass of its first ball, kg: a heavy or a light striker.
BallChain with_striker_mass(BallChain chain, double mass);
void validate(const BallChain& chain);

/// A column of equal beads that falls on a fixed wall, as in the experiments of Falcon, Laroche,
/// Fauve and Coste (1998, Eur. Phys. J. B 5, 111) that Liu, Zhao and Brogliato (2008, section 9)
/// compute.
///
/// Coordinates are the heights z_i of the centres, positive upwards; the wall is z = 0 and bead 1
/// is on it. Contact 1 is that of bead 1 with the wall, gap rate v_1; contact i+1 that of beads i
/// and i+1, gap rate v_{i+1} − v_i. Stiffnesses may come from what beads and wall are made of, or
/// from a measured time (hertz.hpp). Gravity brings the column to its speed and is left out of the
/// impact. In motion the wall may vibrate; heights are then above the wall.
struct BeadColumn {
  int beads = 1;           ///< 1 or more
  double mass = 1.0;       ///< of each bead, kg
  double radius = 0.01;    ///< of each bead, m
  Material material = {};  ///< of the contacts between beads
  Material wall = {};      ///< of the contact of bead 1 with the wall
  double gravity = 0.0;    ///< g ≥ 0, m/s², downwards; for motion only
  BaseMotion base = {};    ///< acceleration of the wall, upwards; for motion only

  /// Touching each other and the wall, all coming down at `speed` ≥ 0 (m/s): v = −speed.
  State at_contact(double speed) const;
  /// Touching each other and the wall, with the given velocities (positive upwards).
  State at_contact(const Vector& velocity) const;
  /// As they reach the wall after falling freely through `height` (m): v = −√(2 g h).
  State dropped_from(double height, double g) const;
  /// Touching each other, the lowest point `height` ≥ 0 (m) above the wall, with the velocity of
  /// all of them, m/s, positive upwards.
  State above(double height, double velocity = 0.0) const;
  /// The impact that starts in this state. Beads further apart than 1e-9 of their radius share no
  /// contact; those that overlap do. Bodies are "bead 1", on the wall, to "bead N", on top.
  /// Contacts are "wall–1", "1–2", …
  ImpactProblem impact(const State& state) const { return AnySystem(*this).impact(state); }

  /// The same as a chain with a wall on its left: x is the height.
  BallChain chain() const;
  operator AnySystem() const;  // NOLINT(google-explicit-constructor): it is a moving system
};

template <Same<BeadColumn> S>
void fields(S& column, auto&& visit) {
  visit(Field{"beads", "how many", Range::count()}.needed(), column.beads);
  visit(Field{"radius", "of each bead", Range::positive(), "m"}, column.radius);
  visit(kGravity, column.gravity);
}
void validate(const BeadColumn& column);

/// Balls on top of each other on a fixed floor, falling together: a tennis ball on a basketball.
///
/// Coordinates are the heights z_i of the centres, positive upwards; the floor is z = 0 and ball 1
/// is the lowest. Contact 1 is that of ball 1 with the floor, gap rate v_1; contact i+1 that of
/// balls i and i+1, gap rate v_{i+1} − v_i.
///
/// Inflated balls have the stiffness of their pressure and contact exponent 1: with
/// k_i = 2 π p_i R_i, K = k_1 on the floor and 1/K = 1/k_i + 1/k_{i+1} between two balls
/// (Liu, Zhao, Brogliato 2008, section 8, eqs (107)–(113)). Only ratios of the K matter for the
/// velocities.
struct StackedBalls {
  std::vector<double> masses;             ///< kg, from the lowest ball to the highest
  std::vector<double> radii;              ///< m, one per ball
  std::vector<double> pressures = {};     ///< Pa, one per ball; empty: `material` has the stiffness
  Material material = {.exponent = 1.0};  ///< of every contact; with pressures, its stiffness and
                                          ///< exponent give way to those of the pressure
  std::vector<Material> materials = {};   ///< one per contact, from the floor up; empty: `material`
  std::vector<std::string> names = {};    ///< one per ball; empty: "ball 1", "ball 2", …

  int balls() const { return static_cast<int>(masses.size()); }

  /// Touching each other and the floor, all falling at `drop_speed` ≥ 0 (m/s): v = −drop_speed.
  State at_contact(double drop_speed) const;
  /// Touching each other and the floor, with the given velocities (positive upwards).
  State at_contact(const Vector& velocity) const;
  /// As they reach the floor after falling freely through `height` (m): v = −√(2 g h).
  State dropped_from(double height, double gravity) const;
  /// The impact that starts in this state. Balls further apart than 1e-9 of their mean radius share
  /// no contact; those that overlap do. Contacts are "1–floor", "1–2", …
  ImpactProblem impact(const State& state) const { return AnySystem(*this).impact(state); }

  /// The same as a chain with a wall on its left: x is the height.
  BallChain chain() const;
  operator AnySystem() const;  // NOLINT(google-explicit-constructor): it is a system
};
void validate(const StackedBalls& stack);

/// A ball above a floor, in free fall:
///
///     m q″ = −m g + λ,   h(q) = q ≥ 0.
///
/// The coordinate q is the height of the lowest point of the ball, so that a small gap keeps all
/// its digits and the radius has no part in the motion.
struct BouncingBall {
  double mass = 1.0;       ///< kg
  double gravity = 0.0;    ///< g ≥ 0, m/s²
  double radius = 0.0;     ///< m, ≥ 0; for who draws the ball
  Material material = {};  ///< of the contact

  /// Its lowest point at a height, m, with a velocity upwards, m/s.
  State at(double height, double velocity = 0.0) const;

  /// The impact that starts in this state; higher than 1e-9 of its radius there is no contact.
  /// The contact is "ball–floor".
  ImpactProblem impact(const State& state) const { return AnySystem(*this).impact(state); }

  operator AnySystem() const;  // NOLINT(google-explicit-constructor): a ball is a moving system
};

template <Same<BouncingBall> S>
void fields(S& ball, auto&& visit) {
  visit(Field{"mass", "of the ball", Range::positive(), "kg"}.needed(), ball.mass);
  visit(Field{"radius", "for who draws the ball", Range::not_negative(), "m"}, ball.radius);
  visit(Field{"gravity", "downwards", Range::not_negative(), "m/s²"}, ball.gravity);
}
void validate(const BouncingBall& ball);

}  // namespace percute::systems

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/model/fields.hpp>
#include <percute/systems/any_system.hpp>

#include <string>
#include <vector>

namespace percute::systems {

/// A fixed wall of the plane: a line through `point`. Balls are on the side `normal` points to.
struct PlaneWall {
  Point point = Point::Zero();    ///< m
  Point normal = Point::UnitY();  ///< any length but zero
  std::string name = {};  ///< in the names of contacts; empty: "wall", or "wall 2" of several
};

/// Balls whose centres move in a plane, touching wherever their distance says so, and walls.
///
/// Coordinates are (x_1, y_1, x_2, y_2, …). Balls i < j touch when the distance of their centres
/// is r_i + r_j up to `touch_tolerance` (r_i + r_j); with n the unit normal from the first to the
/// second, the gap rate is n · (v_j − v_i). A ball touches a wall when its centre is at distance
/// r_i, up to the same part of r_i; then the gap rate is n · v_i. Balls do not spin: there is no
/// friction. Contacts are ordered by their first ball, then their second; those with walls come
/// last.
struct BallCluster {
  std::vector<Point> positions;          ///< centres at contact, m; one per ball
  double mass = 1.0;                     ///< of each ball, kg
  double radius = 0.01;                  ///< of each ball, m
  Material material = {};                ///< of every contact
  std::vector<double> masses = {};       ///< one per ball; empty: all equal to `mass`
  std::vector<double> radii = {};        ///< one per ball; empty: all equal to `radius`
  std::vector<PlaneWall> walls = {};     ///< fixed
  std::vector<Material> materials = {};  ///< one per contact of the state; empty: all `material`
  std::vector<std::string> names = {};   ///< one per ball; empty: "ball 1", "ball 2", …
  double touch_tolerance = 1e-6;         ///< relative, in (0, 0.1]; the default suits positions
                                         ///< written with seven digits

  int balls() const { return static_cast<int>(positions.size()); }

  /// The balls at `positions`; ball `striker` (counted from 0) has a velocity, the others none.
  State at_contact(int striker, const Point& velocity) const;
  /// The balls at `positions` with one velocity per ball, m/s.
  State at_contact(const std::vector<Point>& velocities) const;
  /// The impact that starts in this state. Throws InvalidInput if two balls, or a ball and a wall,
  /// overlap by more than the tolerance. Time grows like the number of balls.
  ImpactProblem impact(const State& state) const { return touching(state.position).impact(state); }
  /// The same as a system, with the contacts that it has at this position.
  AnySystem touching(const Vector& position) const;

  std::vector<Body> bodies() const;
  /// "1–2", with walls "3–wall", or "3–wall 1" where there are several.
  std::vector<std::string> contact_names(const State& state) const {
    return touching(state.position).contact_names(state);
  }
};

template <Same<PlaneWall> S>
void fields(S& wall, auto&& visit) {
  visit(Field{"point", "of the line", {}, "m"}.needed(), wall.point);
  visit(Field{"normal", "to where the balls are"}.needed(), wall.normal);
  visit(Field{"name", "in the names of contacts"}, wall.name);
}
template <Same<BallCluster> S>
void fields(S& cluster, auto&& visit) {
  visit(Field{"touch_tolerance", "largest gap, in radii"}, cluster.touch_tolerance);
}
void validate(const BallCluster& cluster);

/// Equal balls in a triangle, and a ball about to strike its apex along x: the striker, "cue", is
/// the first; the others, "ball 1" (the apex), "ball 2", …, follow row by row, each row from small
/// to large y. `rows` is from 1 to 1000.
BallCluster rack(int rows, double radius);

/// Bernoulli's problem: ball 2, at the origin, strikes balls 1 (y > 0) and 3 (y < 0) at once. The
/// lines of centres make ±half_angle (rad, in (0, π/2)) with x, along which ball 2 moves. Balls 1
/// and 3 stay clear of each other if struck_radius < (struck_radius + radius) sin(half_angle).
BallCluster bernoulli(double half_angle, double radius, double struck_radius);

/// Four equal balls in a rhombus: ball 2 at the origin, 1 (y > 0) and 3 (y < 0) beside it at
/// ±half_angle, 4 at the far end, all on their own from π/6 to π/3 (rad); at π/3 balls 2 and 4
/// touch as well, at π/6 balls 1 and 3 (Liu, Zhao, Brogliato 2009, section 4c).
BallCluster four_balls(double half_angle, double radius);

}  // namespace percute::systems

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/model/fields.hpp>
#include <percute/systems/any_system.hpp>

#include <array>
#include <numbers>
#include <string>
#include <vector>

namespace percute::systems {

/// Two uniform rods, hinged to each other and to a fixed point; the free end, the tip, touches a
/// fixed floor, and a vertical wall if wanted. With friction, some impact laws make energy here:
/// Kane's example (Kane 1984; Brogliato 2024, hal-04673788).
///
/// Coordinates are (θ_1, θ_2), the angles of the rods from the downward vertical,
/// counter-clockwise, both in fixed axes. With masses m and lengths l,
///
///     M = [ m_1 l_1²/3 + m_2 l_1²            m_2 l_1 l_2 cos(θ_1 − θ_2)/2 ]
///         [ m_2 l_1 l_2 cos(θ_1 − θ_2)/2     m_2 l_2²/3                   ],
///     ∇x = (l_1 cos θ_1, l_2 cos θ_2),   ∇y = (l_1 sin θ_1, l_2 sin θ_2)
///
/// for the place (x, y) of the tip. Floor: gap rate ∇y · v, sliding ∇x · v. A wall on the left of
/// the tip: gap rate ∇x · v, sliding −∇y · v; on the right both with the other sign. Floor and wall
/// are where the tip is at contact; only the tip touches them.
struct DoublePendulum {
  enum class Wall { None, Left, Right };

  std::array<double, 2> masses = {1.0, 1.0};   ///< of the rods, kg
  std::array<double, 2> lengths = {1.0, 1.0};  ///< of the rods, m
  std::array<double, 2> angles = {std::numbers::pi / 9.0, std::numbers::pi / 6.0};  ///< at contact
  Wall wall = Wall::None;
  Material material = {};                ///< of every contact
  std::vector<Material> materials = {};  ///< floor, wall; empty: all equal to `material`
  double gravity = 0.0;                  ///< g ≥ 0, m/s², downwards; for motion only

  int contacts() const { return wall == Wall::None ? 1 : 2; }

  /// Tip on the floor, and on the wall if there is one; rates (θ_1′, θ_2′) in rad/s.
  State at_contact(const Eigen::Vector2d& rates) const;
  /// Rods at these angles from the downward vertical, rad, turning at these rates, rad/s.
  State at(const Eigen::Vector2d& start, const Eigen::Vector2d& rates) const;
  /// The impact that starts in this state. A floor or wall further from the tip than 1e-9 (l_1 +
  /// l_2) shares no contact. Contacts are "tip–floor", "tip–wall".
  ImpactProblem impact(const State& state) const { return AnySystem(*this).impact(state); }

  /// The pendulum as the methods of percute::simulation move it.
  operator AnySystem() const;  // NOLINT(google-explicit-constructor): it is a moving system
};

constexpr Names<DoublePendulum::Wall, 3> names(DoublePendulum::Wall) {
  return {{{"none", DoublePendulum::Wall::None},
           {"left", DoublePendulum::Wall::Left},
           {"right", DoublePendulum::Wall::Right}}};
}
template <Same<DoublePendulum> S>
void fields(S& pendulum, auto&& visit) {
  visit(Field{"masses", "of the rods", Range::positive(), "kg"}.needed(), pendulum.masses);
  visit(Field{"lengths", "of the rods", Range::positive(), "m"}.needed(), pendulum.lengths);
  visit(Field{"angles_deg", "of the rods at contact, from the vertical"}.in_degrees().needed(),
        pendulum.angles);
  visit(Field{"wall", "on which side of the tip"}, pendulum.wall);
  visit(kGravity, pendulum.gravity);
}

/// Throws InvalidInput, naming the field, unless the pendulum can be built and can move its tip
/// towards the floor (and the wall).
void validate(const DoublePendulum& pendulum);

/// A fixed half-plane that the end of one rod cannot enter.
struct PendulumObstacle {
  int rod = 1;                    ///< whose end touches, counted from 1, the hanging one
  Point normal = Point::UnitY();  ///< out of the obstacle; any length but zero
  Point through = Point::Zero();  ///< a point of its border, from the fixed point, m
  std::string name = {};          ///< of the contact; empty: "rod 2–obstacle 1"
};

/// Uniform rods, hinged one to the next and the first to a fixed point, whose ends strike floors
/// and walls.
///
/// Coordinates are the angles θ_j of the rods from the downward vertical, counter-clockwise, all in
/// fixed axes, with y up. With w_j = m_j/2 + Σ_{k>j} m_k and μ_jj = m_j/3 + Σ_{k>j} m_k,
/// μ_ij = w_max(i,j),
///
///     M_ij = μ_ij l_i l_j cos(θ_i − θ_j),
///     f_i = −Σ_j μ_ij l_i l_j sin(θ_i − θ_j) θ_j′² − g w_i l_i sin θ_i,
///     h = n · (Σ_{j≤rod} l_j (sin θ_j, −cos θ_j) − through),   tangent by t = (n_y, −n_x).
///
/// Rods pass through each other; a contact for each obstacle, in their order.
struct MultiplePendulum {
  std::vector<double> masses = {1.0};            ///< of the rods, from the fixed point, kg
  std::vector<double> lengths = {1.0};           ///< one per rod, m
  std::vector<PendulumObstacle> obstacles = {};  ///< at least one
  double gravity = 0.0;                          ///< g ≥ 0, m/s², downwards; for motion only
  Material material = {};                        ///< of every contact
  std::vector<Material> materials = {};  ///< one per obstacle; empty: all equal to `material`

  /// Rods at these angles, rad, turning at these rates, rad/s.
  State at(const Vector& angles, const Vector& rates) const;
  /// The impact that starts in this state. Obstacles further away than 1e-9 of the length of all
  /// rods share no contact.
  ImpactProblem impact(const State& state) const { return AnySystem(*this).impact(state); }

  /// The pendulum as the methods of percute::simulation move it.
  operator AnySystem() const;  // NOLINT(google-explicit-constructor): it is a moving system
};

template <Same<PendulumObstacle> S>
void fields(S& obstacle, auto&& visit) {
  visit(Field{"rod", "whose end touches, from 1", Range::count()}, obstacle.rod);
  visit(Field{"normal", "out of the obstacle"}.needed(), obstacle.normal);
  visit(Field{"through", "a point of its border, from the fixed point", {}, "m"}.needed(),
        obstacle.through);
  visit(Field{"name", "of the contact"}, obstacle.name);
}
template <Same<MultiplePendulum> S>
void fields(S& pendulum, auto&& visit) {
  visit(Field{"masses", "of the rods", Range::positive(), "kg"}.needed(), pendulum.masses);
  visit(Field{"lengths", "of the rods", Range::positive(), "m"}.needed(), pendulum.lengths);
  visit(kGravity, pendulum.gravity);
}
void validate(const MultiplePendulum& pendulum);

}  // namespace percute::systems

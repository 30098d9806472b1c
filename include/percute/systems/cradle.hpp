// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/model/fields.hpp>
#include <percute/systems/any_system.hpp>

#include <string>
#include <vector>

namespace percute::systems {

/// Newton's cradle: balls in a row, each on its string (or on two, so that it does not turn).
///
/// Coordinates are θ_i, the angles of the strings from the downward vertical, positive to the
/// right, in rad. Pivot i is at x = i d, d = 2R + spacing, the centre of its ball a length L below:
///
///     M = diag(m_i L²),   f_i = −m_i g L sin θ_i,   U = Σ m_i g L (1 − cos θ_i).
///
/// Contact i is that of balls i and i+1 = a, b; with D the distance of their centres,
///
///     h = D − 2R = (D² − 4R²)/(D + 2R),
///     D² − 4R² = spacing (spacing + 4R) + 4 d L cos((a + b)/2) sin((b − a)/2)
///                + 4 L² sin²((b − a)/2),
///
/// which keeps the digits of gaps that are small beside the balls. Contacts have no friction.
struct Cradle {
  int balls = 5;                         ///< 1 or more
  double mass = 1.0;                     ///< of each ball, kg
  double radius = 0.05;                  ///< R, of each ball, m
  double length = 0.5;                   ///< L, from the pivot to the centre of the ball, m
  double spacing = 0.0;                  ///< between neighbours that hang down, m; ≥ 0
  double gravity = 0.0;                  ///< g ≥ 0, m/s²; for motion, impacts do not feel it
  Material material = {};                ///< of every contact
  std::vector<double> masses = {};       ///< one per ball; empty: all equal to `mass`
  std::vector<Material> materials = {};  ///< one per contact; empty: all equal to `material`

  /// All hanging down, with these velocities of the balls, m/s: θ_i′ = v_i/L.
  State at_contact(const Vector& velocity) const;
  /// Strings at these angles, rad, turning at these rates, rad/s.
  State at(const Vector& angles, const Vector& rates) const;
  /// The impact that starts in this state. Balls further apart than 1e-9 of their radius share no
  /// contact; those that overlap do. Contacts are "1–2", "2–3", …
  ImpactProblem impact(const State& state) const { return AnySystem(*this).impact(state); }

  /// The cradle as the methods of percute::simulation move it.
  operator AnySystem() const;  // NOLINT(google-explicit-constructor): it is a moving system
};

template <Same<Cradle> S>
void fields(S& cradle, auto&& visit) {
  visit(Field{"balls", "how many", Range::count()}, cradle.balls);
  visit(Field{"radius", "of each ball", Range::positive(), "m"}.needed(), cradle.radius);
  visit(
      Field{"length", "from the pivot to the centre of the ball", Range::positive(), "m"}.needed(),
      cradle.length);
  visit(Field{"spacing", "between neighbours that hang down", Range::not_negative(), "m"},
        cradle.spacing);
  visit(kGravity, cradle.gravity);
}
void validate(const Cradle& cradle);

}  // namespace percute::systems

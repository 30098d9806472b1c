// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/systems/planar_body.hpp>

#include <optional>
#include <string>
#include <vector>

namespace percute::systems {

/// Balls fixed to a straight rod without mass that falls on a floor y = 0 in a plane: a dimer if
/// there are two of them (Dorbolo et al. 2005; Liu, Zhao, Brogliato 2009), and any number.
///
/// Coordinates are (x, y, φ) of the centre of mass, as for any PlanarBody; the rod points along φ.
/// Ball i, at the distance a_i along the rod from the centre of mass, touches below its centre:
///
///     h_i = y + a_i sin φ − r_i,   ∇h_i = (0, 1, a_i cos φ),   tangent (1, 0, −a_i sin φ + r_i).
///
/// The balls do not turn on the rod: I = Σ m_i (a_i² + ⅖ r_i²). Three equal balls on a floor are
/// one contact too many.
struct BallRod {
  std::vector<double> places = {};       ///< of the balls along the rod, from anywhere, growing, m
  std::vector<double> masses = {};       ///< one per ball, kg
  std::vector<double> radii = {};        ///< one per ball, m
  std::optional<double> inertia = {};    ///< about the centre of mass, kg m²; none: as above
  std::optional<double> angle = {};      ///< φ at contact, rad; none: the first and the last ball
                                         ///< lie on the floor. Otherwise the lowest one does, for
                                         ///< φ > 0 and equal radii the first
  Material material = {};                ///< of every contact
  std::vector<Material> materials = {};  ///< one per ball; empty: all equal to `material`
  std::string name = "rod";
  double gravity = 0.0;        ///< g ≥ 0, m/s², downwards; for motion only
  PlanarBaseMotion base = {};  ///< acceleration of the floor; for motion, which is written in its
                               ///< frame

  /// On the floor; velocity (v_x, v_y, ω) of the centre of mass in m/s and rad/s.
  State at_contact(const Eigen::Vector3d& velocity) const;
  /// At an angle, rad, its lowest ball `height` ≥ 0 (m) above the floor.
  State above(double height, double phi, const Eigen::Vector3d& velocity) const;
  /// The impact that starts in this state. Balls higher than 1e-9 of the length of the rod share no
  /// contact; those that overlap with the floor do.
  ImpactProblem impact(const State& state) const;

  std::vector<Body> bodies() const;
  /// "ball 1–floor", "ball 2–floor", …
  std::vector<std::string> contact_names(const State& state) const;

  /// The rod as the methods of percute::simulation move it: f = −m (a_x, g + a_y, 0).
  operator AnySystem() const;  // NOLINT(google-explicit-constructor): it is a moving system
};

/// Two equal balls whose centres are `length` apart, m; the mass is that of each, kg.
BallRod ball_dimer(double length, double radius, double mass);

/// Three equal balls, one of them in the middle of a rod of this length.
BallRod three_ball_rod(double length, double radius, double mass);

/// Throws InvalidInput, naming the field, unless the rod can be built. The other functions call it;
/// materials are judged with the problem they end up in.
void validate(const BallRod& rod);

static_assert(System<BallRod>);

}  // namespace percute::systems

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/systems/system.hpp>

#include <string>
#include <vector>

namespace percute::systems {

/// A rigid plate that lies level on four feet, or any number of them, on a fixed floor. More than
/// three feet are redundant: the Delassus matrix has rank 3, so velocities after an impact are
/// unique where impulses are not.
///
/// Coordinates are (z, r_x, r_y): the height of the centre, and small rotations about the x and y
/// axes. With foot i at (x_i, y_i),
///
///     M = diag(m, I_x, I_y),   h_i = z + y_i r_x − x_i r_y − height,   ∇h_i = (1, y_i, −x_i).
///
/// A `sliding` plate also moves along the floor and turns about z: coordinates (x, y, z, r_x, r_y,
/// r_z), M = diag(m, m, m, I_x, I_y, I_z), and two tangents per foot, the velocity of the foot
/// along x and y, with H the height of the centre above the feet:
///
///     (1, 0, 0, 0, −H, −y_i),   (0, 1, 0, H, 0, x_i).
///
/// Without `sliding` the contacts have no tangents: there is no friction.
struct FourFootPlate {
  double length = 1.0;                ///< l, along x, m
  double width = 1.0;                 ///< w, along y, m
  double mass = 1.0;                  ///< m, kg
  std::vector<double> inertias = {};  ///< about x, y, z through the centre, kg m²; empty: those of
                                      ///< a thin uniform plate, m w²/12, m l²/12, m (l² + w²)/12
  std::vector<Point> feet = {};       ///< from the centre, m; empty: the corners, counter-clockwise
                                      ///< from (l/2, w/2)
  bool sliding = false;               ///< free to move along the floor
  double height = 0.0;                ///< H ≥ 0, of the centre above the feet, m
  Material material = {};             ///< of every contact
  std::vector<Material> materials = {};  ///< one per foot; empty: all equal to `material`

  int coordinates() const { return sliding ? 6 : 3; }

  /// All feet on the floor; velocities (v_z, ω_x, ω_y), or (v_x, v_y, v_z, ω_x, ω_y, ω_z) of a
  /// sliding plate, in m/s and rad/s.
  State at_contact(const Vector& velocity) const;
  /// The impact that starts in this state. A foot further from the floor than 1e-9 of the size of
  /// the plate shares no contact.
  ImpactProblem impact(const State& state) const;

  std::vector<Body> bodies() const;
  /// "foot 1–floor", "foot 2–floor", …
  std::vector<std::string> contact_names(const State& state) const;
};

/// Throws InvalidInput, naming the field, unless the plate can be built. The other functions call
/// it; materials are judged with the problem they end up in.
void validate(const FourFootPlate& plate);

static_assert(System<FourFootPlate>);

}  // namespace percute::systems

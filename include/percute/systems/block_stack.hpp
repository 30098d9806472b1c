// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/systems/any_system.hpp>

#include <string>
#include <vector>

namespace percute::systems {

/// Rectangular blocks on top of each other in a plane, the lowest one on a fixed floor y = 0. Each
/// touches what is below it at two points, the ends of the width they share.
///
/// Coordinates are (x, y, φ) of every centre, from below. A contact is that of a corner of one
/// block with a face of the other, the corner being that of the upper block unless it sticks out.
/// With n the normal of the face, upwards, t = (n_y, −n_x), and s the place of the corner from the
/// centres of the upper and lower block,
///
///     gap rate n · (v_u + ω_u × s_u − v_l − ω_l × s_l),   sliding t · (the same),
///
/// so sliding is positive when the upper block moves to the right of the lower one. M = diag(m, m,
/// I).
struct BlockStack {
  std::vector<double> widths = {};       ///< m, from below; as many as there are blocks
  std::vector<double> heights = {};      ///< m
  std::vector<double> masses = {};       ///< kg; uniform, I = m (b² + h²)/12
  std::vector<double> offsets = {};      ///< x of the centres at contact, m; empty: all 0
  Material material = {};                ///< of every contact
  std::vector<Material> materials = {};  ///< one per contact, two per block; empty: all `material`
  std::vector<std::string> names = {};   ///< one per block; empty: "block 1", "block 2", …

  int blocks() const { return static_cast<int>(widths.size()); }

  /// Upright, all touching; velocities (v_x, v_y, ω) of every block in m/s and rad/s.
  State at_contact(const Vector& velocity) const;
  /// Upright, all touching, falling together at this speed, m/s.
  State falling(double speed) const;
  /// The impact that starts in this state. Corners further from their face than 1e-9 of the size of
  /// the stack share no contact; those that overlap do. Contacts are "1 left–floor", "1
  /// right–floor", "2 left–1", "2 right–1", …
  ImpactProblem impact(const State& state) const { return AnySystem(*this).impact(state); }
  operator AnySystem() const;  // NOLINT(google-explicit-constructor): it is a system
};

/// Throws InvalidInput, naming the field, unless the stack can be built and every block rests on
/// the one below.
void validate(const BlockStack& stack);

}  // namespace percute::systems

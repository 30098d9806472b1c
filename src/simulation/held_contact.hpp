// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <Eigen/Core>

namespace percute::simulation {

/// A contact that is held closed.
struct HeldContact {
  enum class Friction { None, Sticks, Slides };

  int contact = 0;
  /// Whether it takes part with a force. One that does not stays closed all the same: it is
  /// redundant, or what it touches moves along with it.
  bool loaded = true;
  double slack = 0.0;  ///< m/s²: accelerations of the gap up to this were none when it was settled
  Friction friction = Friction::None;
  /// Unit vector of sliding in terms of the contact's tangents; one number where there is one.
  Eigen::Vector2d direction = Eigen::Vector2d::Zero();
};

}  // namespace percute::simulation

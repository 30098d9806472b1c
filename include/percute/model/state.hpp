// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/numerics/linear_algebra.hpp>

namespace percute {

/// Where a system is and how it moves.
struct State {
  Vector position;  ///< q, generalised coordinates
  Vector velocity;  ///< v, generalised velocities
};

}  // namespace percute

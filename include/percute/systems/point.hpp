// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/numerics/linear_algebra.hpp>

namespace percute::systems {

/// A point or a vector of the plane, (x, y).
using Point = Eigen::Vector2d;

}  // namespace percute::systems

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <algorithm>
#include <cmath>

namespace percute::numerics {

/// Euclidean projection of x = (x_n, x_t), `size` entries (1, 2 or 3), normal first, on the
/// friction cone cut off below,
///
///   C = { p : |p_t| ≤ μ p_n, p_n ≥ floor },   μ ∈ [0, ∞], floor ≥ 0.
///
/// With floor = 0 this is Coulomb's cone K. μ = ∞: the half-space p_n ≥ floor. Where the projection
/// on K lies below the floor, the nearest point is on the disc p_n = floor.
inline void project_on_friction_cone(double* x, int size, double friction, double floor = 0.0) {
  const double t1 = size > 1 ? x[1] : 0.0;
  const double t2 = size > 2 ? x[2] : 0.0;
  const double length = std::hypot(t1, t2);
  double normal = x[0];
  double radius = length;
  if (size == 1 || std::isinf(friction)) {
    normal = std::max(normal, floor);
  } else if (length > friction * normal) {
    // Nearest point of the boundary ray through x_t, the apex where x lies in the polar cone.
    normal = std::max((normal + friction * length) / (1.0 + friction * friction), floor);
    radius = std::min(length, friction * normal);
    if (normal <= 0.0) radius = 0.0;
  } else if (normal < floor) {
    normal = floor;  // then |x_t| ≤ μ x_n < μ floor
  }
  x[0] = std::max(normal, 0.0);
  if (radius < length) {
    const double factor = radius / length;
    if (size > 1) x[1] *= factor;
    if (size > 2) x[2] *= factor;
  }
}

}  // namespace percute::numerics

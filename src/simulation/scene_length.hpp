// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/systems/any_system.hpp>

#include <algorithm>
#include <cmath>

namespace percute::simulation {

/// The length that lengths of a scene are small or large against: the largest distance, from centre
/// to centre, of bodies that can touch. Gaps h between bodies are distances less what is fixed, so
/// that ∇h · q is the distance itself (Euler), wherever the origin of two that move is. Metres
/// where a scene tells no length, all its coordinates being 0.
inline double scene_length(const systems::AnySystem& system, const Vector& q) {
  Vector gaps(system.contacts());
  Vector column(system.coordinates());
  system.gaps(q, gaps);
  double length = 0.0;
  for (int i = 0; i < system.contacts(); ++i) {
    system.gradient(i, q, column);
    length = std::max({length, std::abs(column.dot(q)), std::abs(gaps[i])});
  }
  return length > 0.0 && std::isfinite(length) ? length : 1.0;
}

/// Of the scene: what positions written with ten digits may overlap, or be apart and still touch.
inline constexpr double kTenDigits = 1e-9;

}  // namespace percute::simulation

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/model/invalid_input.hpp>

#include <string>
#include <unordered_map>
#include <vector>

namespace percute::systems {

// What the contact points of a body have in common, in the plane and in space.

/// "points[2]".
inline std::string point_entry(std::size_t i) {
  return "points[" + std::to_string(i) + "]";
}

/// Name of the contact of point i.
template <class BodyPoint>
std::string point_name(const std::vector<BodyPoint>& points, std::size_t i) {
  return points[i].name.empty() ? "point " + std::to_string(i + 1) : points[i].name;
}

/// At least one point, and names that are all different.
template <class BodyPoint>
void require_points(const std::vector<BodyPoint>& points) {
  if (points.empty()) throw InvalidInput("points", "is empty; a body touches at one at least");
  std::unordered_map<std::string, std::size_t> seen;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto [other, fresh] = seen.emplace(point_name(points, i), i);
    if (!fresh) {
      throw InvalidInput(point_entry(i) + ".name", "is the same as that of " +
                                                       point_entry(other->second) +
                                                       "; every contact needs a name of its own");
    }
  }
}

}  // namespace percute::systems

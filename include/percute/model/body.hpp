// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace percute {

/// Coordinates that move together, and what to call them.
struct Body {
  std::string name;
  std::vector<int> coordinates;         ///< indices into the generalised coordinates
  std::vector<std::string> axes = {};   ///< one per coordinate, e.g. "x", "y"; empty: numbered
  std::vector<std::string> units = {};  ///< of velocities, one per coordinate, "" if unknown;
                                        ///< empty: all m/s

  /// Name of coordinate k of this body: "ball 1" if it is the only one, else "ball 1 y", or
  /// "block (2)" where the axes have no names.
  std::string coordinate_name(std::size_t k) const {
    if (coordinates.size() == 1) return name;
    return axes.empty() ? name + " (" + std::to_string(k + 1) + ")" : name + " " + axes[k];
  }

  /// Unit of the velocity of coordinate k of this body: "m/s", "rad/s", or "" if unknown.
  std::string unit(std::size_t k) const { return units.empty() ? "m/s" : units[k]; }
};

}  // namespace percute

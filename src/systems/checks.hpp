// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/model/body.hpp>
#include <percute/model/state.hpp>
#include <percute/systems/system.hpp>

#include <string>
#include <vector>

namespace percute::systems {

/// Largest gap of what still touches, in lengths of the system (m where it has none): rounding of
/// positions and angles, added up along a tall stack or a long chain.
inline constexpr double kTouching = 1e-9;

// What the systems ask of their fields. Each function throws InvalidInput that names the field.

void require_positive(double value, const std::string& field);
void require_positive(const std::vector<double>& values, const std::string& field);
void require_not_negative(double value, const std::string& field);
void require_finite(double value, const std::string& field);
void require_finite(const Vector& values, const std::string& field);
/// A point of the plane: both numbers are finite.
void require_finite(const Point& point, const std::string& field);
/// A vector of the plane that has a direction.
void require_direction(const Point& vector, const std::string& field);
/// The same in space.
void require_direction(const Eigen::Vector3d& vector, const std::string& field);

/// `size` entries where `expected` are needed, one per `per` ("ball").
void require_size(std::size_t size, std::size_t expected, const std::string& field,
                  const std::string& per);

/// A list with one value per ball, or none at all: then `one` is the value of each.
void require_each(const std::vector<double>& list, double one, std::size_t balls,
                  const std::string& list_field, const std::string& one_field);

/// Names that are all there and all different; an empty list stands for "ball 1", "ball 2", …
void require_names(const std::vector<std::string>& names, std::size_t balls,
                   const std::string& per = "ball");

/// Positions and velocities, finite, `coordinates` of each.
void require_state(const State& state, std::size_t coordinates, const std::string& per);

/// Value of ball i: its entry of the list, or the common one.
inline double each(const std::vector<double>& list, double one, std::size_t i) {
  return list.empty() ? one : list[i];
}

/// Bodies with these coordinate axes (one name for each coordinate; none: one coordinate each).
std::vector<Body> named_bodies(const std::vector<std::string>& names, std::size_t balls,
                               const std::vector<std::string>& axes = {});

/// Rigid bodies, three coordinates each in the plane (x, y, angle), six in space (x, y, z and the
/// rotations about them).
std::vector<Body> rigid_bodies(const std::vector<std::string>& names, bool planar);

/// How a ball is called in the name of a contact: "3" for the third one or for a name "ball 3" or
/// "bead 3".
std::string short_name(const std::vector<std::string>& names, std::size_t ball);

}  // namespace percute::systems

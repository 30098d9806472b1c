// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/io/reader.hpp>
#include <percute/systems/system.hpp>

#include <string_view>
#include <vector>

namespace percute::io {

/// More contact points than this on one body are refused: each is coupled with every other.
inline constexpr std::size_t kMaxPoints = 1000;

/// As many numbers as wanted; `form` names them, "[vx, vy, omega]".
Vector read_numbers(const Value& value, Eigen::Index count, std::string_view form);

/// [x, y].
systems::Point read_point(const Value& value);
/// [[x, y], …].
std::vector<systems::Point> read_points(const Value& value);

/// [x, y, z].
Eigen::Vector3d read_vector(const Value& value);
/// [[x, y, z], …], one per `per` ("sphere").
std::vector<Eigen::Vector3d> read_vectors(const Value& value, std::size_t count,
                                          std::string_view per);
/// Rows of as many numbers, one row per `per`, one behind the other.
Vector read_rows(const Value& value, std::size_t count, Eigen::Index columns, std::string_view per,
                 std::string_view form);

/// Refuses a list without entries, or with more than kMaxPoints, one per `per` ("point").
void require_few(const Value& list, std::string_view per);

/// Radians of an angle in degrees.
double radians(double degrees);

}  // namespace percute::io

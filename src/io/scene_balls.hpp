// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/io/reader.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace percute::io {

/// More balls than this are refused, rather than tried until memory ends.
inline constexpr long kMaxBalls = 1'000'000;

/// Number of balls: the key 'balls', or else the length of the first of these lists that is there.
int read_ball_count(const Table& table, std::span<const std::string_view> lists);

/// One number per ball: `one` for all of them, or `list`; nothing if neither is there.
std::optional<std::vector<double>> read_each(const Table& table, std::string_view one,
                                             std::string_view list, int balls);

/// Masses from exactly one of 'mass', 'masses' and 'density' (then with the radii).
std::vector<double> read_masses(const Table& table, const std::vector<double>& radii);

/// 'names', one per ball; empty if the key is not there.
std::vector<std::string> read_names(const Table& table, int balls);

/// A list with one entry per ball.
void require_per_ball(const Value& list, int balls);

}  // namespace percute::io

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/io/reader.hpp>
#include <percute/model/state.hpp>
#include <percute/systems/ball_chain.hpp>

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

/// Mass of a sphere. A radius whose cube is too small or too large for a number is refused as
/// `field`.
double mass_of_ball(double density, double radius, const std::string& field);

/// Walls at the ends of a row; true is one on the right, the place of walls in most studies of
/// chains.
systems::BallChain::Wall read_wall(const Value& value);

/// 'names', one per ball; empty if the key is not there.
std::vector<std::string> read_names(const Table& table, int balls);

/// A list with one entry per ball.
void require_per_ball(const Value& list, int balls);

/// How fast balls on top of each other come down: their speed, the height they fell through, or all
/// velocities.
template <class System>
State read_drop(const Value& start, const System& system, int balls) {
  const Table table(start,
                    std::array<std::string_view, 4>{"velocity", "speed", "height", "gravity"});
  const int ways = static_cast<int>(table.has("velocity")) + static_cast<int>(table.has("speed")) +
                   static_cast<int>(table.has("height"));
  if (ways != 1) {
    start.fail(
        "give one of 'velocity' (one per ball, positive upwards), 'speed' (downwards) and "
        "'height' with 'gravity'");
  }
  if (const auto height = table.find("height")) {
    return system.dropped_from(height->number(), table.required("gravity").number());
  }
  if (table.has("gravity")) table.fail("gravity", "goes with 'height'");
  if (const auto speed = table.find("speed")) return system.at_contact(speed->number());
  const Value velocity = table.required("velocity");
  require_per_ball(velocity, balls);
  return system.at_contact(velocity.numbers());
}

}  // namespace percute::io

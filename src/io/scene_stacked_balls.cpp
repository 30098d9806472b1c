// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/scene_balls.hpp"
#include "io/scene_systems.hpp"

#include <percute/systems/stacked_balls.hpp>

namespace percute::io {

namespace {

using systems::StackedBalls;

StackedBalls read_system(const Value& value) {
  constexpr std::array<std::string_view, 10> kKeys{"kind",      "balls",  "mass",  "masses",
                                                   "density",   "radius", "radii", "pressure",
                                                   "pressures", "names"};
  constexpr std::array<std::string_view, 4> kLists{"masses", "radii", "pressures", "names"};
  const Table table(value, kKeys);
  const int balls = read_ball_count(table, kLists);
  const auto radii = read_each(table, "radius", "radii", balls);
  if (!radii) table.fail("radii", "give either 'radius' (equal balls) or 'radii' (one per ball)");
  StackedBalls stack;
  stack.radii = *radii;
  stack.masses = read_masses(table, stack.radii);
  if (auto pressures = read_each(table, "pressure", "pressures", balls)) {
    stack.pressures = *std::move(pressures);
  }
  stack.names = read_names(table, balls);
  return stack;
}

/// How fast the stack comes down: its speed, the height it fell through, or all velocities.
State read_start(const Value& value, const StackedBalls& stack) {
  const Table table(value,
                    std::array<std::string_view, 4>{"velocity", "speed", "height", "gravity"});
  const int ways = static_cast<int>(table.has("velocity")) + static_cast<int>(table.has("speed")) +
                   static_cast<int>(table.has("height"));
  if (ways != 1) {
    value.fail(
        "give one of 'velocity' (one per ball, positive upwards), 'speed' (downwards) and "
        "'height' with 'gravity'");
  }
  if (const auto height = table.find("height")) {
    return stack.dropped_from(height->number(), table.required("gravity").number());
  }
  if (table.has("gravity")) table.fail("gravity", "goes with 'height'");
  if (const auto speed = table.find("speed")) return stack.at_contact(speed->number());
  const Value velocity = table.required("velocity");
  require_per_ball(velocity, stack.balls());
  return stack.at_contact(velocity.numbers());
}

}  // namespace

SystemAtContact read_stacked_balls(const Value& system, const Value& start) {
  const StackedBalls stack = read_system(system);
  validate(stack);
  SystemAtContact result = touching(stack, read_start(start, stack));
  result.own_stiffness = !stack.pressures.empty();
  return result;
}

}  // namespace percute::io

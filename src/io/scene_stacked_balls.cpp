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

}  // namespace

SystemAtContact read_stacked_balls(const Value& system, const Value& start) {
  const StackedBalls stack = read_system(system);
  validate(stack);
  SystemAtContact result = touching(stack, read_drop(start, stack, stack.balls()));
  if (!stack.pressures.empty()) result.stiffness_from = "the pressure of the balls";
  return result;
}

}  // namespace percute::io

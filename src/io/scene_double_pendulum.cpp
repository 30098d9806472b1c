// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/scene_builders.hpp"
#include "io/scene_systems.hpp"
#include "io/scene_values.hpp"

namespace percute::io {

using systems::DoublePendulum;

namespace {

std::array<double, 2> read_pair(const Value& value) {
  const Vector numbers = read_numbers(value, 2, "one per rod");
  return {numbers[0], numbers[1]};
}

}  // namespace

systems::DoublePendulum build_double_pendulum(const Value& system) {
  using Wall = DoublePendulum::Wall;
  constexpr Names<Wall, 3> kWalls{
      {{"none", Wall::None}, {"left", Wall::Left}, {"right", Wall::Right}}};
  const Table table(system, std::array<std::string_view, 6>{"kind", "masses", "lengths",
                                                            "angles_deg", "wall", "gravity"});
  DoublePendulum pendulum;
  pendulum.masses = read_pair(table.required("masses"));
  pendulum.lengths = read_pair(table.required("lengths"));
  pendulum.angles = read_pair(table.required("angles_deg"));
  for (double& angle : pendulum.angles) angle = radians(angle);
  pendulum.wall = table.choice("wall", Wall::None, kWalls);
  pendulum.gravity = table.number("gravity", 0.0);
  validate(pendulum);
  return pendulum;
}

SystemAtContact read_double_pendulum(const Value& system, const Value& start) {
  const DoublePendulum pendulum = build_double_pendulum(system);
  const Table table(start, std::array<std::string_view, 1>{"rates"});
  return touching(pendulum, pendulum.at_contact(Eigen::Vector2d(
                                read_numbers(table.required("rates"), 2, "one per rod"))));
}

}  // namespace percute::io

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/scene_builders.hpp"
#include "io/scene_systems.hpp"
#include "io/scene_values.hpp"

namespace percute::io {

using systems::MultiplePendulum;
using systems::PendulumObstacle;

namespace {

std::vector<double> read_per_rod(const Value& list) {
  require_few(list, "rod");
  const Vector numbers = list.numbers();
  return {numbers.begin(), numbers.end()};
}

std::vector<PendulumObstacle> read_obstacles(const Value& list, long rods) {
  require_few(list, "obstacle");
  std::vector<PendulumObstacle> obstacles;
  obstacles.reserve(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Table table(list[i], std::array<std::string_view, 4>{"rod", "normal", "through", "name"});
    PendulumObstacle& obstacle = obstacles.emplace_back();
    obstacle.rod = static_cast<int>(table.integer("rod", rods, 1, rods));
    obstacle.normal = read_point(table.required("normal"));
    obstacle.through = read_point(table.required("through"));
    if (const auto name = table.find("name")) obstacle.name = name->string();
  }
  return obstacles;
}

}  // namespace

MultiplePendulum build_multiple_pendulum(const Value& system) {
  const Table table(
      system, std::array<std::string_view, 5>{"kind", "masses", "lengths", "obstacles", "gravity"});
  MultiplePendulum pendulum;
  pendulum.lengths = read_per_rod(table.required("lengths"));
  const auto rods = static_cast<Eigen::Index>(pendulum.lengths.size());
  const Vector masses = read_numbers(table.required("masses"), rods, "one per rod");
  pendulum.masses.assign(masses.begin(), masses.end());
  pendulum.obstacles = read_obstacles(table.required("obstacles"), rods);
  pendulum.gravity = table.number("gravity", 0.0);
  validate(pendulum);
  return pendulum;
}

State read_multiple_pendulum_start(const Value& start, const MultiplePendulum& pendulum) {
  const Table table(start, std::array<std::string_view, 2>{"angles_deg", "rates"});
  const auto rods = static_cast<Eigen::Index>(pendulum.lengths.size());
  const Vector degrees = read_numbers(table.required("angles_deg"), rods, "one per rod");
  const auto given = table.find("rates");
  const Vector rates =
      given ? read_numbers(*given, rods, "one per rod") : Vector(Vector::Zero(rods));
  return pendulum.at(degrees.unaryExpr(&radians), rates);
}

SystemAtContact read_multiple_pendulum(const Value& system, const Value& start) {
  const MultiplePendulum pendulum = build_multiple_pendulum(system);
  return touching(pendulum, read_multiple_pendulum_start(start, pendulum));
}

}  // namespace percute::io

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/scene_builders.hpp"
#include "io/scene_motion.hpp"
#include "io/scene_values.hpp"

namespace percute::io {

SystemInMotion read_moving_cradle(const Table& scene, const Law& law) {
  const Value system = scene.required("system");
  require_gravity(system);
  systems::Cradle cradle = build_cradle(system);
  cradle.materials = read_materials(scene, law, systems::AnySystem(cradle).contact_names());
  SystemInMotion moving{.system = cradle,
                        .start = {.state = read_cradle_start(scene.required("start"), cradle)}};
  moving.defaults.add("balls", cradle.balls);
  moving.defaults.add("spacing", cradle.spacing);
  return moving;
}

SystemInMotion read_moving_double_pendulum(const Table& scene, const Law& law) {
  const Value system = scene.required("system");
  require_gravity(system);
  systems::DoublePendulum pendulum = build_double_pendulum(system);
  pendulum.materials = read_materials(scene, law, systems::AnySystem(pendulum).contact_names());

  const Table start(scene.required("start"),
                    std::array<std::string_view, 2>{"angles_deg", "rates"});
  const Vector degrees = read_numbers(start.required("angles_deg"), 2, "one per rod");
  Eigen::Vector2d rates = Eigen::Vector2d::Zero();
  if (const auto given = start.find("rates")) rates = read_numbers(*given, 2, "one per rod");
  const Eigen::Vector2d angles(radians(degrees[0]), radians(degrees[1]));
  SystemInMotion moving{.system = pendulum, .start = {.state = pendulum.at(angles, rates)}};
  moving.defaults.add("wall", "none");
  return moving;
}

SystemInMotion read_moving_multiple_pendulum(const Table& scene, const Law& law) {
  const Value system = scene.required("system");
  require_gravity(system);
  systems::MultiplePendulum pendulum = build_multiple_pendulum(system);
  pendulum.materials = read_materials(scene, law, systems::AnySystem(pendulum).contact_names());
  return {.system = pendulum,
          .start = {.state = read_multiple_pendulum_start(scene.required("start"), pendulum)}};
}

}  // namespace percute::io

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/scene_builders.hpp"
#include "io/scene_motion.hpp"
#include "io/scene_values.hpp"

namespace percute::io {

SystemInMotion read_moving_cradle(const Table& scene, const AnyLaw& law) {
  const systems::Cradle cradle = read_moving_system(scene, law, build_cradle);
  SystemInMotion moving{.system = cradle,
                        .start = {.state = read_cradle_start(scene.required("start"), cradle)}};
  moving.defaults.add("balls", cradle.balls);
  moving.defaults.add("spacing", cradle.spacing);
  return moving;
}

SystemInMotion read_moving_double_pendulum(const Table& scene, const AnyLaw& law) {
  const systems::DoublePendulum pendulum = read_moving_system(scene, law, build_double_pendulum);
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

SystemInMotion read_moving_multiple_pendulum(const Table& scene, const AnyLaw& law) {
  const systems::MultiplePendulum pendulum =
      read_moving_system(scene, law, build_multiple_pendulum);
  return {.system = pendulum,
          .start = {.state = read_multiple_pendulum_start(scene.required("start"), pendulum)}};
}

}  // namespace percute::io

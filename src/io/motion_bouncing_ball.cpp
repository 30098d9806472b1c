// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/scene_motion.hpp"

#include <percute/systems/bouncing_ball.hpp>

#include <array>

namespace percute::io {

SystemInMotion read_moving_bouncing_ball(const Table& scene, const AnyLaw& law) {
  const Table system(scene.required("system"),
                     std::array<std::string_view, 4>{"kind", "mass", "radius", "gravity"});
  systems::BouncingBall ball;
  ball.mass = system.required("mass").number();
  ball.radius = system.number("radius", ball.radius);
  ball.gravity = read_gravity(system);
  ball.material = read_materials(scene, law, {"ball–floor"}).front();

  const Table start(scene.required("start"), std::array<std::string_view, 2>{"height", "velocity"});
  State state = ball.at(start.required("height").number(), start.number("velocity", 0.0));
  SystemInMotion moving{.system = ball, .start = {.state = std::move(state)}};
  moving.defaults.add("radius", ball.radius);
  return moving;
}

}  // namespace percute::io

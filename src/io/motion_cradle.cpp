// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/scene_builders.hpp"
#include "io/scene_motion.hpp"

namespace percute::io {

SystemInMotion read_moving_cradle(const Table& scene, const Law& law) {
  const Value system = scene.required("system");
  require_gravity(system);
  systems::Cradle cradle = build_cradle(system);
  cradle.materials = read_materials(scene, law, systems::AnySystem(cradle).contact_names());
  SystemInMotion moving{
      .system = cradle,
      .start = {.state = read_cradle_start(scene.required("start"), cradle)},
  };
  moving.defaults.add("balls", cradle.balls);
  moving.defaults.add("spacing", cradle.spacing);
  return moving;
}

}  // namespace percute::io

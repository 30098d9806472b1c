// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/scene_builders.hpp"
#include "io/scene_motion.hpp"
#include "io/scene_values.hpp"

namespace percute::io {

SystemInMotion read_moving_v_groove(const Table& scene, const AnyLaw& law) {
  const systems::VGroove groove = read_moving_system(scene, law, build_v_groove);
  const Table start(scene.required("start"),
                    std::array<std::string_view, 2>{"position", "velocity"});
  const systems::Point position = read_point(start.required("position"));
  systems::Point velocity = systems::Point::Zero();
  if (const auto given = start.find("velocity")) velocity = read_point(*given);
  return {.system = groove, .start = {.state = groove.at(position, velocity)}};
}

}  // namespace percute::io

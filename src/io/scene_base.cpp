// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/scene_builders.hpp"
#include "io/scene_values.hpp"

namespace percute::io {

systems::BaseMotion read_base(const Value& value) {
  const Table table(value, std::array<std::string_view, 5>{"acceleration", "frequency", "phase_deg",
                                                           "start", "cycles"});
  systems::BaseMotion motion;
  motion.acceleration = table.required("acceleration").number();
  motion.frequency = table.required("frequency").number();
  motion.phase = radians(table.number("phase_deg", 0.0));
  motion.start = table.number("start", 0.0);
  if (const auto cycles = table.find("cycles")) motion.cycles = cycles->number_or_infinite();
  return motion;
}

systems::PlanarBaseMotion read_planar_base(const Value& value) {
  const Table table(value, std::array<std::string_view, 2>{"horizontal", "vertical"});
  if (!table.has("horizontal") && !table.has("vertical")) {
    value.fail("give 'horizontal' or 'vertical' or both, each {acceleration = …, frequency = …}");
  }
  systems::PlanarBaseMotion base;
  if (const auto horizontal = table.find("horizontal")) base.horizontal = read_base(*horizontal);
  if (const auto vertical = table.find("vertical")) base.vertical = read_base(*vertical);
  return base;
}

}  // namespace percute::io

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/scene_builders.hpp"
#include "io/scene_systems.hpp"
#include "io/scene_values.hpp"

namespace percute::io {

systems::VGroove build_v_groove(const Value& system) {
  const Table table(system,
                    std::array<std::string_view, 4>{"kind", "mass", "opening_deg", "gravity"});
  systems::VGroove groove;
  groove.mass = table.required("mass").number();
  const Value opening = table.required("opening_deg");
  groove.opening = radians(opening.number());
  if (!(opening.number() > 0.0 && opening.number() < 180.0)) {
    opening.fail("must be between 0 and 180 degrees, got " + opening.node().describe());
  }
  groove.gravity = table.number("gravity", 0.0);
  validate(groove);
  return groove;
}

SystemAtContact read_v_groove(const Value& system, const Value& start) {
  const systems::VGroove groove = build_v_groove(system);
  const Table table(start, std::array<std::string_view, 1>{"velocity"});
  return touching(groove, groove.at_contact(read_point(table.required("velocity"))));
}

}  // namespace percute::io

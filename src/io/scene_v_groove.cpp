// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/scene_systems.hpp"
#include "io/scene_values.hpp"

#include <percute/systems/v_groove.hpp>

namespace percute::io {

namespace {

using systems::VGroove;

VGroove read_system(const Value& value) {
  const Table table(value, std::array<std::string_view, 3>{"kind", "mass", "opening_deg"});
  VGroove groove;
  groove.mass = table.required("mass").number();
  const Value opening = table.required("opening_deg");
  groove.opening = radians(opening.number());
  if (!(opening.number() > 0.0 && opening.number() < 180.0)) {
    opening.fail("must be between 0 and 180 degrees, got " + opening.node().describe());
  }
  return groove;
}

}  // namespace

SystemAtContact read_v_groove(const Value& system, const Value& start) {
  const VGroove groove = read_system(system);
  validate(groove);
  const Table table(start, std::array<std::string_view, 1>{"velocity"});
  return touching(groove, groove.at_contact(read_point(table.required("velocity"))));
}

}  // namespace percute::io

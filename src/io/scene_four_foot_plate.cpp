// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/scene_systems.hpp"
#include "io/scene_values.hpp"

#include <percute/systems/four_foot_plate.hpp>

namespace percute::io {

namespace {

using systems::FourFootPlate;

FourFootPlate read_system(const Value& value) {
  constexpr std::array<std::string_view, 8> kKeys{"kind",     "length", "width",   "mass",
                                                  "inertias", "feet",   "sliding", "height"};
  const Table table(value, kKeys);
  FourFootPlate plate;
  plate.length = table.required("length").number();
  plate.width = table.required("width").number();
  plate.mass = table.required("mass").number();
  if (const auto inertias = table.find("inertias")) {
    const Vector numbers = read_numbers(*inertias, 3, "about x, y and z");
    plate.inertias.assign(numbers.begin(), numbers.end());
  }
  if (const auto feet = table.find("feet")) {
    require_few(*feet, "foot");
    plate.feet = read_points(*feet);
  }
  plate.sliding = table.boolean("sliding", plate.sliding);
  if (table.has("height") && !plate.sliding) {
    table.fail("height",
               "goes with 'sliding = true'; it says how far feet slide when the plate "
               "turns");
  }
  plate.height = table.number("height", plate.height);
  return plate;
}

}  // namespace

SystemAtContact read_four_foot_plate(const Value& system, const Value& start) {
  const FourFootPlate plate = read_system(system);
  validate(plate);
  const Table table(start, std::array<std::string_view, 1>{"velocity"});
  return touching(plate, plate.at_contact(read_numbers(
                             table.required("velocity"), plate.coordinates(),
                             plate.sliding ? "[vx, vy, vz, wx, wy, wz]" : "[vz, wx, wy]")));
}

}  // namespace percute::io

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/scene_builders.hpp"
#include "io/scene_systems.hpp"
#include "io/scene_values.hpp"

namespace percute::io {

namespace {

using systems::RockingBlock;

/// All velocities, or a rotation about a corner.
State read_start(const Value& value, const RockingBlock& block) {
  constexpr Names<RockingBlock::Corner, 2> kCorners{
      {{"left", RockingBlock::Corner::Left}, {"right", RockingBlock::Corner::Right}}};
  const Table table(
      value, std::array<std::string_view, 3>{"velocity", "rotating_about", "angular_velocity"});
  if (table.has("velocity") == table.has("rotating_about")) {
    value.fail(
        "give either 'velocity' ([vx, vy, omega]) or 'rotating_about' (\"left\" or \"right\") with "
        "'angular_velocity'");
  }
  if (const auto corner = table.find("rotating_about")) {
    return block.rotating_about(corner->choice(kCorners),
                                table.required("angular_velocity").number());
  }
  if (table.has("angular_velocity")) {
    table.fail("angular_velocity", "goes with 'rotating_about', not with 'velocity'");
  }
  return block.at_contact(
      Eigen::Vector3d(read_numbers(table.required("velocity"), 3, "[vx, vy, omega]")));
}

}  // namespace

systems::RockingBlock build_rocking_block(const Value& system) {
  const Table table(system, std::array<std::string_view, 7>{"kind", "width", "height", "mass",
                                                            "inertia", "gravity", "base"});
  RockingBlock block;
  block.width = table.required("width").number();
  block.height = table.required("height").number();
  block.mass = table.required("mass").number();
  if (const auto inertia = table.find("inertia")) block.inertia = inertia->number();
  block.gravity = table.number("gravity", 0.0);
  if (const auto base = table.find("base")) block.base = read_planar_base(*base);
  validate(block);
  return block;
}

SystemAtContact read_rocking_block(const Value& system, const Value& start) {
  const RockingBlock block = build_rocking_block(system);
  return touching(block, read_start(start, block));
}

}  // namespace percute::io

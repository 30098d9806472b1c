// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/scene_balls.hpp"
#include "io/scene_builders.hpp"
#include "io/scene_motion.hpp"
#include "io/scene_values.hpp"

namespace percute::io {

namespace {

/// Height of the lowest point above the wall, gaps between the beads, and how they move.
State read_start(const Value& value, const systems::BallChain& beads) {
  const Table table(value, std::array<std::string_view, 4>{"height", "gaps", "velocity", "speed"});
  if (table.has("velocity") && table.has("speed")) {
    table.fail("speed",
               "give either 'velocity' (one per bead, positive upwards) or 'speed' (downwards)");
  }
  Vector velocity = Vector::Constant(beads.balls, -table.number("speed", 0.0));
  if (const auto list = table.find("velocity")) {
    require_per_ball(*list, beads.balls);
    velocity = list->numbers();
  }
  Vector gaps = Vector::Zero(beads.balls);
  if (const auto list = table.find("gaps")) {
    gaps.tail(beads.balls - 1) =
        read_numbers(*list, beads.balls - 1, "one per pair of neighbours, from below");
    for (std::size_t i = 0; i < list->size(); ++i) {
      if ((*list)[i].number() < 0.0) (*list)[i].fail("must be a number >= 0");
    }
  }
  gaps[0] = table.required("height").number();
  if (gaps[0] < 0.0) table.fail("height", "must be a number >= 0: the column is above the wall");
  return beads.apart(gaps, velocity);
}

}  // namespace

SystemInMotion read_moving_bead_column(const Table& scene, const AnyLaw& law) {
  const Value system = scene.required("system");
  require_gravity(system);
  const systems::BeadColumn column = build_bead_column(system);
  require_moderate(system, column.beads, "beads");
  systems::BallChain beads = column.chain();
  beads.materials = read_materials(scene, law, systems::AnySystem(beads).contact_names(),
                                   beads.materials, bead_stiffness_from(system));
  SystemInMotion moving{.system = beads,
                        .start = {.state = read_start(scene.required("start"), beads)}};
  moving.defaults.add("radius", column.radius);
  return moving;
}

}  // namespace percute::io

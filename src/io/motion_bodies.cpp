// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/scene_builders.hpp"
#include "io/scene_motion.hpp"
#include "io/scene_values.hpp"

namespace percute::io {

namespace {

/// 'velocity' of a body in the plane, at rest if left out.
Eigen::Vector3d read_velocity(const Table& start) {
  const auto velocity = start.find("velocity");
  if (!velocity) return Eigen::Vector3d::Zero();
  return read_numbers(*velocity, 3, "[vx, vy, omega]");
}

/// Anywhere: centre of mass, angle and velocity.
State read_place(const Table& start, const systems::PlanarBody& body, double angle) {
  const systems::Point centre = read_point(start.required("position"));
  return body.at({centre.x(), centre.y(), angle}, read_velocity(start));
}

/// Anywhere, or tilted about the corner that stays on the floor.
State read_block_start(const Value& value, const systems::RockingBlock& block) {
  const Table table(value, std::array<std::string_view, 4>{"angle_deg", "angular_velocity",
                                                           "position", "velocity"});
  const double angle = radians(table.number("angle_deg", 0.0));
  if (!table.has("position")) {
    if (table.has("velocity")) {
      table.fail("velocity", "goes with 'position'; a block on a corner has 'angular_velocity'");
    }
    return block.tilted(angle, table.number("angular_velocity", 0.0));
  }
  if (table.has("angular_velocity")) {
    table.fail("angular_velocity", "is part of 'velocity' ([vx, vy, omega]) beside 'position'");
  }
  return read_place(table, block.body(), angle);
}

SystemInMotion read_moving_rod(const Table& scene, const systems::BallRod& rod) {
  const Table start(scene.required("start"),
                    std::array<std::string_view, 3>{"height", "angle_deg", "velocity"});
  const Value height = start.required("height");
  if (height.number() < 0.0) {
    height.fail("must be a number >= 0: the lowest ball is above the floor, got " +
                height.node().describe());
  }
  const double angle = radians(start.number("angle_deg", 0.0));
  SystemInMotion moving{
      .system = rod,
      .start = {.state = rod.above(height.number(), angle, read_velocity(start))},
  };
  moving.defaults.add("name", rod.name);
  return moving;
}

}  // namespace

SystemInMotion read_moving_planar_body(const Table& scene, const AnyLaw& law) {
  const systems::PlanarBody body = read_moving_system(scene, law, build_planar_body);
  const Table start(scene.required("start"),
                    std::array<std::string_view, 3>{"position", "angle_deg", "velocity"});
  const auto degrees = start.find("angle_deg");
  SystemInMotion moving{
      .system = body,
      .start = {.state =
                    read_place(start, body, degrees ? radians(degrees->number()) : body.angle)}};
  moving.defaults.add("name", body.name);
  moving.defaults.add("angle_deg", 0.0);
  moving.defaults.add("position", Node::Array{body.position.x(), body.position.y()});
  return moving;
}

SystemInMotion read_moving_rocking_block(const Table& scene, const AnyLaw& law) {
  const systems::RockingBlock block = read_moving_system(scene, law, build_rocking_block);
  SystemInMotion moving{.system = block,
                        .start = {.state = read_block_start(scene.required("start"), block)}};
  moving.defaults.add("inertia", block.body().inertia);
  return moving;
}

SystemInMotion read_moving_dimer(const Table& scene, const AnyLaw& law) {
  return read_moving_rod(scene, read_moving_system(scene, law, build_dimer));
}

SystemInMotion read_moving_three_ball_rod(const Table& scene, const AnyLaw& law) {
  return read_moving_rod(scene, read_moving_system(scene, law, build_three_ball_rod));
}

}  // namespace percute::io

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/scene_reader.hpp"

#include <percute/systems/block_stack.hpp>
#include <percute/systems/planar_body.hpp>
#include <percute/systems/spatial_body.hpp>

#include <utility>

// Rigid bodies with contact points, in the plane and in space.

namespace percute::io {

namespace {

using systems::BallRod;
using systems::BlockStack;
using systems::PlanarBody;
using systems::RockingBlock;
using systems::SpatialBody;

constexpr std::string_view kPlanarVelocity = "[vx, vy, omega]";

/// 'velocity' of a body in the plane; in motion it may be left out, and is 0 then.
Eigen::Vector3d read_velocity(const Scene& scene, const Table& start) {
  if (!scene.moves) (void)start.required("velocity");
  return read_numbers(start, "velocity", 3, kPlanarVelocity);
}

/// Anywhere: centre of mass, angle and velocity.
State read_place(const Scene& scene, const Table& start, const PlanarBody& body, double angle) {
  const systems::Point centre = read_point(start.required("position"));
  return body.at({centre.x(), centre.y(), angle}, read_velocity(scene, start));
}

State read_body_start(const Scene& scene, const PlanarBody& body) {
  if (!scene.moves) {
    return body.at_contact(read_velocity(scene, table_of(scene.start(), {"velocity"})));
  }
  const Table start = table_of(scene.start(), {"position", "angle_deg", "velocity"});
  const auto degrees = start.find("angle_deg");
  return read_place(scene, start, body, degrees ? radians(degrees->number()) : body.angle);
}

/// Anywhere, or tilted about the corner that stays on the floor.
State read_block_in_motion(const Scene& scene, const RockingBlock& block) {
  const Table table =
      table_of(scene.start(), {"angle_deg", "angular_velocity", "position", "velocity"});
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
  return read_place(scene, table, block.body(), angle);
}

/// All velocities, or a rotation about a corner.
State read_block_at_contact(const Scene& scene, const RockingBlock& block) {
  constexpr Names<RockingBlock::Corner, 2> kCorners{
      {{"left", RockingBlock::Corner::Left}, {"right", RockingBlock::Corner::Right}}};
  const Table table = table_of(scene.start(), {"velocity", "rotating_about", "angular_velocity"});
  if (table.has("velocity") == table.has("rotating_about")) {
    table.value().fail(
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
  return block.at_contact(read_velocity(scene, table));
}

/// Along the rod: at equal distances over its length, or one by one.
std::vector<double> read_places(const Table& table, int balls) {
  if (table.has("length") == table.has("places")) {
    table.fail("length", balls == 2 ? "give 'length', from centre to centre"
                                    : "give either 'length', from the first centre to the last, or "
                                      "'places' along the rod, one per ball");
  }
  if (const auto places = table.find("places")) {
    const Vector numbers = read_numbers(*places, balls, "one per ball");
    return {numbers.begin(), numbers.end()};
  }
  const double length = read_positive(table.required("length"));
  std::vector<double> places;
  places.reserve(static_cast<std::size_t>(balls));
  for (int i = 0; i < balls; ++i) places.push_back(length * i / (balls - 1));
  return places;
}

/// `name` is what it is called where the file does not say.
SceneSystem read_rod(const Scene& scene, int balls, std::string name) {
  BallRod rod{.name = std::move(name)};
  const Table table =
      balls == 2 ? read_system(scene.system, rod,
                               {"length", "mass", "masses", "radius", "radii", "density", "base"})
                 : read_system(scene.system, rod,
                               {"length", "places", "mass", "masses", "radius", "radii", "density",
                                "base"});
  rod.places = read_places(table, balls);
  rod.radii = required_each(table, "radius", "radii", balls);
  rod.masses = read_masses(table, rod.radii);
  read_base(table, rod.base);
  if (!scene.moves) {
    const Table start = table_of(scene.start(), {"velocity"});
    return made(rod, rod.at_contact(read_velocity(scene, start)));
  }
  validate(rod);
  const Table start = table_of(scene.start(), {"height", "angle_deg", "velocity"});
  const double height =
      read_not_negative(start.required("height"), ": the lowest ball is above the floor");
  const double angle = radians(start.number("angle_deg", 0.0));
  return made(rod, rod.above(height, angle, read_velocity(scene, start)));
}

/// All velocities, or the speed at which the stack falls.
State read_stack_start(const Value& value, const BlockStack& stack) {
  const Table table = table_of(value, {"velocity", "speed"});
  if (table.has("velocity") == table.has("speed")) {
    value.fail(
        "give either 'velocity' ([vx, vy, omega] of every block, from below) or 'speed' "
        "(downwards, of all blocks)");
  }
  if (const auto speed = table.find("speed")) return stack.falling(speed->number());
  return stack.at_contact(
      read_rows(table.required("velocity"), stack.widths.size(), 3, "block", "[vx, vy, omega]"));
}

/// Principal moments about the axes of the body, or all of the tensor.
Eigen::Matrix3d read_inertia(const Value& value) {
  if (value.size() == 3 && value[0].node().as<Node::Array>() == nullptr) {
    return read_vector(value).asDiagonal();
  }
  const Vector rows = read_rows(value, 3, 3, "axis", "[x, y, z]");
  return Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(rows.data());
}

/// A uniform block stands on its lower corners, unless other points are given.
SpatialBody read_box(const Table& table) {
  SpatialBody body = systems::block_on_corners(read_vector(table.required("box")),
                                               table.required("mass").number());
  if (table.has("inertia")) table.fail("inertia", "is given by 'box'; leave out one of the two");
  if (const auto points = table.find("points"))
    body.points = read_list<systems::SpatialPoint>(*points, "point");
  return body;
}

}  // namespace

SceneSystem read_planar_body(const Scene& scene) {
  PlanarBody body;
  const Table table = read_system(scene.system, body, {"points", "base"});
  body.points = read_list<systems::BodyPoint>(table.required("points"), "point");
  read_base(table, body.base);
  return made(body, read_body_start(scene, body));
}

SceneSystem read_rocking_block(const Scene& scene) {
  RockingBlock block;
  read_base(read_system(scene.system, block, {"base"}), block.base);
  SceneSystem result = made(block, scene.moves ? read_block_in_motion(scene, block)
                                               : read_block_at_contact(scene, block));
  result.defaults.add("inertia", block.body().inertia);
  return result;
}

SceneSystem read_dimer(const Scene& scene) {
  return read_rod(scene, 2, "dimer");
}

SceneSystem read_three_ball_rod(const Scene& scene) {
  return read_rod(scene, 3, "rod");
}

SceneSystem read_v_groove(const Scene& scene) {
  systems::VGroove groove;
  read_system(scene.system, groove);
  if (!scene.moves) {
    const Table start = table_of(scene.start(), {"velocity"});
    return made(groove, groove.at_contact(read_point(start.required("velocity"))));
  }
  const Table start = table_of(scene.start(), {"position", "velocity"});
  const systems::Point position = read_point(start.required("position"));
  const auto velocity = start.find("velocity");
  return made(groove, groove.at(position, velocity ? read_point(*velocity)
                                                   : systems::Point(systems::Point::Zero())));
}

SceneSystem read_block_stack(const Scene& scene) {
  // Every block is coupled with all below it.
  constexpr long kMaxBlocks = 500;
  const Table table = table_of(scene.system, {"kind", "blocks", "width", "widths", "height",
                                              "heights", "mass", "masses", "offsets", "names"});
  const int blocks =
      read_count(table, "block", kMaxBlocks, {"widths", "heights", "masses", "offsets", "names"});
  BlockStack stack;
  stack.widths = required_each(table, "width", "widths", blocks, "block");
  stack.heights = required_each(table, "height", "heights", blocks, "block");
  stack.masses = required_each(table, "mass", "masses", blocks, "block");
  if (const auto offsets = table.find("offsets")) {
    const Vector numbers = read_numbers(*offsets, blocks, "one per block, from below");
    stack.offsets.assign(numbers.begin(), numbers.end());
  }
  if (const auto names = table.find("names")) {
    for (std::size_t i = 0; i < names->size(); ++i) stack.names.push_back((*names)[i].string());
  }
  validate(stack);
  return made(stack, read_stack_start(scene.start(), stack));
}

SceneSystem read_four_foot_plate(const Scene& scene) {
  systems::FourFootPlate plate;
  const Table table = read_system(scene.system, plate, {"inertias", "feet", "height"});
  if (const auto inertias = table.find("inertias")) {
    const Vector numbers = read_numbers(*inertias, 3, "about x, y and z");
    plate.inertias.assign(numbers.begin(), numbers.end());
  }
  if (const auto feet = table.find("feet")) {
    require_few(*feet, "foot");
    plate.feet = read_points(*feet);
  }
  if (table.has("height") && !plate.sliding) {
    table.fail("height",
               "goes with 'sliding = true'; it says how far feet slide when the plate turns");
  }
  plate.height = table.number("height", plate.height);
  const Table start = table_of(scene.start(), {"velocity"});
  return made(plate, plate.at_contact(read_numbers(
                         start.required("velocity"), plate.coordinates(),
                         plate.sliding ? "[vx, vy, vz, wx, wy, wz]" : "[vz, wx, wy]")));
}

SceneSystem read_spatial_body(const Scene& scene) {
  SpatialBody body;
  const Table table = read_system(scene.system, body, {"mass", "inertia", "points", "box"});
  if (table.has("box")) {
    SpatialBody box = read_box(table);
    box.rotation = body.rotation;
    if (table.has("name")) box.name = body.name;
    body = std::move(box);
  } else {
    body.mass = table.required("mass").number();
    body.inertia = read_inertia(table.required("inertia"));
    body.points = read_list<systems::SpatialPoint>(table.required("points"), "point");
  }
  const Table start = table_of(scene.start(), {"velocity"});
  return made(body, body.at_contact(
                        read_numbers(start.required("velocity"), 6, "[vx, vy, vz, wx, wy, wz]")));
}

}  // namespace percute::io

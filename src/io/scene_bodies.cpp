// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/scene_reader.hpp"

#include <percute/systems/block_stack.hpp>
#include <percute/systems/cradle.hpp>
#include <percute/systems/impacting_bar.hpp>
#include <percute/systems/multiple_pendulum.hpp>
#include <percute/systems/planar_body.hpp>
#include <percute/systems/spatial_body.hpp>
#include <percute/systems/spinning_spheres.hpp>

#include <array>
#include <numbers>
#include <utility>

// Rigid bodies with contact points, in the plane and in space; balls that spin; what swings, and
// the bar that vibrates.

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
    return body.at_contact(read_velocity(scene, scene.start({"velocity"})));
  }
  const Table start = scene.start({"position", "angle_deg", "velocity"});
  const auto degrees = start.find("angle_deg");
  return read_place(scene, start, body, degrees ? radians(degrees->number()) : body.angle);
}

/// Anywhere, or tilted about the corner that stays on the floor.
State read_block_in_motion(const Scene& scene, const RockingBlock& block) {
  const Table table = scene.start({"angle_deg", "angular_velocity", "position", "velocity"});
  const double angle = radians(table.number("angle_deg", 0.0));
  if (!table.has("position")) {
    table.refuse("velocity", "goes with 'position'; a block on a corner has 'angular_velocity'");
    return block.tilted(angle, table.number("angular_velocity", 0.0));
  }
  table.refuse("angular_velocity", "is part of 'velocity' ([vx, vy, omega]) beside 'position'");
  return read_place(scene, table, block.body(), angle);
}

/// All velocities, or a rotation about a corner.
State read_block_at_contact(const Scene& scene, const RockingBlock& block) {
  constexpr Names<RockingBlock::Corner, 2> kCorners{
      {{"left", RockingBlock::Corner::Left}, {"right", RockingBlock::Corner::Right}}};
  const Table table = scene.start({"velocity", "rotating_about", "angular_velocity"});
  const auto [key, value] = table.one_of(
      {"velocity", "rotating_about"},
      "give either 'velocity' ([vx, vy, omega]) or 'rotating_about' (\"left\" or \"right\") with "
      "'angular_velocity'");
  if (key == "rotating_about") {
    return block.rotating_about(value.choice(kCorners),
                                table.required("angular_velocity").number());
  }
  table.refuse("angular_velocity", "goes with 'rotating_about', not with 'velocity'");
  return block.at_contact(read_velocity(scene, table));
}

/// Along the rod: at equal distances over its length, or one by one.
std::vector<double> read_places(const Table& table, int balls) {
  const auto [key, value] = table.one_of(
      {"length", "places"}, balls == 2 ? "give 'length', from centre to centre"
                                       : "give either 'length', from the first centre to the last, "
                                         "or 'places' along the rod, one per ball");
  if (key == "places") {
    const Vector numbers = read_numbers(value, balls, "one per ball");
    return {numbers.begin(), numbers.end()};
  }
  const double length = read_positive(value);
  std::vector<double> places;
  places.reserve(static_cast<std::size_t>(balls));
  for (int i = 0; i < balls; ++i) places.push_back(length * i / (balls - 1));
  return places;
}

/// `name` is what it is called where the file does not say.
SceneSystem read_rod(const Scene& scene, int balls, std::string name) {
  BallRod rod{.name = std::move(name)};
  const Table table =
      read_system(scene.system, rod,
                  {"length", "mass", "masses", "radius", "radii", "density", "base", "places"});
  if (balls == 2) table.refuse("places", "is for a three_ball_rod; a dimer has 'length'");
  rod.places = read_places(table, balls);
  rod.radii = read_each(table, "radius", "radii", balls);
  rod.masses = read_masses(table, rod.radii);
  read_base(table, rod.base);
  if (!scene.moves) {
    const Table start = scene.start({"velocity"});
    return made(rod, rod.at_contact(read_velocity(scene, start)));
  }
  validate(rod);
  const Table start = scene.start({"height", "angle_deg", "velocity"});
  const double height = read_number(start.required("height"), Range::not_negative(),
                                    ": the lowest ball is above the floor");
  const double angle = radians(start.number("angle_deg", 0.0));
  return made(rod, rod.above(height, angle, read_velocity(scene, start)));
}

/// All velocities, or the speed at which the stack falls.
State read_stack_start(const Scene& scene, const BlockStack& stack) {
  const auto [key, value] =
      scene.start({"velocity", "speed"})
          .one_of({"velocity", "speed"},
                  "give either 'velocity' ([vx, vy, omega] of every block, from below) or 'speed' "
                  "(downwards, of all blocks)");
  if (key == "speed") return stack.falling(value.number());
  return stack.at_contact(read_rows(value, stack.widths.size(), 3, "block", "[vx, vy, omega]"));
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
  table.refuse("inertia", "is given by 'box'; leave out one of the two");
  if (const auto points = table.find("points"))
    body.points = read_list<systems::SpatialPoint>(*points, "point");
  return body;
}

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

SceneSystem read_v_groove(const Scene& scene) {
  systems::VGroove groove;
  read_system(scene.system, groove);
  if (!scene.moves) return made(groove, groove.at_contact(read_point(scene.velocity())));
  const Table start = scene.start({"position", "velocity"});
  const systems::Point position = read_point(start.required("position"));
  return made(groove,
              groove.at(position, systems::Point(read_numbers(start, "velocity", 2, "[x, y]"))));
}

SceneSystem read_block_stack(const Scene& scene) {
  // Every block is coupled with all below it.
  constexpr long kMaxBlocks = 500;
  const Table table(scene.system, {"kind", "blocks", "width", "widths", "height", "heights", "mass",
                                   "masses", "offsets", "names"});
  const int blocks =
      read_count(table, "block", kMaxBlocks, {"widths", "heights", "masses", "offsets", "names"});
  BlockStack stack;
  stack.widths = read_each(table, "width", "widths", blocks, "block");
  stack.heights = read_each(table, "height", "heights", blocks, "block");
  stack.masses = read_each(table, "mass", "masses", blocks, "block");
  if (const auto offsets = table.find("offsets")) {
    const Vector numbers = read_numbers(*offsets, blocks, "one per block, from below");
    stack.offsets.assign(numbers.begin(), numbers.end());
  }
  stack.names = read_names(table, blocks, "block");
  validate(stack);
  return made(stack, read_stack_start(scene, stack));
}

SceneSystem read_four_foot_plate(const Scene& scene) {
  systems::FourFootPlate plate;
  const Table table = read_system(scene.system, plate, {"inertias", "feet", "height"});
  if (const auto inertias = table.find("inertias")) {
    const Vector numbers = read_numbers(*inertias, 3, "about x, y and z");
    plate.inertias.assign(numbers.begin(), numbers.end());
  }
  if (const auto feet = table.find("feet")) {
    require_size(*feet, "foot");
    plate.feet = read_points(*feet);
  }
  if (!plate.sliding) {
    table.refuse("height",
                 "goes with 'sliding = true'; it says how far feet slide when the plate turns");
  }
  plate.height = table.number("height", plate.height);
  return made(plate, plate.at_contact(read_numbers(
                         scene.velocity(), plate.coordinates(),
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
  return made(body, body.at_contact(read_numbers(scene.velocity(), 6, "[vx, vy, vz, wx, wy, wz]")));
}

// ------------------------------------------------------------------- balls that spin

using systems::RotatingChain;
using systems::TwoSpheres;

/// One value for both, or one each.
TwoSpheres::Pair pair_of(const std::vector<double>& both) {
  return {both.front(), both.back()};
}

/// [[x, y, z], [x, y, z]].
TwoSpheres::Vectors read_pair(const Value& value) {
  const Vector rows = read_rows(value, 2, 3, "sphere", "[x, y, z]");
  return {rows.head<3>(), rows.tail<3>()};
}

TwoSpheres read_two(const Value& value) {
  const Table table(value, {"kind", "mass", "masses", "density", "radius", "radii",
                            "inertia_factor", "inertia_factors", "centres", "normal"});
  TwoSpheres spheres;
  const std::vector<double> radii = read_each(table, "radius", "radii", 2, "sphere");
  spheres.radii = pair_of(radii);
  spheres.masses = pair_of(read_masses(table, radii));
  const std::vector<double> factors =
      read_each(table, "inertia_factor", "inertia_factors", 2, "ball", false);
  if (!factors.empty()) spheres.inertia_factors = pair_of(factors);
  if (const auto centres = table.find("centres")) {
    table.refuse("normal", "is given by 'centres'; leave out one of the two");
    spheres.centres = read_pair(*centres);
    return spheres;
  }
  Eigen::Vector3d normal = Eigen::Vector3d::UnitX();
  if (const auto given = table.find("normal")) {
    normal = read_vector(*given);
    if (normal.isZero(0.0)) given->fail("is zero; it must have a direction");
  }
  spheres.centres = {Eigen::Vector3d::Zero(),
                     (spheres.radii[0] + spheres.radii[1]) * normal.stableNormalized()};
  return spheres;
}

/// The motion of the first ball, or of all of them.
State read_chain_start(const Value& velocity, const RotatingChain& chain) {
  const char* form = chain.spatial ? "[vx, vy, vz, wx, wy, wz]" : "[vx, vy, omega]";
  if (velocity.size() > 0 && velocity[0].node().as<Node::Array>() == nullptr) {
    return chain.struck_by(read_numbers(velocity, chain.per_ball(), form));
  }
  return chain.at_contact(
      read_rows(velocity, static_cast<std::size_t>(chain.balls), chain.per_ball(), "ball", form));
}

SceneSystem read_sphere_on_plane(const Scene& scene) {
  systems::SphereOnPlane sphere;
  const Table table = read_system(scene.system, sphere, {"mass", "density"});
  sphere.mass = read_masses(table, {sphere.radius}).front();
  const Table start = scene.start({"velocity", "spin"});
  const Eigen::Vector3d spin = read_numbers(start, "spin", 3, "[x, y, z]");
  return made(sphere, sphere.at_contact(read_vector(start.required("velocity")), spin));
}

SceneSystem read_two_spheres(const Scene& scene) {
  const TwoSpheres spheres = read_two(scene.system);
  const Table start = scene.start({"velocity", "spin"});
  const TwoSpheres::Vectors velocities = read_pair(start.required("velocity"));
  const auto spin = start.find("spin");
  return made(spheres, spin ? spheres.at_contact(velocities, read_pair(*spin))
                            : spheres.at_contact(velocities));
}

SceneSystem read_rotating_chain(const Scene& scene) {
  constexpr long kMaxSpinning = 1000;
  RotatingChain chain;
  const Table table =
      read_system(scene.system, chain,
                  {"balls", "mass", "masses", "density", "radius", "radii", "names", "wall"});
  chain.balls = read_count(table, "ball", kMaxSpinning, {"masses", "radii", "names"});
  chain.radii = read_each(table, "radius", "radii", chain.balls);
  chain.masses = read_masses(table, chain.radii);
  chain.names = read_names(table, chain.balls);
  chain.wall = read_wall(table);
  validate(chain);
  return made(chain, read_chain_start(scene.velocity(), chain));
}

// ------------------------------------------------------------------- cradles, pendula, the bar

using systems::ImpactingBar;

/// The bar has its material in [system], and of the contact there is only a restitution to say.
double read_bar_restitution(const Table& scene) {
  for (const std::string_view key : {"material", "contact", "start"}) {
    if (const auto other = scene.find(key)) {
      other->fail(
          "is not for an impacting_bar: its material and its start are keys of [system], its "
          "restitution one of [impact]");
    }
  }
  const double usual = Material{}.restitution;
  const auto impact = scene.find("impact");
  if (!impact) return usual;
  const auto restitution = Table(*impact, {"restitution", "law"}).find("restitution");
  return restitution ? read_number(*restitution, Range::fraction()) : usual;
}

SceneSystem read_cradle(const Scene& scene) {
  constexpr int kMostStrings = 1000;
  systems::Cradle cradle;
  const Table table = read_system(scene.system, cradle, {"mass", "masses", "density"});
  require_at_most(table, "balls", cradle.balls, kMostStrings);
  cradle.masses = read_masses(
      table, std::vector<double>(static_cast<std::size_t>(cradle.balls), cradle.radius));
  validate(cradle);
  const Table start = scene.start({"angles_deg", "rates"});
  const auto per_ball = [&](std::string_view key) {
    return read_numbers(start, key, cradle.balls, "one per ball");
  };
  return made(cradle, cradle.at(per_ball("angles_deg").unaryExpr(&radians), per_ball("rates")));
}

SceneSystem read_double_pendulum(const Scene& scene) {
  systems::DoublePendulum pendulum;
  read_system(scene.system, pendulum);
  if (!scene.moves) {
    const Table start = scene.start({"rates"});
    return made(pendulum, pendulum.at_contact(Eigen::Vector2d(
                              read_numbers(start.required("rates"), 2, "one per rod"))));
  }
  validate(pendulum);
  const Table start = scene.start({"angles_deg", "rates"});
  const Vector degrees = read_numbers(start.required("angles_deg"), 2, "one per rod");
  return made(pendulum,
              pendulum.at(Eigen::Vector2d(degrees.unaryExpr(&radians)),
                          Eigen::Vector2d(read_numbers(start, "rates", 2, "one per rod"))));
}

SceneSystem read_multiple_pendulum(const Scene& scene) {
  systems::MultiplePendulum pendulum;
  const Table table = read_system(scene.system, pendulum, {"obstacles"});
  require_size(table.required("lengths"), "rod");
  const auto rods = static_cast<Eigen::Index>(pendulum.lengths.size());
  pendulum.obstacles = read_list<systems::PendulumObstacle>(table.required("obstacles"), "obstacle",
                                                            {.rod = static_cast<int>(rods)});
  validate(pendulum);
  const Table start = scene.start({"angles_deg", "rates"});
  const Vector degrees = read_numbers(start.required("angles_deg"), rods, "one per rod");
  return made(pendulum, pendulum.at(degrees.unaryExpr(&radians),
                                    read_numbers(start, "rates", rods, "one per rod")));
}

SceneSystem read_impacting_bar(const Scene& scene) {
  constexpr int kMostSegments = 100000;
  ImpactingBar bar;
  const Table table = read_system(scene.system, bar, {"model", "excitation"});
  require_at_most(table, "segments", bar.segments, kMostSegments);
  bar.model = table.integer("model", 2, 1, 2) == 1 ? ImpactingBar::Model::SeparateSprings
                                                   : ImpactingBar::Model::ParallelSprings;
  if (const auto excitation = table.find("excitation")) {
    bar.excitation = read_fields<ImpactingBar::Excitation>(*excitation);
  }
  bar.material.restitution = read_bar_restitution(scene.table);

  const systems::BarVibrations free = vibrations(bar);
  SceneSystem result = made(bar, bar.start());
  result.first_bending_hz = free.first_bending / (2.0 * std::numbers::pi);
  Node defaults;
  defaults.add("model", bar.model == ImpactingBar::Model::SeparateSprings ? 1 : 2);
  add_options(defaults, options_of(bar));
  add_options(defaults.add("excitation", {}), options_of(bar.excitation));
  result.defaults = std::move(defaults);
  return result;
}

}  // namespace

std::span<const SceneKind> body_kinds() {
  static constexpr std::array<SceneKind, 15> kKinds{{
      {"cradle", For::Both, read_cradle},
      {"planar_body", For::Both, read_planar_body},
      {"rocking_block", For::Both, read_rocking_block},
      {"v_groove", For::Both, read_v_groove},
      {"double_pendulum", For::Both, read_double_pendulum},
      {"multiple_pendulum", For::Both, read_multiple_pendulum},
      {"four_foot_plate", For::Impact, read_four_foot_plate},
      {"spatial_body", For::Impact, read_spatial_body},
      {"sphere_on_plane", For::Impact, read_sphere_on_plane},
      {"two_spheres", For::Impact, read_two_spheres},
      {"rotating_chain", For::Impact, read_rotating_chain},
      {"dimer", For::Both, [](const Scene& scene) { return read_rod(scene, 2, "dimer"); }},
      {"three_ball_rod", For::Both, [](const Scene& scene) { return read_rod(scene, 3, "rod"); }},
      {"block_stack", For::Impact, read_block_stack},
      {"impacting_bar", For::Motion, read_impacting_bar},
  }};
  return kKinds;
}

}  // namespace percute::io

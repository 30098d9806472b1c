// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/scene_reader.hpp"
#include "io/text.hpp"

#include <percute/laws/single_contact.hpp>
#include <percute/systems/ball_chain.hpp>
#include <percute/systems/ball_cluster.hpp>
#include <percute/systems/sphere_chain.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

// Balls that do not spin: chains, columns of beads, stacks, clusters and the single ball.

namespace percute::io {

namespace {

using systems::BallChain;
using systems::BallCluster;
using systems::BeadColumn;
using systems::hertz_stiffness;
using systems::StackedBalls;

/// Refuses more bodies than a system may have in motion, where impacts have dense matrices.
void require_moderate(const Scene& scene, int bodies, std::string_view key) {
  constexpr int kMost = 1000;
  if (scene.moves && bodies > kMost) {
    scene.system.fail(
        fmt::format("{} {} are too many to move in time; up to {}", bodies, key, kMost));
  }
}

/// Radii and masses as given, contacts as [material] says.
BallChain read_given_balls(const Table& table, std::vector<double> radii) {
  BallChain chain{.balls = static_cast<int>(radii.size())};
  chain.radii = std::move(radii);
  chain.masses = read_masses(table, chain.radii);
  return chain;
}

/// Balls of a given substance: it makes stiffnesses and, unless they are given, masses.
BallChain read_spheres(const Table& table, std::vector<double> radii, BallChain::Wall wall) {
  const Value made_of = table.required("made_of");
  systems::SphereChain spheres{.radii = std::move(radii), .made_of = {}, .wall = wall};
  spheres.made_of = read_made_of(made_of, static_cast<int>(spheres.radii.size()));
  if (const auto wall_made_of = table.find("wall_made_of")) {
    spheres.wall_made_of = read_elastic(*wall_made_of);
  }
  if (table.has("mass") || table.has("masses") || table.has("density")) {
    spheres.masses = read_masses(table, spheres.radii);
  } else {
    require_density(made_of, spheres.made_of);
  }
  return spheres.chain();
}

/// One radius per ball: listed, by a pattern, or all equal.
std::vector<double> read_radii(const Table& table) {
  if (auto pattern = read_radii_pattern(table)) return *std::move(pattern);
  const int balls = read_count(table, "ball", kMaxBalls, {"masses", "radii", "names"});
  for (const std::string_view key : {"density", "made_of"}) {
    if (!table.has("radius") && !table.has("radii")) {
      table.refuse(key, "needs 'radius' or 'radii'");
    }
  }
  std::vector<double> radii = read_each(table, "radius", "radii", balls, "ball", false);
  if (radii.empty()) radii.resize(static_cast<std::size_t>(balls), BallChain{}.radius);
  return radii;
}

/// The velocities of all balls, or the speed of the first one or ones, or of those at both ends.
State read_velocities(const Table& table, const BallChain& chain) {
  const auto [key, value] =
      table.one_of({"velocity", "speed"},
                   "give either 'velocity' (one per ball) or 'speed' (of the first ball)");
  if (key == "speed") {
    const bool both_ends = table.boolean("both_ends", false);
    const int most = both_ends ? chain.balls / 2 : chain.balls;
    if (most < 1) table.fail("both_ends", "needs 2 balls or more");
    const auto strikers = static_cast<int>(table.integer("strikers", 1, 1, most));
    return both_ends ? chain.struck_at_both_ends(value.number(), strikers)
                     : chain.at_contact(value.number(), strikers);
  }
  for (const std::string_view other : {"strikers", "both_ends"}) {
    table.refuse(other, "goes with 'speed', not with 'velocity'");
  }
  require_per(value, chain.balls);
  return chain.at_contact(value.numbers());
}

constexpr long kMaxRows = 1000;  // half a million balls

/// Balls at places given one by one.
BallCluster read_positions(const Table& table) {
  const Value positions = table.required("positions");
  require_size(positions, "ball", 1, kMaxBalls);
  BallCluster cluster;
  cluster.positions = read_points(positions);
  cluster.radii = read_each(table, "radius", "radii", cluster.balls());
  cluster.names = read_names(table, cluster.balls());
  return cluster;
}

/// Balls whose places follow from the name of the arrangement.
BallCluster read_arrangement(const Table& table) {
  (void)table.required("arrangement").choice(Names<int, 1>{{{"rack", 0}}});
  for (const std::string_view key : {"positions", "radii", "names"}) {
    table.refuse(key, "is given by the arrangement; leave out one of the two");
  }
  const long rows = table.required("rows").integer(1, kMaxRows);
  BallCluster cluster = systems::rack(static_cast<int>(rows), table.required("radius").number());
  cluster.radii.assign(cluster.positions.size(), cluster.radius);
  return cluster;
}

BallCluster read_cluster(const Value& value) {
  BallCluster usual;
  const Table table = read_system(value, usual,
                                  {"arrangement", "rows", "positions", "mass", "masses", "density",
                                   "radius", "radii", "names", "walls"});
  if (!table.has("positions") && !table.has("arrangement")) {
    value.fail("give either 'positions' ([x, y] of every ball) or 'arrangement' (\"rack\")");
  }
  if (!table.has("arrangement")) table.refuse("rows", "goes with 'arrangement'");
  BallCluster cluster = table.has("arrangement") ? read_arrangement(table) : read_positions(table);
  cluster.masses = read_masses(table, cluster.radii);
  if (const auto walls = table.find("walls")) {
    cluster.walls = read_list<systems::PlaneWall>(*walls, "wall", {}, 0);
  }
  cluster.touch_tolerance = usual.touch_tolerance;
  return cluster;
}

/// The ball with this name, counted from 0.
int read_striker(const Value& value, const BallCluster& cluster) {
  const std::vector<Body> bodies = cluster.bodies();
  std::vector<std::string_view> names;
  names.reserve(bodies.size());
  for (const Body& body : bodies) names.emplace_back(body.name);
  const std::string& word = value.string();
  const auto found = std::ranges::find(names, word);
  if (found == names.end()) {
    value.fail(fmt::format(R"(there is no ball {}{}; they are called "{}" to "{}")",
                           value.node().describe(), did_you_mean(word, names), names.front(),
                           names.back()));
  }
  return static_cast<int>(found - names.begin());
}

/// One velocity per ball, or that of the striker.
State read_cluster_start(const Table& table, const BallCluster& cluster) {
  const Value velocity = table.required("velocity");
  const bool all = velocity.size() > 0 && velocity[0].node().as<Node::Array>() != nullptr;
  if (!all) {
    const auto striker = table.find("striker");
    return cluster.at_contact(striker ? read_striker(*striker, cluster) : 0, read_point(velocity));
  }
  table.refuse("striker", "goes with one velocity [x, y], not with a list of them");
  require_per(velocity, cluster.balls());
  return cluster.at_contact(read_points(velocity));
}

/// How fast balls on top of each other come down: their speed, the height they fell through, or all
/// velocities.
template <class System>
State read_drop(const Scene& scene, const System& system, int balls) {
  const Table table = scene.start({"velocity", "speed", "height", "gravity"});
  const auto [key, value] = table.one_of({"velocity", "speed", "height"},
                                         "give one of 'velocity' (one per ball, positive upwards), "
                                         "'speed' (downwards) and 'height' with 'gravity'");
  if (key == "height") {
    return system.dropped_from(value.number(), table.required("gravity").number());
  }
  table.refuse("gravity", "goes with 'height'");
  if (key == "speed") return system.at_contact(value.number());
  require_per(value, balls);
  return system.at_contact(value.numbers());
}

constexpr double kPlane = std::numeric_limits<double>::infinity();

/// Speed of the bead whose impact was timed.
double read_measured_speed(const Table& table) {
  const auto [key, value] = table.one_of({"speed", "height"}, "give either 'speed' or 'height'");
  if (key == "height") {
    return std::sqrt(2.0 * read_positive(table.required("gravity")) * read_positive(value));
  }
  table.refuse("gravity", "goes with 'height'");
  return read_positive(value);
}

/// Wall stiffness from the impact of a single bead.
double read_measured(const Value& value, double mass) {
  const Table table(value, {"time_to_peak", "contact_duration", "speed", "height", "gravity"});
  const auto [key, time] = table.one_of({"time_to_peak", "contact_duration"},
                                        "give either 'time_to_peak' or 'contact_duration'");
  const double speed = read_measured_speed(table);
  return key == "time_to_peak"
             ? laws::stiffness_from_time_to_peak(read_positive(time), 1.5, mass, speed)
             : laws::stiffness_from_contact_duration(read_positive(time), 1.5, mass, speed);
}

double read_wall_stiffness(const Table& table, const BeadColumn& column,
                           const std::optional<ElasticMaterial>& made_of) {
  const auto given =
      table.find_one({"wall_made_of", "wall_stiffness", "wall_measured"},
                     "give one of 'wall_made_of', 'wall_stiffness', 'wall_measured'");
  if (given && given->first == "wall_measured") return read_measured(given->second, column.mass);
  if (given && given->first == "wall_stiffness") return read_positive(given->second);
  const auto wall = table.find("wall_made_of");
  if (wall && !made_of) wall->fail("goes with 'made_of'");
  if (!made_of) {
    table.fail("stiffness", "needs 'wall_stiffness' or 'wall_measured' beside it");
  }
  return hertz_stiffness(*made_of, column.radius, wall ? read_elastic(*wall) : *made_of, kPlane);
}

/// Stiffness of the contacts, where [system] says it.
void read_stiffness(const Table& table, const std::optional<ElasticMaterial>& made_of,
                    BeadColumn& column) {
  if (made_of) table.refuse("stiffness", "give either 'made_of' or 'stiffness'");
  if (made_of) {
    // A bead alone meets the wall only.
    if (column.beads > 1) {
      column.material.stiffness = hertz_stiffness(*made_of, column.radius, *made_of, column.radius);
    }
  } else if (const auto stiffness = table.find("stiffness")) {
    column.material.stiffness = read_positive(*stiffness);
  } else {
    for (const std::string_view key : {"wall_made_of", "wall_stiffness", "wall_measured"}) {
      table.refuse(key, "goes with 'made_of' or 'stiffness' of the beads");
    }
    return;
  }
  column.wall.stiffness = read_wall_stiffness(table, column, made_of);
}

/// From exactly one of 'mass' and 'density', or from what the beads are made of.
double read_mass(const Table& table, double radius, const std::optional<ElasticMaterial>& made_of) {
  if (!made_of || table.has("mass") || table.has("density")) {
    const auto [key, value] = table.one_of({"mass", "density"}, "give either 'mass' or 'density'");
    return key == "mass" ? value.number() : mass_of_ball(read_positive(value), radius, "radius");
  }
  require_density(table.required("made_of"), {*made_of});
  return mass_of_ball(made_of->density, radius, "radius");
}

/// Height of the lowest point above the wall, gaps between the beads, and how they move.
State read_column_start(const Scene& scene, const systems::BallChain& beads) {
  const Table table = scene.start({"height", "gaps", "velocity", "speed"});
  const auto given = table.find_one(
      {"velocity", "speed"},
      "give either 'velocity' (one per bead, positive upwards) or 'speed' (downwards)");
  Vector velocity = Vector::Constant(beads.balls, -table.number("speed", 0.0));
  if (given && given->first == "velocity") {
    require_per(given->second, beads.balls);
    velocity = given->second.numbers();
  }
  Vector gaps = Vector::Zero(beads.balls);
  if (const auto list = table.find("gaps")) {
    gaps.tail(beads.balls - 1) =
        read_numbers(*list, beads.balls - 1, "one per pair of neighbours, from below");
    for (std::size_t i = 0; i < list->size(); ++i) read_number((*list)[i], Range::not_negative());
  }
  gaps[0] = read_number(table.required("height"), Range::not_negative(),
                        ": the column is above the wall");
  return beads.apart(gaps, velocity);
}

SceneSystem read_ball_chain(const Scene& scene) {
  BallChain usual;
  const Table table = read_system(scene.system, usual,
                                  {"balls", "mass", "masses", "density", "radius", "radii", "names",
                                   "made_of", "wall_made_of", "striker_mass", "wall", "base"});
  const BallChain::Wall wall = read_wall(table);
  if (!table.has("made_of") || wall == BallChain::Wall::None) {
    table.refuse("wall_made_of", "goes with 'made_of' and a 'wall'");
  }
  if (scene.moves && wall == BallChain::Wall::Both) {
    table.fail("wall", R"(walls at both ends leave no room for motion: "none", "left" or "right")");
  }
  std::vector<double> radii = read_radii(table);
  require_moderate(scene, static_cast<int>(radii.size()), "balls");
  BallChain chain = table.has("made_of") ? read_spheres(table, std::move(radii), wall)
                                         : read_given_balls(table, std::move(radii));
  chain.wall = wall;
  chain.names = read_names(table, chain.balls);
  chain.gravity = usual.gravity;
  read_base(table, chain.base);
  if (const auto mass = table.find("striker_mass")) {
    chain = with_striker_mass(std::move(chain), mass->number());
  }

  const Table start = scene.start({"velocity", "speed", "strikers", "both_ends", "gaps"});
  State state = read_velocities(start, chain);
  if (const auto gaps = start.find("gaps")) {
    state = chain.apart(read_numbers(*gaps, chain.contacts(), "one per contact from left to right"),
                        state.velocity);
  }
  SceneSystem result = made(chain, state);
  if (!chain.materials.empty()) result.stiffness_from = "system.made_of";
  result.defaults.add("wall", "none");
  if (!table.has("radii")) result.defaults.add("radius", BallChain{}.radius);
  return result;
}

SceneSystem read_ball_cluster(const Scene& scene) {
  const BallCluster cluster = read_cluster(scene.system);
  validate(cluster);
  const State start = read_cluster_start(scene.start({"velocity", "striker"}), cluster);
  return {.system = cluster.touching(start.position), .start = start, .concrete = cluster};
}

SceneSystem read_stacked_balls(const Scene& scene) {
  const Table table(scene.system, {"kind", "balls", "mass", "masses", "density", "radius", "radii",
                                   "pressure", "pressures", "names"});
  const int balls = read_count(table, "ball", kMaxBalls, {"masses", "radii", "pressures", "names"});
  StackedBalls stack;
  stack.radii = read_each(table, "radius", "radii", balls);
  stack.masses = read_masses(table, stack.radii);
  stack.pressures = read_each(table, "pressure", "pressures", balls, "ball", false);
  stack.names = read_names(table, balls);
  validate(stack);
  SceneSystem result = made(stack, read_drop(scene, stack, balls));
  if (!stack.pressures.empty()) result.stiffness_from = "the pressure of the balls";
  return result;
}

SceneSystem read_bead_column(const Scene& scene) {
  BeadColumn column;
  const Table table = read_system(scene.system, column,
                                  {"mass", "density", "made_of", "stiffness", "wall_made_of",
                                   "wall_stiffness", "wall_measured", "base"});
  require_at_most(table, "beads", column.beads, kMaxBalls);
  require_moderate(scene, column.beads, "beads");
  for (const std::string_view key : {"density", "made_of"}) {
    if (!table.has("radius")) table.refuse(key, "needs 'radius'");
  }
  std::optional<ElasticMaterial> made_of;
  if (const auto value = table.find("made_of")) made_of = read_elastic(*value);
  column.mass = read_mass(table, column.radius, made_of);
  read_base(table, column.base);
  validate(column);
  read_stiffness(table, made_of, column);

  SceneSystem result = made(column, scene.moves ? read_column_start(scene, column.chain())
                                                : read_drop(scene, column, column.beads));
  if (made_of) result.stiffness_from = "system.made_of";
  if (table.has("stiffness")) result.stiffness_from = "system.stiffness";
  return result;
}

SceneSystem read_bouncing_ball(const Scene& scene) {
  systems::BouncingBall ball;
  read_system(scene.system, ball);
  const Table start = scene.start({"height", "velocity"});
  return made(ball, ball.at(start.required("height").number(), start.number("velocity", 0.0)));
}

}  // namespace

std::span<const SceneKind> ball_kinds() {
  static constexpr std::array<SceneKind, 5> kKinds{{
      {.name = "ball_chain", .use = For::Both, .read = read_ball_chain},
      {.name = "ball_cluster", .use = For::Impact, .read = read_ball_cluster},
      {.name = "stacked_balls", .use = For::Impact, .read = read_stacked_balls},
      {.name = "bead_column", .use = For::Both, .read = read_bead_column},
      {.name = "bouncing_ball", .use = For::Motion, .read = read_bouncing_ball},
  }};
  return kKinds;
}

}  // namespace percute::io

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/scene_reader.hpp"
#include "io/suggest.hpp"

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
    if (table.has(key) && !table.has("radius") && !table.has("radii")) {
      table.fail(key, "needs 'radius' or 'radii'");
    }
  }
  return read_each(table, "radius", "radii", balls)
      .value_or(std::vector<double>(static_cast<std::size_t>(balls), BallChain{}.radius));
}

/// The velocities of all balls, or the speed of the first one or ones, or of those at both ends.
State read_velocities(const Table& table, const BallChain& chain) {
  if (table.has("velocity") == table.has("speed")) {
    table.fail("speed", "give either 'velocity' (one per ball) or 'speed' (of the first ball)");
  }
  if (const auto speed = table.find("speed")) {
    const bool both_ends = table.boolean("both_ends", false);
    const int most = both_ends ? chain.balls / 2 : chain.balls;
    if (most < 1) table.fail("both_ends", "needs 2 balls or more");
    const auto strikers = static_cast<int>(table.integer("strikers", 1, 1, most));
    return both_ends ? chain.struck_at_both_ends(speed->number(), strikers)
                     : chain.at_contact(speed->number(), strikers);
  }
  for (const std::string_view key : {"strikers", "both_ends"}) {
    if (table.has(key)) table.fail(key, "goes with 'speed', not with 'velocity'");
  }
  const Value velocity = table.required("velocity");
  require_per(velocity, chain.balls);
  return chain.at_contact(velocity.numbers());
}

constexpr long kMaxRows = 1000;  // half a million balls

/// Balls at places given one by one.
BallCluster read_positions(const Table& table) {
  const Value positions = table.required("positions");
  if (positions.size() < 1 || positions.size() > static_cast<std::size_t>(kMaxBalls)) {
    positions.fail(fmt::format("must have from 1 to {} entries, one per ball, got {}", kMaxBalls,
                               positions.size()));
  }
  BallCluster cluster;
  cluster.positions = read_points(positions);
  cluster.radii = required_each(table, "radius", "radii", cluster.balls());
  cluster.names = read_names(table, cluster.balls());
  return cluster;
}

/// Balls whose places follow from the name of the arrangement.
BallCluster read_arrangement(const Table& table) {
  (void)table.required("arrangement").choice(Names<int, 1>{{{"rack", 0}}});
  for (const std::string_view key : {"positions", "radii", "names"}) {
    if (table.has(key)) table.fail(key, "is given by the arrangement; leave out one of the two");
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
  if (table.has("rows") && !table.has("arrangement")) {
    table.fail("rows", "goes with 'arrangement'");
  }
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
State read_cluster_start(const Value& value, const BallCluster& cluster) {
  const Table table = table_of(value, {"velocity", "striker"});
  const Value velocity = table.required("velocity");
  const bool all = velocity.size() > 0 && velocity[0].node().as<Node::Array>() != nullptr;
  if (!all) {
    const auto striker = table.find("striker");
    return cluster.at_contact(striker ? read_striker(*striker, cluster) : 0, read_point(velocity));
  }
  if (table.has("striker")) {
    table.fail("striker", "goes with one velocity [x, y], not with a list of them");
  }
  require_per(velocity, cluster.balls());
  return cluster.at_contact(read_points(velocity));
}

/// How fast balls on top of each other come down: their speed, the height they fell through, or all
/// velocities.
template <class System>
State read_drop(const Value& start, const System& system, int balls) {
  const Table table = table_of(start, {"velocity", "speed", "height", "gravity"});
  const int ways = static_cast<int>(table.has("velocity")) + static_cast<int>(table.has("speed")) +
                   static_cast<int>(table.has("height"));
  if (ways != 1) {
    start.fail(
        "give one of 'velocity' (one per ball, positive upwards), 'speed' (downwards) and "
        "'height' with 'gravity'");
  }
  if (const auto height = table.find("height")) {
    return system.dropped_from(height->number(), table.required("gravity").number());
  }
  if (table.has("gravity")) table.fail("gravity", "goes with 'height'");
  if (const auto speed = table.find("speed")) return system.at_contact(speed->number());
  const Value velocity = table.required("velocity");
  require_per(velocity, balls);
  return system.at_contact(velocity.numbers());
}

constexpr double kPlane = std::numeric_limits<double>::infinity();

/// Exactly one of two keys.
bool has_first(const Table& table, std::string_view first, std::string_view second) {
  if (table.has(first) == table.has(second)) {
    table.value().fail(fmt::format("give either '{}' or '{}'", first, second));
  }
  return table.has(first);
}

/// Speed of the bead whose impact was timed.
double read_measured_speed(const Table& table) {
  if (has_first(table, "speed", "height")) {
    if (table.has("gravity")) table.fail("gravity", "goes with 'height'");
    return read_positive(table.required("speed"));
  }
  return std::sqrt(2.0 * read_positive(table.required("gravity")) *
                   read_positive(table.required("height")));
}

/// Wall stiffness from the impact of a single bead.
double read_measured(const Value& value, double mass) {
  const Table table =
      table_of(value, {"time_to_peak", "contact_duration", "speed", "height", "gravity"});
  const bool to_peak = has_first(table, "time_to_peak", "contact_duration");
  const double speed = read_measured_speed(table);
  return to_peak ? laws::stiffness_from_time_to_peak(read_positive(table.required("time_to_peak")),
                                                     1.5, mass, speed)
                 : laws::stiffness_from_contact_duration(
                       read_positive(table.required("contact_duration")), 1.5, mass, speed);
}

/// By Hertz; what is made of the same may be rigid, which is refused where it is said.
double read_hertz(const Table& table, const ElasticMaterial& bead, double radius,
                  const ElasticMaterial& other, double other_radius) {
  try {
    return systems::hertz_stiffness(bead, radius, other, other_radius);
  } catch (const InvalidInput& error) {
    table.fail("made_of", error.reason());
  }
}

/// The keys that say how stiff the wall is.
constexpr std::array<std::string_view, 3> kWallKeys{"wall_made_of", "wall_stiffness",
                                                    "wall_measured"};

double read_wall_stiffness(const Table& table, const BeadColumn& column,
                           const std::optional<ElasticMaterial>& made_of) {
  int ways = 0;
  for (const std::string_view key : kWallKeys) ways += static_cast<int>(table.has(key));
  if (ways > 1) table.value().fail("give one of 'wall_made_of', 'wall_stiffness', 'wall_measured'");
  if (const auto measured = table.find("wall_measured")) {
    return read_measured(*measured, column.mass);
  }
  if (const auto stiffness = table.find("wall_stiffness")) return read_positive(*stiffness);
  const auto wall = table.find("wall_made_of");
  if (wall && !made_of) wall->fail("goes with 'made_of'");
  if (!made_of) {
    table.fail("stiffness", "needs 'wall_stiffness' or 'wall_measured' beside it");
  }
  return read_hertz(table, *made_of, column.radius, wall ? read_elastic(*wall) : *made_of, kPlane);
}

/// Stiffness of the contacts, where [system] says it.
void read_stiffness(const Table& table, const std::optional<ElasticMaterial>& made_of,
                    BeadColumn& column) {
  if (made_of && table.has("stiffness")) {
    table.fail("stiffness", "give either 'made_of' or 'stiffness'");
  }
  if (made_of) {
    // A bead alone meets the wall only.
    if (column.beads > 1) {
      column.material.stiffness =
          read_hertz(table, *made_of, column.radius, *made_of, column.radius);
    }
  } else if (const auto stiffness = table.find("stiffness")) {
    column.material.stiffness = read_positive(*stiffness);
  } else {
    for (const std::string_view key : kWallKeys) {
      if (table.has(key)) table.fail(key, "goes with 'made_of' or 'stiffness' of the beads");
    }
    return;
  }
  column.wall.stiffness = read_wall_stiffness(table, column, made_of);
}

/// From exactly one of 'mass' and 'density', or from what the beads are made of.
double read_mass(const Table& table, double radius, const std::optional<ElasticMaterial>& made_of) {
  if (!made_of || table.has("mass") || table.has("density")) {
    if (!has_first(table, "mass", "density")) {
      return mass_of_ball(read_positive(table.required("density")), radius, "radius");
    }
    return table.required("mass").number();
  }
  require_density(table.required("made_of"), {*made_of});
  return mass_of_ball(made_of->density, radius, "radius");
}

/// Height of the lowest point above the wall, gaps between the beads, and how they move.
State read_column_start(const Value& value, const systems::BallChain& beads) {
  const Table table = table_of(value, {"height", "gaps", "velocity", "speed"});
  if (table.has("velocity") && table.has("speed")) {
    table.fail("speed",
               "give either 'velocity' (one per bead, positive upwards) or 'speed' (downwards)");
  }
  Vector velocity = Vector::Constant(beads.balls, -table.number("speed", 0.0));
  if (const auto list = table.find("velocity")) {
    require_per(*list, beads.balls);
    velocity = list->numbers();
  }
  Vector gaps = Vector::Zero(beads.balls);
  if (const auto list = table.find("gaps")) {
    gaps.tail(beads.balls - 1) =
        read_numbers(*list, beads.balls - 1, "one per pair of neighbours, from below");
    for (std::size_t i = 0; i < list->size(); ++i) read_not_negative((*list)[i]);
  }
  gaps[0] = read_not_negative(table.required("height"), ": the column is above the wall");
  return beads.apart(gaps, velocity);
}

}  // namespace

SceneSystem read_ball_chain(const Scene& scene) {
  BallChain usual;
  const Table table = read_system(scene.system, usual,
                                  {"balls", "mass", "masses", "density", "radius", "radii", "names",
                                   "made_of", "wall_made_of", "striker_mass", "wall", "base"});
  const BallChain::Wall wall = read_wall(table);
  if (table.has("wall_made_of") && (!table.has("made_of") || wall == BallChain::Wall::None)) {
    table.fail("wall_made_of", "goes with 'made_of' and a 'wall'");
  }
  if (scene.moves && wall == BallChain::Wall::Both) {
    table.fail("wall",
               "walls at both ends leave no room for motion: \"none\", \"left\" or \"right\"");
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

  const Table start =
      table_of(scene.start(), {"velocity", "speed", "strikers", "both_ends", "gaps"});
  State state = read_velocities(start, chain);
  if (const auto gaps = start.find("gaps")) {
    state = chain.apart(read_numbers(*gaps, chain.contacts(), "one per contact from left to right"),
                        state.velocity);
  }
  SceneSystem result = made(chain, std::move(state));
  if (!chain.materials.empty()) result.stiffness_from = "system.made_of";
  result.defaults.add("wall", "none");
  if (!table.has("radii")) result.defaults.add("radius", BallChain{}.radius);
  return result;
}

SceneSystem read_ball_cluster(const Scene& scene) {
  const BallCluster cluster = read_cluster(scene.system);
  validate(cluster);
  State start = read_cluster_start(scene.start(), cluster);
  return {.system = cluster.touching(start.position), .start = start};
}

SceneSystem read_stacked_balls(const Scene& scene) {
  const Table table = table_of(scene.system, {"kind", "balls", "mass", "masses", "density",
                                              "radius", "radii", "pressure", "pressures", "names"});
  const int balls = read_count(table, "ball", kMaxBalls, {"masses", "radii", "pressures", "names"});
  StackedBalls stack;
  stack.radii = required_each(table, "radius", "radii", balls);
  stack.masses = read_masses(table, stack.radii);
  if (auto pressures = read_each(table, "pressure", "pressures", balls)) {
    stack.pressures = *std::move(pressures);
  }
  stack.names = read_names(table, balls);
  validate(stack);
  SceneSystem result = made(stack, read_drop(scene.start(), stack, balls));
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
    if (table.has(key) && !table.has("radius")) table.fail(key, "needs 'radius'");
  }
  std::optional<ElasticMaterial> made_of;
  if (const auto value = table.find("made_of")) made_of = read_elastic(*value);
  column.mass = read_mass(table, column.radius, made_of);
  read_base(table, column.base);
  validate(column);
  read_stiffness(table, made_of, column);

  SceneSystem result = made(column, scene.moves ? read_column_start(scene.start(), column.chain())
                                                : read_drop(scene.start(), column, column.beads));
  if (made_of) result.stiffness_from = "system.made_of";
  if (table.has("stiffness")) result.stiffness_from = "system.stiffness";
  return result;
}

SceneSystem read_bouncing_ball(const Scene& scene) {
  systems::BouncingBall ball;
  read_system(scene.system, ball);
  const Table start = table_of(scene.start(), {"height", "velocity"});
  return made(ball, ball.at(start.required("height").number(), start.number("velocity", 0.0)));
}

}  // namespace percute::io

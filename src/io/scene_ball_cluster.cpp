// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/scene_balls.hpp"
#include "io/scene_systems.hpp"
#include "io/scene_values.hpp"
#include "io/suggest.hpp"

#include <percute/systems/ball_cluster.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace percute::io {

namespace {

using systems::BallCluster;

constexpr long kMaxRows = 1000;   // half a million balls
constexpr long kMaxWalls = 1000;  // every ball is held against every wall

std::vector<systems::PlaneWall> read_walls(const Value& value) {
  if (value.size() > static_cast<std::size_t>(kMaxWalls)) {
    value.fail(fmt::format("must have at most {} entries, got {}", kMaxWalls, value.size()));
  }
  std::vector<systems::PlaneWall> walls;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const Table table(value[i], std::array<std::string_view, 3>{"point", "normal", "name"});
    systems::PlaneWall wall{.point = read_point(table.required("point")),
                            .normal = read_point(table.required("normal"))};
    if (const auto name = table.find("name")) wall.name = name->string();
    walls.push_back(std::move(wall));
  }
  return walls;
}

/// Balls at places given one by one.
BallCluster read_positions(const Table& table) {
  const Value positions = table.required("positions");
  if (positions.size() < 1 || positions.size() > static_cast<std::size_t>(kMaxBalls)) {
    positions.fail(fmt::format("must have from 1 to {} entries, one per ball, got {}", kMaxBalls,
                               positions.size()));
  }
  BallCluster cluster;
  cluster.positions = read_points(positions);
  auto radii = read_each(table, "radius", "radii", cluster.balls());
  if (!radii) table.fail("radii", "give either 'radius' (equal balls) or 'radii' (one per ball)");
  cluster.radii = *std::move(radii);
  cluster.names = read_names(table, cluster.balls());
  return cluster;
}

/// Balls whose places follow from the name of the arrangement.
BallCluster read_arrangement(const Table& table) {
  constexpr Names<int, 1> kArrangements{{{"rack", 0}}};
  const Value arrangement = table.required("arrangement");
  (void)arrangement.choice(kArrangements);
  for (const std::string_view key : {"positions", "radii", "names"}) {
    if (table.has(key)) table.fail(key, "is given by the arrangement; leave out one of the two");
  }
  const long rows = table.required("rows").integer(1, kMaxRows);
  BallCluster cluster = systems::rack(static_cast<int>(rows), table.required("radius").number());
  cluster.radii.assign(cluster.positions.size(), cluster.radius);
  return cluster;
}

BallCluster read_system(const Value& value) {
  constexpr std::array<std::string_view, 12> kKeys{
      "kind",    "arrangement", "rows",  "positions", "mass",  "masses",
      "density", "radius",      "radii", "names",     "walls", "touch_tolerance"};
  const Table table(value, kKeys);
  if (!table.has("positions") && !table.has("arrangement")) {
    value.fail("give either 'positions' ([x, y] of every ball) or 'arrangement' (\"rack\")");
  }
  if (table.has("rows") && !table.has("arrangement")) {
    table.fail("rows", "goes with 'arrangement'");
  }
  BallCluster cluster = table.has("arrangement") ? read_arrangement(table) : read_positions(table);
  cluster.masses = read_masses(table, cluster.radii);
  if (const auto walls = table.find("walls")) cluster.walls = read_walls(*walls);
  cluster.touch_tolerance = table.number("touch_tolerance", cluster.touch_tolerance);
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
State read_start(const Value& value, const BallCluster& cluster) {
  const Table table(value, std::array<std::string_view, 2>{"velocity", "striker"});
  const Value velocity = table.required("velocity");
  const bool all = velocity.size() > 0 && velocity[0].node().as<Node::Array>() != nullptr;
  if (!all) {
    const auto striker = table.find("striker");
    return cluster.at_contact(striker ? read_striker(*striker, cluster) : 0, read_point(velocity));
  }
  if (table.has("striker")) {
    table.fail("striker", "goes with one velocity [x, y], not with a list of them");
  }
  require_per_ball(velocity, cluster.balls());
  return cluster.at_contact(read_points(velocity));
}

}  // namespace

SystemAtContact read_ball_cluster(const Value& system, const Value& start) {
  const BallCluster cluster = read_system(system);
  validate(cluster);
  return touching(cluster, read_start(start, cluster));
}

}  // namespace percute::io

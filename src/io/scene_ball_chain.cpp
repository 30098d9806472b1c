// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/scene_balls.hpp"
#include "io/scene_systems.hpp"

#include <percute/systems/ball_chain.hpp>

namespace percute::io {

namespace {

using systems::BallChain;

/// true is a wall on the right, the place of walls in most studies of chains.
BallChain::Wall read_wall(const Value& value) {
  constexpr Names<BallChain::Wall, 4> kWalls{{{"none", BallChain::Wall::None},
                                              {"left", BallChain::Wall::Left},
                                              {"right", BallChain::Wall::Right},
                                              {"both", BallChain::Wall::Both}}};
  if (const auto* on = value.node().as<bool>()) {
    return *on ? BallChain::Wall::Right : BallChain::Wall::None;
  }
  if (value.node().as<std::string>() == nullptr) {
    value.fail(R"(must be "none", "left", "right" or "both" (or true: right, false: none), got )" +
               value.node().describe());
  }
  return value.choice(kWalls);
}

BallChain read_system(const Value& value) {
  constexpr std::array<std::string_view, 9> kKeys{"kind",   "balls", "mass",  "masses", "density",
                                                  "radius", "radii", "names", "wall"};
  constexpr std::array<std::string_view, 3> kLists{"masses", "radii", "names"};
  const Table table(value, kKeys);
  BallChain chain;
  chain.balls = read_ball_count(table, kLists);
  if (table.has("density") && !table.has("radius") && !table.has("radii")) {
    table.fail("density", "needs 'radius' or 'radii'");
  }
  const auto count = static_cast<std::size_t>(chain.balls);
  chain.radii = read_each(table, "radius", "radii", chain.balls)
                    .value_or(std::vector<double>(count, chain.radius));
  chain.masses = read_masses(table, chain.radii);
  chain.names = read_names(table, chain.balls);
  if (const auto wall = table.find("wall")) chain.wall = read_wall(*wall);
  return chain;
}

/// The velocities of all balls, or the speed of the first one or ones.
State read_start(const Value& value, const BallChain& chain) {
  const Table table(value, std::array<std::string_view, 3>{"velocity", "speed", "strikers"});
  if (table.has("velocity") == table.has("speed")) {
    table.fail("speed", "give either 'velocity' (one per ball) or 'speed' (of the first ball)");
  }
  if (const auto speed = table.find("speed")) {
    const long strikers = table.integer("strikers", 1, 1, chain.balls);
    return chain.at_contact(speed->number(), static_cast<int>(strikers));
  }
  if (table.has("strikers")) table.fail("strikers", "goes with 'speed', not with 'velocity'");
  const Value velocity = table.required("velocity");
  require_per_ball(velocity, chain.balls);
  return chain.at_contact(velocity.numbers());
}

}  // namespace

SystemAtContact read_ball_chain(const Value& system, const Value& start) {
  const BallChain chain = read_system(system);
  validate(chain);
  return touching(chain, read_start(start, chain));
}

}  // namespace percute::io

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/scene_balls.hpp"
#include "io/scene_builders.hpp"
#include "io/scene_elastic.hpp"
#include "io/scene_radii.hpp"
#include "io/scene_systems.hpp"
#include "io/scene_values.hpp"

#include <percute/systems/sphere_chain.hpp>

#include <utility>

namespace percute::io {

namespace {

using systems::BallChain;

/// Radii and masses as given, contacts as [material] says.
BallChain read_balls(const Table& table, std::vector<double> radii) {
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
  constexpr std::array<std::string_view, 3> kLists{"masses", "radii", "names"};
  if (auto pattern = read_radii_pattern(table)) return *std::move(pattern);
  const int balls = read_ball_count(table, kLists);
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
  require_per_ball(velocity, chain.balls);
  return chain.at_contact(velocity.numbers());
}

}  // namespace

systems::BallChain build_ball_chain(const Value& value) {
  constexpr std::array<std::string_view, 14> kKeys{
      "kind",  "balls",   "mass",         "masses",       "density", "radius",  "radii",
      "names", "made_of", "wall_made_of", "striker_mass", "wall",    "gravity", "base"};
  const Table table(value, kKeys);
  const auto wall_value = table.find("wall");
  const BallChain::Wall wall = wall_value ? read_wall(*wall_value) : BallChain::Wall::None;
  if (table.has("wall_made_of") && (!table.has("made_of") || wall == BallChain::Wall::None)) {
    table.fail("wall_made_of", "goes with 'made_of' and a 'wall'");
  }
  std::vector<double> radii = read_radii(table);
  BallChain chain = table.has("made_of") ? read_spheres(table, std::move(radii), wall)
                                         : read_balls(table, std::move(radii));
  chain.wall = wall;
  chain.names = read_names(table, chain.balls);
  chain.gravity = table.number("gravity", 0.0);
  if (const auto base = table.find("base")) chain.base = read_base(*base);
  if (const auto mass = table.find("striker_mass")) {
    chain = with_striker_mass(std::move(chain), mass->number());
  }
  validate(chain);
  return chain;
}

State read_ball_chain_start(const Value& start, const systems::BallChain& chain) {
  const Table table(
      start, std::array<std::string_view, 5>{"velocity", "speed", "strikers", "both_ends", "gaps"});
  State state = read_velocities(table, chain);
  const auto gaps = table.find("gaps");
  if (!gaps) return state;
  return chain.apart(read_numbers(*gaps, chain.contacts(), "one per contact from left to right"),
                     state.velocity);
}

SystemAtContact read_ball_chain(const Value& system, const Value& start) {
  const BallChain chain = build_ball_chain(system);
  SystemAtContact result = touching(chain, read_ball_chain_start(start, chain));
  if (!chain.materials.empty()) result.stiffness_from = "system.made_of";
  return result;
}

}  // namespace percute::io

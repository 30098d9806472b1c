// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/scene_balls.hpp"
#include "io/scene_builders.hpp"
#include "io/scene_systems.hpp"
#include "io/scene_values.hpp"

namespace percute::io {

namespace {

// More strings than this are refused: cradles are solved with dense matrices.
constexpr long kMostStrings = 1000;

/// One number per ball, or zeros.
Vector per_ball(const Table& table, std::string_view key, int balls) {
  const auto list = table.find(key);
  if (!list) return Vector::Zero(balls);
  require_per_ball(*list, balls);
  return list->numbers();
}

}  // namespace

systems::Cradle build_cradle(const Value& system) {
  constexpr std::array<std::string_view, 8> kKeys{"kind",   "balls",  "mass",    "masses",
                                                  "radius", "length", "spacing", "gravity"};
  const Table table(system, kKeys);
  systems::Cradle cradle;
  cradle.balls = static_cast<int>(table.integer("balls", cradle.balls, 1, kMostStrings));
  cradle.radius = table.required("radius").number();
  cradle.masses = read_masses(
      table, std::vector<double>(static_cast<std::size_t>(cradle.balls), cradle.radius));
  cradle.length = table.required("length").number();
  cradle.spacing = table.number("spacing", 0.0);
  cradle.gravity = table.number("gravity", 0.0);
  validate(cradle);
  return cradle;
}

State read_cradle_start(const Value& start, const systems::Cradle& cradle) {
  const Table table(start, std::array<std::string_view, 2>{"angles_deg", "rates"});
  const Vector degrees = per_ball(table, "angles_deg", cradle.balls);
  return cradle.at(degrees.unaryExpr(&radians), per_ball(table, "rates", cradle.balls));
}

SystemAtContact read_cradle(const Value& system, const Value& start) {
  const systems::Cradle cradle = build_cradle(system);
  return touching(cradle, read_cradle_start(start, cradle));
}

}  // namespace percute::io

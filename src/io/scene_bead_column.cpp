// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/scene_balls.hpp"
#include "io/scene_builders.hpp"
#include "io/scene_elastic.hpp"
#include "io/scene_systems.hpp"

#include <percute/laws/single_contact.hpp>
#include <percute/systems/bead_column.hpp>
#include <percute/systems/sphere_chain.hpp>

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>

namespace percute::io {

namespace {

using systems::BeadColumn;

constexpr double kPlane = std::numeric_limits<double>::infinity();

/// Exactly one of two keys.
bool has_first(const Table& table, std::string_view first, std::string_view second) {
  if (table.has(first) == table.has(second)) {
    table.value().fail(fmt::format("give either '{}' or '{}'", first, second));
  }
  return table.has(first);
}

double positive(const Value& value) {
  if (!(value.number() > 0.0)) value.fail("must be a number > 0, got " + value.node().describe());
  return value.number();
}

/// Speed of the bead whose impact was timed.
double read_measured_speed(const Table& table) {
  if (has_first(table, "speed", "height")) {
    if (table.has("gravity")) table.fail("gravity", "goes with 'height'");
    return positive(table.required("speed"));
  }
  return std::sqrt(2.0 * positive(table.required("gravity")) * positive(table.required("height")));
}

/// Wall stiffness from the impact of a single bead.
double read_measured(const Value& value, double mass) {
  const Table table(value, std::array<std::string_view, 5>{"time_to_peak", "contact_duration",
                                                           "speed", "height", "gravity"});
  const bool to_peak = has_first(table, "time_to_peak", "contact_duration");
  const double speed = read_measured_speed(table);
  return to_peak ? laws::stiffness_from_time_to_peak(positive(table.required("time_to_peak")), 1.5,
                                                     mass, speed)
                 : laws::stiffness_from_contact_duration(
                       positive(table.required("contact_duration")), 1.5, mass, speed);
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
  if (const auto stiffness = table.find("wall_stiffness")) return positive(*stiffness);
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
    column.material.stiffness = positive(*stiffness);
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
      return mass_of_ball(positive(table.required("density")), radius, "radius");
    }
    return table.required("mass").number();
  }
  require_density(table.required("made_of"), {*made_of});
  return mass_of_ball(made_of->density, radius, "radius");
}

BeadColumn read_system(const Table& table) {
  BeadColumn column;
  column.beads = static_cast<int>(table.required("beads").integer(1, kMaxBalls));
  for (const std::string_view key : {"density", "made_of"}) {
    if (table.has(key) && !table.has("radius")) table.fail(key, "needs 'radius'");
  }
  if (const auto radius = table.find("radius")) column.radius = positive(*radius);
  std::optional<ElasticMaterial> made_of;
  if (const auto value = table.find("made_of")) made_of = read_elastic(*value);
  column.mass = read_mass(table, column.radius, made_of);
  column.gravity = table.number("gravity", 0.0);
  if (const auto base = table.find("base")) column.base = read_base(*base);
  validate(column);
  read_stiffness(table, made_of, column);
  return column;
}

}  // namespace

systems::BeadColumn build_bead_column(const Value& system) {
  constexpr std::array<std::string_view, 12> kKeys{
      "kind",      "beads",        "mass",           "density",       "radius",  "made_of",
      "stiffness", "wall_made_of", "wall_stiffness", "wall_measured", "gravity", "base"};
  return read_system(Table(system, kKeys));
}

std::string_view bead_stiffness_from(const Value& system) {
  if (system.node().find("made_of") != nullptr) return "system.made_of";
  if (system.node().find("stiffness") != nullptr) return "system.stiffness";
  return {};
}

SystemAtContact read_bead_column(const Value& system, const Value& start) {
  const BeadColumn column = build_bead_column(system);
  SystemAtContact result = touching(column, read_drop(start, column, column.beads));
  result.stiffness_from = bead_stiffness_from(system);
  return result;
}

}  // namespace percute::io

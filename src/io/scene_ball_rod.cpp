// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/scene_balls.hpp"
#include "io/scene_builders.hpp"
#include "io/scene_systems.hpp"
#include "io/scene_values.hpp"

namespace percute::io {

namespace {

using systems::BallRod;

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
  const Value length = table.required("length");
  if (!(length.number() > 0.0)) {
    length.fail("must be a number > 0, got " + length.node().describe());
  }
  std::vector<double> places;
  places.reserve(static_cast<std::size_t>(balls));
  for (int i = 0; i < balls; ++i) places.push_back(length.number() * i / (balls - 1));
  return places;
}

BallRod read_system(const Table& table, int balls, std::string name) {
  BallRod rod{.name = std::move(name)};
  rod.places = read_places(table, balls);
  auto radii = read_each(table, "radius", "radii", balls);
  if (!radii) table.fail("radii", "give either 'radius' (equal balls) or 'radii' (one per ball)");
  rod.radii = *std::move(radii);
  rod.masses = read_masses(table, rod.radii);
  if (const auto inertia = table.find("inertia")) rod.inertia = inertia->number();
  if (const auto angle = table.find("angle_deg")) rod.angle = radians(angle->number());
  if (const auto given = table.find("name")) rod.name = given->string();
  rod.gravity = table.number("gravity", 0.0);
  if (const auto base = table.find("base")) rod.base = read_planar_base(*base);
  validate(rod);
  return rod;
}

SystemAtContact at_contact(const BallRod& rod, const Value& start) {
  const Table table(start, std::array<std::string_view, 1>{"velocity"});
  return touching(rod, rod.at_contact(Eigen::Vector3d(
                           read_numbers(table.required("velocity"), 3, "[vx, vy, omega]"))));
}

}  // namespace

systems::BallRod build_dimer(const Value& system) {
  constexpr std::array<std::string_view, 12> kKeys{"kind",    "name",      "length",  "mass",
                                                   "masses",  "radius",    "radii",   "density",
                                                   "inertia", "angle_deg", "gravity", "base"};
  return read_system(Table(system, kKeys), 2, "dimer");
}

systems::BallRod build_three_ball_rod(const Value& system) {
  constexpr std::array<std::string_view, 13> kKeys{
      "kind",  "name",    "length",  "places",    "mass",    "masses", "radius",
      "radii", "density", "inertia", "angle_deg", "gravity", "base"};
  return read_system(Table(system, kKeys), 3, "rod");
}

SystemAtContact read_dimer(const Value& system, const Value& start) {
  return at_contact(build_dimer(system), start);
}

SystemAtContact read_three_ball_rod(const Value& system, const Value& start) {
  return at_contact(build_three_ball_rod(system), start);
}

}  // namespace percute::io

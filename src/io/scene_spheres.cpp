// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/scene_balls.hpp"
#include "io/scene_systems.hpp"
#include "io/scene_values.hpp"

#include <percute/systems/spinning_spheres.hpp>

#include <fmt/format.h>

namespace percute::io {

namespace {

using systems::RotatingChain;
using systems::SphereOnPlane;
using systems::TwoSpheres;

// Tangents are written out in full, so memory grows like the square of the number of balls.
constexpr long kMaxSpinning = 1000;

SphereOnPlane read_sphere(const Value& value) {
  constexpr std::array<std::string_view, 6> kKeys{"kind",   "mass",           "density",
                                                  "radius", "inertia_factor", "normal"};
  const Table table(value, kKeys);
  SphereOnPlane sphere;
  sphere.radius = table.required("radius").number();
  sphere.mass = read_masses(table, {sphere.radius}).front();
  sphere.inertia_factor = table.number("inertia_factor", sphere.inertia_factor);
  if (const auto normal = table.find("normal")) sphere.normal = read_vector(*normal);
  return sphere;
}

/// One value for both, or one each; nothing if neither is there.
std::optional<TwoSpheres::Pair> read_pair(const Table& table, std::string_view one,
                                          std::string_view list) {
  const auto both = read_each(table, one, list, 2);
  if (!both) return {};
  return TwoSpheres::Pair{both->front(), both->back()};
}

TwoSpheres read_two(const Value& value) {
  constexpr std::array<std::string_view, 10> kKeys{
      "kind",  "mass",           "masses",          "density", "radius",
      "radii", "inertia_factor", "inertia_factors", "centres", "normal"};
  const Table table(value, kKeys);
  TwoSpheres spheres;
  const auto radii = read_pair(table, "radius", "radii");
  if (!radii) table.fail("radii", "give either 'radius' (equal spheres) or 'radii' (one each)");
  spheres.radii = *radii;
  const std::vector<double> masses = read_masses(table, {radii->begin(), radii->end()});
  spheres.masses = {masses.front(), masses.back()};
  spheres.inertia_factors =
      read_pair(table, "inertia_factor", "inertia_factors").value_or(spheres.inertia_factors);
  if (table.has("centres") && table.has("normal")) {
    table.fail("normal", "is given by 'centres'; leave out one of the two");
  }
  if (const auto centres = table.find("centres")) {
    const std::vector<Eigen::Vector3d> places = read_vectors(*centres, 2, "sphere");
    spheres.centres = {places[0], places[1]};
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

RotatingChain read_chain(const Value& value) {
  constexpr std::array<std::string_view, 11> kKeys{"kind",           "balls",   "mass",  "masses",
                                                   "density",        "radius",  "radii", "names",
                                                   "inertia_factor", "spatial", "wall"};
  constexpr std::array<std::string_view, 3> kLists{"masses", "radii", "names"};
  const Table table(value, kKeys);
  RotatingChain chain;
  if (const auto balls = table.find("balls")) (void)balls->integer(1, kMaxSpinning);
  chain.balls = read_ball_count(table, kLists);
  if (chain.balls > kMaxSpinning) {
    value.fail(fmt::format("must have from 1 to {} balls, got {}", kMaxSpinning, chain.balls));
  }
  auto radii = read_each(table, "radius", "radii", chain.balls);
  if (!radii) table.fail("radii", "give either 'radius' (equal balls) or 'radii' (one per ball)");
  chain.radii = *std::move(radii);
  chain.masses = read_masses(table, chain.radii);
  chain.inertia_factor = table.number("inertia_factor", chain.inertia_factor);
  chain.spatial = table.boolean("spatial", chain.spatial);
  chain.names = read_names(table, chain.balls);
  if (const auto wall = table.find("wall")) chain.wall = read_wall(*wall);
  return chain;
}

/// The motion of the first ball, or of all of them.
State read_start(const Value& value, const RotatingChain& chain) {
  const char* form = chain.spatial ? "[vx, vy, vz, wx, wy, wz]" : "[vx, vy, omega]";
  const Table table(value, std::array<std::string_view, 1>{"velocity"});
  const Value velocity = table.required("velocity");
  if (velocity.size() > 0 && velocity[0].node().as<Node::Array>() == nullptr) {
    return chain.struck_by(read_numbers(velocity, chain.per_ball(), form));
  }
  return chain.at_contact(
      read_rows(velocity, static_cast<std::size_t>(chain.balls), chain.per_ball(), "ball", form));
}

}  // namespace

SystemAtContact read_sphere_on_plane(const Value& system, const Value& start) {
  const SphereOnPlane sphere = read_sphere(system);
  validate(sphere);
  const Table table(start, std::array<std::string_view, 2>{"velocity", "spin"});
  const auto spin = table.find("spin");
  return touching(sphere,
                  sphere.at_contact(read_vector(table.required("velocity")),
                                    spin ? read_vector(*spin) : Eigen::Vector3d(0.0, 0.0, 0.0)));
}

SystemAtContact read_two_spheres(const Value& system, const Value& start) {
  const TwoSpheres spheres = read_two(system);
  validate(spheres);
  const Table table(start, std::array<std::string_view, 2>{"velocity", "spin"});
  const auto pair = [](const Value& value) {
    const std::vector<Eigen::Vector3d> both = read_vectors(value, 2, "sphere");
    return TwoSpheres::Vectors{both[0], both[1]};
  };
  const TwoSpheres::Vectors velocities = pair(table.required("velocity"));
  const auto spin = table.find("spin");
  return touching(
      spheres, spin ? spheres.at_contact(velocities, pair(*spin)) : spheres.at_contact(velocities));
}

SystemAtContact read_rotating_chain(const Value& system, const Value& start) {
  const RotatingChain chain = read_chain(system);
  validate(chain);
  return touching(chain, read_start(start, chain));
}

}  // namespace percute::io

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/scene_reader.hpp"

#include <percute/systems/spinning_spheres.hpp>

#include <fmt/format.h>

// Balls that spin.

namespace percute::io {

namespace {

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
  const Table table = table_of(value, {"kind", "mass", "masses", "density", "radius", "radii",
                                       "inertia_factor", "inertia_factors", "centres", "normal"});
  TwoSpheres spheres;
  const std::vector<double> radii = required_each(table, "radius", "radii", 2, "sphere");
  spheres.radii = pair_of(radii);
  spheres.masses = pair_of(read_masses(table, radii));
  if (const auto factors = read_each(table, "inertia_factor", "inertia_factors", 2)) {
    spheres.inertia_factors = pair_of(*factors);
  }
  if (table.has("centres") && table.has("normal")) {
    table.fail("normal", "is given by 'centres'; leave out one of the two");
  }
  if (const auto centres = table.find("centres")) {
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
State read_chain_start(const Value& value, const RotatingChain& chain) {
  const char* form = chain.spatial ? "[vx, vy, vz, wx, wy, wz]" : "[vx, vy, omega]";
  const Value velocity = table_of(value, {"velocity"}).required("velocity");
  if (velocity.size() > 0 && velocity[0].node().as<Node::Array>() == nullptr) {
    return chain.struck_by(read_numbers(velocity, chain.per_ball(), form));
  }
  return chain.at_contact(
      read_rows(velocity, static_cast<std::size_t>(chain.balls), chain.per_ball(), "ball", form));
}

}  // namespace

SceneSystem read_sphere_on_plane(const Scene& scene) {
  systems::SphereOnPlane sphere;
  const Table table = read_system(scene.system, sphere, {"mass", "density"});
  sphere.mass = read_masses(table, {sphere.radius}).front();
  const Table start = table_of(scene.start(), {"velocity", "spin"});
  const auto spin = start.find("spin");
  return made(sphere,
              sphere.at_contact(read_vector(start.required("velocity")),
                                spin ? read_vector(*spin) : Eigen::Vector3d(0.0, 0.0, 0.0)));
}

SceneSystem read_two_spheres(const Scene& scene) {
  const TwoSpheres spheres = read_two(scene.system);
  const Table start = table_of(scene.start(), {"velocity", "spin"});
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
  chain.radii = required_each(table, "radius", "radii", chain.balls);
  chain.masses = read_masses(table, chain.radii);
  chain.names = read_names(table, chain.balls);
  chain.wall = read_wall(table);
  validate(chain);
  return made(chain, read_chain_start(scene.start(), chain));
}

}  // namespace percute::io

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "systems/checks.hpp"
#include "systems/spinning_spheres.hpp"

#include <percute/systems/spinning_spheres.hpp>

namespace percute::systems {

namespace {

bool touches(const SphereOnPlane& sphere, const State& state) {
  validate(sphere);
  require_state(state, 6, "coordinate");
  const double height = sphere.normal.stableNormalized().dot(state.position.head<3>());
  return height - sphere.radius <= kTouching * sphere.radius;
}

}  // namespace

void validate(const SphereOnPlane& sphere) {
  require_positive(sphere.mass, "mass");
  require_positive(sphere.radius, "radius");
  require_inertia_factor(sphere.inertia_factor, "inertia_factor");
  require_direction(sphere.normal, "normal");
}

State SphereOnPlane::at_contact(const Eigen::Vector3d& velocity,
                                const Eigen::Vector3d& spin) const {
  validate(*this);
  require_finite(Vector(velocity), "velocity");
  require_finite(Vector(spin), "spin");
  State state{.position = Vector::Zero(6), .velocity = Vector(6)};
  state.position.head<3>() = radius * normal.stableNormalized();
  state.velocity << velocity, spin;
  return state;
}

ImpactProblem SphereOnPlane::impact(const State& state) const {
  const SpinningSphere sphere{
      .mass = mass, .radius = radius, .inertia = inertia_factor * mass * radius * radius};
  std::vector<SphereTouch> closed;
  if (touches(*this, state)) {
    closed.push_back({.normal = normal.stableNormalized(), .material = material});
  }
  return spheres_impact({sphere}, closed, state.velocity, /*planar=*/false);
}

std::vector<Body> SphereOnPlane::bodies() const {
  validate(*this);
  return rigid_bodies({"sphere"}, /*planar=*/false);
}

std::vector<std::string> SphereOnPlane::contact_names(const State& state) const {
  if (!touches(*this, state)) return {};
  return {"sphere–plane"};
}

}  // namespace percute::systems

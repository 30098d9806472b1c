// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "model/text.hpp"
#include "systems/checks.hpp"
#include "systems/spinning_spheres.hpp"

#include <percute/model/invalid_input.hpp>
#include <percute/systems/spinning_spheres.hpp>

namespace percute::systems {

namespace {

using Eigen::Vector3d;

// Largest gap, in sums of the radii, that still touches: centres written with seven digits.
constexpr double kTouchingCentres = 1e-6;

bool touches(const TwoSpheres& spheres, const State& state) {
  validate(spheres);
  require_state(state, 12, "coordinate");
  const double sum = spheres.radii[0] + spheres.radii[1];
  const Vector3d apart = state.position.segment<3>(6) - state.position.head<3>();
  return apart.stableNorm() <= (1.0 + kTouchingCentres) * sum;
}

}  // namespace

void validate(const TwoSpheres& spheres) {
  for (std::size_t i = 0; i < 2; ++i) {
    const std::string entry = "[" + std::to_string(i) + "]";
    require_positive(spheres.masses[i], "masses" + entry);
    require_positive(spheres.radii[i], "radii" + entry);
    require_inertia_factor(spheres.inertia_factors[i], "inertia_factors" + entry);
    require_finite(Vector(spheres.centres[i]), "centres" + entry);
  }
  const double sum = spheres.radii[0] + spheres.radii[1];
  const double distance = (spheres.centres[1] - spheres.centres[0]).stableNorm();
  if (!(std::abs(distance - sum) <= kTouchingCentres * sum)) {
    throw InvalidInput("centres", "are " + text(distance) +
                                      " m apart; spheres that touch are as far apart as the sum "
                                      "of their radii, " +
                                      text(sum) + " m");
  }
}

State TwoSpheres::at_contact(const Vectors& velocities, const Vectors& spins) const {
  validate(*this);
  State state{.position = Vector::Zero(12), .velocity = Vector(12)};
  for (std::size_t i = 0; i < 2; ++i) {
    const std::string entry = "[" + std::to_string(i) + "]";
    require_finite(Vector(velocities[i]), "velocity" + entry);
    require_finite(Vector(spins[i]), "spin" + entry);
    const auto at = 6 * static_cast<Eigen::Index>(i);
    state.position.segment<3>(at) = centres[i];
    state.velocity.segment<3>(at) = velocities[i];
    state.velocity.segment<3>(at + 3) = spins[i];
  }
  return state;
}

ImpactProblem TwoSpheres::impact(const State& state) const {
  std::vector<SphereTouch> closed;
  std::vector<SpinningSphere> spheres;
  if (touches(*this, state)) {
    const Vector3d apart = state.position.segment<3>(6) - state.position.head<3>();
    closed.push_back({.second = 1, .normal = apart.stableNormalized(), .material = material});
  }
  spheres.reserve(2);
  for (std::size_t i = 0; i < 2; ++i) {
    spheres.push_back({.centre = centres[i],
                       .mass = masses[i],
                       .radius = radii[i],
                       .inertia = inertia_factors[i] * masses[i] * radii[i] * radii[i]});
  }
  return spheres_impact(spheres, closed, state.velocity, /*planar=*/false);
}

std::vector<Body> TwoSpheres::bodies() const {
  validate(*this);
  return rigid_bodies({"sphere 1", "sphere 2"}, /*planar=*/false);
}

std::vector<std::string> TwoSpheres::contact_names(const State& state) const {
  if (!touches(*this, state)) return {};
  return {"1–2"};
}

}  // namespace percute::systems

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "model/text.hpp"
#include "systems/checks.hpp"

#include <percute/model/invalid_input.hpp>
#include <percute/systems/sphere_chain.hpp>

#include <cmath>
#include <limits>
#include <string>

namespace percute::systems {

namespace {

constexpr double kPlane = std::numeric_limits<double>::infinity();

/// One entry for all, or one for each.
template <class T>
const T& entry(const std::vector<T>& list, std::size_t i) {
  return list.size() == 1 ? list[0] : list[i];
}

void validate(const SphereChain& spheres) {
  const std::size_t balls = spheres.radii.size();
  if (balls == 0) throw InvalidInput("radii", "is empty; a chain has at least one ball");
  require_positive(spheres.radii, "radii");
  if (spheres.made_of.size() != 1) require_size(spheres.made_of.size(), balls, "made_of", "ball");
  for (std::size_t i = 0; i < spheres.made_of.size(); ++i) {
    const std::string path = "made_of[" + std::to_string(i) + "].";
    try {
      validate(spheres.made_of[i]);
    } catch (const InvalidInput& error) {
      throw InvalidInput(path + error.field(), error.reason());
    }
    if (spheres.masses.empty()) require_positive(spheres.made_of[i].density, path + "density");
  }
  if (spheres.wall_made_of) {
    try {
      validate(*spheres.wall_made_of);
    } catch (const InvalidInput& error) {
      throw InvalidInput("wall_made_of." + error.field(), error.reason());
    }
  }
}

/// Cubes of radii that are numbers may be none.
double mass_of(const SphereChain& spheres, std::size_t i) {
  const double radius = spheres.radii[i];
  const double density = entry(spheres.made_of, i).density;
  const double mass = sphere_mass(density, radius);
  if (!(mass > 0.0 && std::isfinite(mass))) {
    throw InvalidInput("radii[" + std::to_string(i) + "]",
                       "the radius " + text(radius) + " with the density " + text(density) +
                           " gives the mass " + text(mass) + ", which is not a finite number > 0");
  }
  return mass;
}

/// Two rigid bodies have no stiffness; `pair` says which they are.
void require_elastic(const ElasticMaterial& first, const ElasticMaterial& second,
                     const std::string& field, const std::string& pair) {
  if (std::isinf(first.youngs_modulus) && std::isinf(second.youngs_modulus)) {
    throw InvalidInput(field, pair +
                                  " are rigid (youngs_modulus is infinite); one of two bodies "
                                  "that touch must be elastic");
  }
}

}  // namespace

BallChain SphereChain::chain() const {
  validate(*this);
  BallChain chain{.balls = static_cast<int>(radii.size()), .wall = wall, .radii = radii};
  if (masses.empty()) {
    chain.masses.reserve(radii.size());
    for (std::size_t i = 0; i < radii.size(); ++i) {
      chain.masses.push_back(mass_of(*this, i));
    }
  } else {
    chain.masses = masses;
  }

  const auto contacts = static_cast<std::size_t>(chain.contacts());
  if (restitution.size() != 1) {
    require_size(restitution.size(), contacts, "restitution", "contact");
  }
  const auto wall_stiffness = [this](std::size_t ball) {
    const ElasticMaterial& own = entry(made_of, ball);
    const ElasticMaterial other = wall_made_of.value_or(own);
    require_elastic(own, other, wall_made_of ? "wall_made_of" : "made_of",
                    "the wall and ball " + std::to_string(ball + 1));
    return hertz_stiffness(own, radii[ball], other, kPlane);
  };
  chain.materials.reserve(contacts);
  const auto add = [&](double stiffness) {
    chain.materials.push_back({.restitution = entry(restitution, chain.materials.size()),
                               .stiffness = stiffness,
                               .exponent = 1.5});
  };
  if (chain.wall_on_left()) add(wall_stiffness(0));
  for (std::size_t i = 0; i + 1 < radii.size(); ++i) {
    require_elastic(entry(made_of, i), entry(made_of, i + 1), "made_of",
                    "balls " + std::to_string(i + 1) + " and " + std::to_string(i + 2));
    add(hertz_stiffness(entry(made_of, i), radii[i], entry(made_of, i + 1), radii[i + 1]));
  }
  if (chain.wall_on_right()) add(wall_stiffness(radii.size() - 1));
  systems::validate(chain);
  return chain;
}

}  // namespace percute::systems

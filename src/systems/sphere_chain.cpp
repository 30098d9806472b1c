// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "systems/checks.hpp"

#include <percute/model/invalid_input.hpp>
#include <percute/systems/hertz.hpp>
#include <percute/systems/sphere_chain.hpp>
#include <percute/systems/spheres.hpp>

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

}  // namespace

BallChain SphereChain::chain() const {
  validate(*this);
  BallChain chain{.balls = static_cast<int>(radii.size()), .wall = wall, .radii = radii};
  if (masses.empty()) {
    chain.masses.reserve(radii.size());
    for (std::size_t i = 0; i < radii.size(); ++i) {
      chain.masses.push_back(sphere_mass(entry(made_of, i).density, radii[i]));
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
    return hertz_stiffness(own, radii[ball], wall_made_of.value_or(own), kPlane);
  };
  chain.materials.reserve(contacts);
  const auto add = [&](double stiffness) {
    chain.materials.push_back({.restitution = entry(restitution, chain.materials.size()),
                               .stiffness = stiffness,
                               .exponent = 1.5});
  };
  if (chain.wall_on_left()) add(wall_stiffness(0));
  for (std::size_t i = 0; i + 1 < radii.size(); ++i) {
    add(hertz_stiffness(entry(made_of, i), radii[i], entry(made_of, i + 1), radii[i + 1]));
  }
  if (chain.wall_on_right()) add(wall_stiffness(radii.size() - 1));
  systems::validate(chain);
  return chain;
}

}  // namespace percute::systems

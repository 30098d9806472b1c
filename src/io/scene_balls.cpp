// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/scene_balls.hpp"

#include "io/suggest.hpp"

#include <percute/systems/sphere_chain.hpp>

#include <fmt/format.h>

#include <cmath>

namespace percute::io {

int read_ball_count(const Table& table, std::span<const std::string_view> lists) {
  if (const auto balls = table.find("balls")) {
    return static_cast<int>(balls->integer(1, kMaxBalls));
  }
  for (const std::string_view key : lists) {
    const auto list = table.find(key);
    if (!list) continue;
    const std::size_t size = list->size();
    if (size < 1 || size > static_cast<std::size_t>(kMaxBalls)) {
      list->fail(
          fmt::format("must have from 1 to {} entries, one per ball, got {}", kMaxBalls, size));
    }
    return static_cast<int>(size);
  }
  table.value().fail(fmt::format(
      "the key 'balls' is missing; or give a list with one entry per ball: {}", join(lists)));
}

void require_per_ball(const Value& list, int balls) {
  if (list.size() != static_cast<std::size_t>(balls)) {
    list.fail(fmt::format("must have {} entries, one per ball, got {}", balls, list.size()));
  }
}

std::optional<std::vector<double>> read_each(const Table& table, std::string_view one,
                                             std::string_view list, int balls) {
  const auto single = table.find(one);
  const auto several = table.find(list);
  if (single && several) {
    several->fail(fmt::format("give either '{}' (equal balls) or '{}' (one per ball)", one, list));
  }
  if (single) return std::vector<double>(static_cast<std::size_t>(balls), single->number());
  if (!several) return {};
  require_per_ball(*several, balls);
  const Vector numbers = several->numbers();
  return std::vector<double>(numbers.begin(), numbers.end());
}

double mass_of_ball(double density, double radius, const std::string& field) {
  const double mass = systems::sphere_mass(density, radius);
  // Radii that are not positive are refused with all that is wrong about a system.
  if (radius > 0.0 && !(mass > 0.0 && std::isfinite(mass))) {
    throw InvalidInput(
        field, fmt::format("the radius {:.6g} with the density {:.6g} gives the mass {:.6g}, which "
                           "is not a finite number > 0",
                           radius, density, mass));
  }
  return mass;
}

std::vector<double> read_masses(const Table& table, const std::vector<double>& radii) {
  const bool by_density = table.has("density");
  const auto masses = read_each(table, "mass", "masses", static_cast<int>(radii.size()));
  if (by_density == masses.has_value()) {
    table.fail(by_density ? "density" : "masses",
               "give either 'mass' (equal balls), 'masses' (one per ball) or 'density'");
  }
  if (masses) return *masses;
  const Value density = table.required("density");
  if (!(density.number() > 0.0)) {
    density.fail("must be a number > 0, got " + density.node().describe());
  }
  std::vector<double> result;
  result.reserve(radii.size());
  for (std::size_t i = 0; i < radii.size(); ++i) {
    result.push_back(mass_of_ball(density.number(), radii[i], fmt::format("radii[{}]", i)));
  }
  return result;
}

systems::BallChain::Wall read_wall(const Value& value) {
  constexpr Names<systems::BallChain::Wall, 4> kWalls{{{"none", systems::BallChain::Wall::None},
                                                       {"left", systems::BallChain::Wall::Left},
                                                       {"right", systems::BallChain::Wall::Right},
                                                       {"both", systems::BallChain::Wall::Both}}};
  if (const auto* on = value.node().as<bool>()) {
    return *on ? systems::BallChain::Wall::Right : systems::BallChain::Wall::None;
  }
  if (value.node().as<std::string>() == nullptr) {
    value.fail(R"(must be "none", "left", "right" or "both" (or true: right, false: none), got )" +
               value.node().describe());
  }
  return value.choice(kWalls);
}

std::vector<std::string> read_names(const Table& table, int balls) {
  const auto list = table.find("names");
  if (!list) return {};
  require_per_ball(*list, balls);
  std::vector<std::string> names;
  names.reserve(list->size());
  for (std::size_t i = 0; i < list->size(); ++i) names.push_back((*list)[i].string());
  return names;
}

}  // namespace percute::io

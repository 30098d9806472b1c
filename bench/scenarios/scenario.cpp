// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "bench/scenarios/scenario.hpp"

#include <cmath>
#include <numbers>
#include <utility>

namespace percute::bench {

ImpactProblem Scenario::problem() const {
  const auto bodies = static_cast<Eigen::Index>(masses.size());
  Vector mass(bodies * dimension);
  ImpactProblem problem;
  problem.velocity.resize(bodies * dimension);
  for (Eigen::Index i = 0; i < bodies; ++i) {
    mass.segment(i * dimension, dimension).setConstant(masses[static_cast<std::size_t>(i)]);
    problem.velocity.segment(i * dimension, dimension) = velocities[static_cast<std::size_t>(i)];
  }
  problem.mass = MassMatrix::diagonal(mass);
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t j = 0; j < touches.size(); ++j) {
    const Touch& touch = touches[j];
    for (int k = 0; k < dimension; ++k) {
      if (touch.normal[k] == 0.0) continue;
      entries.emplace_back(touch.first * dimension + k, static_cast<int>(j), -touch.normal[k]);
      entries.emplace_back(touch.second * dimension + k, static_cast<int>(j), touch.normal[k]);
    }
    problem.contacts.push_back({.material = touch.material});
  }
  problem.gradients.resize(bodies * dimension, static_cast<Eigen::Index>(touches.size()));
  problem.gradients.setFromTriplets(entries.begin(), entries.end());
  return problem;
}

Scenario chain(std::string name, const std::vector<double>& masses,
               const std::vector<Material>& materials) {
  Scenario scenario{.name = std::move(name), .dimension = 1, .masses = masses};
  for (std::size_t i = 0; i < masses.size(); ++i) {
    scenario.velocities.emplace_back(Vector::Constant(1, i == 0 ? 1.0 : 0.0));
  }
  for (std::size_t j = 0; j < materials.size(); ++j) {
    const auto first = static_cast<int>(j);
    scenario.touches.push_back(
        {.first = first, .second = first + 1, .normal = Vector::Ones(1), .material = materials[j]});
  }
  return scenario;
}

Scenario hexagon(std::string name) {
  Scenario scenario{.name = std::move(name), .dimension = 2};
  const auto direction = [](int sixths) -> Vector {
    const double angle = sixths * std::numbers::pi / 3.0;
    return Eigen::Vector2d(std::cos(angle), std::sin(angle));
  };
  for (int i = 0; i < 7; ++i) {
    scenario.masses.push_back(1.0 + 0.02 * ((3 * i) % 7));
    scenario.velocities.push_back(i == 1 ? Vector(-direction(0)) : Vector(Vector::Zero(2)));
  }
  // Disk i = 1 … 6 sits at (i − 1) sixths of a turn; the next one lies two sixths further.
  for (int i = 1; i <= 6; ++i) {
    scenario.touches.push_back({.first = 0, .second = i, .normal = direction(i - 1)});
  }
  for (int i = 1; i <= 6; ++i) {
    scenario.touches.push_back({.first = i, .second = i % 6 + 1, .normal = direction(i + 1)});
  }
  return scenario;
}

}  // namespace percute::bench

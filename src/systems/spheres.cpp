// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include <percute/systems/sphere_chain.hpp>

#include <numbers>

namespace percute::systems {

double sphere_mass(double density, double radius) {
  return 4.0 / 3.0 * std::numbers::pi * density * radius * radius * radius;
}

double inflated_stiffness(double pressure, double radius) {
  return 2.0 * std::numbers::pi * pressure * radius;
}

double stiffness_in_series(double first, double second) {
  return 1.0 / (1.0 / first + 1.0 / second);
}

}  // namespace percute::systems

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "model/text.hpp"

#include <percute/model/invalid_input.hpp>
#include <percute/systems/sphere_chain.hpp>

#include <cmath>

namespace percute::systems {

namespace {

void require_radius(double radius) {
  if (!(radius > 0.0)) throw InvalidInput("radius", text(radius) + " is not a number > 0");
}

}  // namespace

double effective_modulus(const ElasticMaterial& first, const ElasticMaterial& second) {
  validate(first);
  validate(second);
  const auto compliance = [](const ElasticMaterial& material) {
    return (1.0 - material.poisson_ratio * material.poisson_ratio) / material.youngs_modulus;
  };
  const double sum = compliance(first) + compliance(second);
  if (sum == 0.0) {
    throw InvalidInput("youngs_modulus",
                       "both bodies of a contact are rigid (infinite); one of the two must be "
                       "elastic");
  }
  return 1.0 / sum;
}

double effective_radius(double first, double second) {
  require_radius(first);
  require_radius(second);
  return 1.0 / (1.0 / first + 1.0 / second);
}

double hertz_stiffness(const ElasticMaterial& first, double first_radius,
                       const ElasticMaterial& second, double second_radius) {
  return 4.0 / 3.0 * effective_modulus(first, second) *
         std::sqrt(effective_radius(first_radius, second_radius));
}

}  // namespace percute::systems

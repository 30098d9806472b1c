// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "model/text.hpp"
#include "systems/checks.hpp"

#include <percute/model/invalid_input.hpp>
#include <percute/systems/hertz.hpp>

#include <cmath>
#include <numbers>

namespace percute::systems {

namespace {

void require_radius(double radius) {
  if (!(radius > 0.0)) throw InvalidInput("radius", text(radius) + " is not a number > 0");
}

/// Duration of an elastic impact over δ_max/v: 2 ∫₀¹ dx/√(1 − x^(5/2)) = (4/5) √π Γ(2/5)/Γ(9/10).
double elastic_duration() {
  return 0.8 * std::sqrt(std::numbers::pi) * std::tgamma(0.4) / std::tgamma(0.9);
}

/// δ_max^(5/2) = (5/4) m v²/K in τ = τ₀ δ_max/v, solved for K.
double stiffness_of(double duration, double mass, double speed) {
  require_positive(mass, "mass");
  require_positive(speed, "speed");
  return 1.25 * mass * std::pow(elastic_duration() / duration, 2.5) / std::sqrt(speed);
}

}  // namespace

double effective_modulus(const ElasticMaterial& first, const ElasticMaterial& second) {
  validate(first);
  validate(second);
  const auto compliance = [](const ElasticMaterial& material) {
    return (1.0 - material.poisson_ratio * material.poisson_ratio) / material.youngs_modulus;
  };
  return 1.0 / (compliance(first) + compliance(second));
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

double hertz_stiffness_from_time_to_peak(double time_to_peak, double mass, double speed) {
  require_positive(time_to_peak, "time_to_peak");
  return stiffness_of(2.0 * time_to_peak, mass, speed);
}

double hertz_stiffness_from_contact_duration(double contact_duration, double mass, double speed) {
  require_positive(contact_duration, "contact_duration");
  return stiffness_of(contact_duration, mass, speed);
}

}  // namespace percute::systems

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "model/text.hpp"

#include <percute/analysis/chain_waves.hpp>
#include <percute/model/invalid_input.hpp>

#include <cmath>
#include <numbers>

namespace percute::analysis {

namespace {

void require_above(double value, double bound, const char* field) {
  if (value > bound && std::isfinite(value)) return;
  throw InvalidInput(field, text(value) + " is not above " + text(bound));
}

}  // namespace

double SolitaryWave::velocity(double x) const {
  if (2.0 * std::abs(x) >= support) return 0.0;
  return peak_velocity * std::pow(std::cos(std::numbers::pi * x / support), 2.0 / (exponent - 1.0));
}

SolitaryWave solitary_wave(double mass, double stiffness, double exponent, double peak_velocity) {
  require_above(mass, 0.0, "mass");
  require_above(stiffness, 0.0, "stiffness");
  require_above(exponent, 1.0, "exponent");
  require_above(peak_velocity, 0.0, "peak_velocity");
  const double eta = exponent;
  SolitaryWave wave{.peak_velocity = peak_velocity, .exponent = eta};
  wave.speed = std::pow(2.0 * stiffness / ((eta + 1.0) * mass), 1.0 / (eta + 1.0)) *
               std::pow(peak_velocity, (eta - 1.0) / (eta + 1.0));
  wave.peak_force = stiffness * std::pow(peak_velocity / wave.speed, eta);
  wave.support = std::numbers::pi / (eta - 1.0) * std::sqrt(eta * (eta + 1.0) / 6.0);
  wave.half_width =
      2.0 * wave.support / std::numbers::pi * std::acos(std::pow(2.0, -0.5 * (eta - 1.0)));
  return wave;
}

}  // namespace percute::analysis

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "numerics/largest_eigenvalue.hpp"
#include "systems/bar_chain.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace percute::systems {

namespace {

/// Takes out of x its part along `mode`, orthogonally in the kinetic metric.
void remove(const Vector& mode, const Vector& momentum, Vector& x) {
  x -= momentum.dot(x) / momentum.dot(mode) * mode;
}

/// First bending mode, by powers of (M + c K)⁻¹ M beside the three rigid motions.
void first_bending(const ImpactingBar& bar, const Vector& q, BarVibrations& result) {
  const auto n = bar.coordinates();
  BarChain chain(bar);
  chain.place(q);
  // Rigid motions of the undeformed bar: both translations, and the rotation about P_0. The second
  // and the third are made orthogonal to those before them.
  std::array<Vector, 3> rigid = {Vector::Unit(n, 0), Vector::Unit(n, 1), Vector::Zero(n)};
  rigid[2].segment(2, bar.segments).setOnes();
  std::array<Vector, 3> momenta;
  for (std::size_t k = 0; k < 3; ++k) {
    for (std::size_t j = 0; j < k; ++j) remove(rigid[j], momenta[j], rigid[k]);
    momenta[k].resize(n);
    chain.multiply(rigid[k], momenta[k]);
  }
  // c ω² well above 1 for the first bending mode of the continuous bar, fourfold margin: what is
  // left of higher modes falls by ω_1²/ω_2² < 0.2 each time.
  const double bending =
      22.37 / (bar.length * bar.length) * std::sqrt(bar.young / bar.density) * 0.5 * bar.radius;
  chain.factor(16.0 / (bending * bending));
  Vector x = Vector::Zero(n);
  for (int i = 0; i < bar.segments; ++i) x[2 + i] = i;  // bent to one side
  Vector y(n);
  double rate = 0.0;
  for (int k = 0; k < 60; ++k) {
    for (std::size_t j = 0; j < 3; ++j) remove(rigid[j], momenta[j], x);
    chain.multiply(x, y);
    x /= std::sqrt(x.dot(y));
    const double before = rate;
    chain.multiply_stiffness(x, y);
    rate = x.dot(y);
    if (std::abs(rate - before) <= 1e-15 * rate && k > 20) break;
    chain.multiply(x, y);
    chain.solve(y);
    x = y;
  }
  for (std::size_t j = 0; j < 3; ++j) remove(rigid[j], momenta[j], x);
  chain.multiply(x, y);
  x /= std::sqrt(x.dot(y));
  const Arrow across = direction(bar.angle).turned();
  if (x[0] * across.x + x[1] * across.y < 0.0) x = -x;
  result.first_bending = std::sqrt(rate);
  result.bending_mode = x;
}

}  // namespace

BarVibrations vibrations(const ImpactingBar& bar) {
  validate(bar);
  Vector q = bar.at_contact(0.0).position;
  BarChain chain(bar);
  chain.place(q);
  chain.factor(0.0);
  const double largest = numerics::largest_eigenvalue(
      bar.coordinates(), [&](const Vector& x, Vector& y) { chain.multiply_stiffness(x, y); },
      [&](const Vector& x, Vector& y) { chain.multiply(x, y); },
      [&](Vector& x) { chain.solve(x); });
  BarVibrations result;
  result.highest = std::sqrt(largest);
  result.step_limit = 2.0 / result.highest;
  first_bending(bar, q, result);
  return result;
}

BarWave wave_theory(const ImpactingBar& bar, double speed) {
  validate(bar);
  return {.length = bar.length, .speed = speed, .celerity = std::sqrt(bar.young / bar.density)};
}

double BarWave::displacement(double x, double t) const {
  const double front = celerity * t;
  if (x <= std::min(front, 2.0 * length - front)) return -speed * x / celerity;
  if (front <= length) return -speed * t;
  return speed * (t - contact_duration());
}

}  // namespace percute::systems

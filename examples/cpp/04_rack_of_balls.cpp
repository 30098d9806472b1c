// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors

// The break shot: a cue ball strikes the apex of fifteen billiard balls, all touching.

#include <percute/percute.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

int main() {
  using namespace percute;
  systems::BallCluster table = systems::rack(/*rows*/ 5, /*radius, m*/ 0.028575);
  table.mass = 0.17;
  table.material = {.restitution = 0.95, .stiffness = 1.0e9, .exponent = 1.5};

  const State state = table.at_contact(/*striker*/ 0, {8.0, 0.0});
  const ImpactProblem problem = table.impact(state);
  const ImpactResult result = resolve(problem, laws::Lzb{.tolerance = 1e-9});
  if (!result.ok()) return 1;

  // Row by row: the corner balls of the last row take most. Balls on the axis stay on it, up to
  // rounding, which is not shown.
  const auto shown = [](double v) { return std::round(1e3 * v) / 1e3 + 0.0; };
  for (const Body& body : table.bodies()) {
    const double vx = result.velocity[body.coordinates[0]];
    const double vy = result.velocity[body.coordinates[1]];
    fmt::print("{:<8} {:+7.3f} {:+7.3f} m/s\n", body.name, shown(vx), shown(vy));
  }

  // The largest impulses, by the names of their contacts.
  const std::vector<std::string> names = table.contact_names(state);
  std::vector<std::size_t> order(names.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  const auto impulse = [&](std::size_t i) { return result.impulse[static_cast<Eigen::Index>(i)]; };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return impulse(a) > impulse(b) + 1e-6;  // mirror images are equal up to rounding
  });
  for (std::size_t k = 0; k < 3; ++k) {
    fmt::print("{:<6} {:.3f} N s\n", names[order[k]], impulse(order[k]));
  }
  fmt::print("{} contacts, energy kept {:.3f}\n", names.size(),
             result.energy.after / result.energy.before);
}

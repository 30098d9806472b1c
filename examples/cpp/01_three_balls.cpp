// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors

#include <percute/percute.hpp>

#include <fmt/format.h>

int main() {
  using namespace percute;

  const Material steel{.restitution = 1.0, .stiffness = 1.0e9, .exponent = 1.5};
  const systems::BallChain cradle{.balls = 3, .mass = 0.1, .radius = 0.01, .material = steel};

  const ImpactProblem problem = cradle.impact(cradle.at_contact(/*striker speed, m/s*/ 1.0));
  const ImpactResult result = resolve(problem, laws::Lzb{.tolerance = 1e-10});
  if (!result.ok()) return 1;

  for (const double v : result.velocity) fmt::print("{:+.6f} m/s\n", v);
  fmt::print("energy kept {:.6f}\n", result.energy.after / result.energy.before);
}

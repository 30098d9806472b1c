// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors

// A tennis ball on top of a basketball, dropped from 1.5 m: how high does it fly?
// Data of Liu, Zhao, Brogliato (2008), Table 11.

#include <percute/percute.hpp>

#include <fmt/format.h>

int main() {
  using namespace percute;
  constexpr double kGravity = 9.81;  // m/s²
  constexpr double kHeight = 1.5;    // m

  // From the floor up. Pressure and radius of inflated balls make the stiffness of their contacts.
  systems::StackedBalls stack{.masses = {0.58, 0.058},
                              .radii = {0.38, 0.0325},
                              .pressures = {1.0e5, 1.0e5},
                              .names = {"basketball", "tennis ball"}};

  // The better the tennis ball bounces off the basketball, the higher it goes.
  for (const double restitution : {0.4, 0.5, 0.55, 1.0}) {
    stack.materials = {{.restitution = 0.8}, {.restitution = restitution}};
    const State state = stack.dropped_from(kHeight, kGravity);
    const ImpactResult result = resolve(stack.impact(state), laws::Lzb{.tolerance = 1e-10});
    if (!result.ok()) return 1;
    const double up = result.velocity[1];
    fmt::print("restitution {:.2f}: basketball {:+.3f} m/s, tennis ball {:+.3f} m/s, to {:.2f} m\n",
               restitution, result.velocity[0], up, up * up / (2.0 * kGravity));
  }
}

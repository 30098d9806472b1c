// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors

// A mechanism of your own: mass matrix, velocity and gap gradients are all that percute needs.
// A rod hangs from a cart; the buffer of the cart and the tip of the rod strike a wall together.

#include <percute/percute.hpp>

#include <fmt/format.h>

#include <cmath>
#include <numbers>

int main() {
  using namespace percute;
  constexpr double kCart = 2.0;                      // kg
  constexpr double kRod = 1.0;                       // kg
  constexpr double kLength = 0.6;                    // m
  constexpr double kAngle = std::numbers::pi / 6.0;  // of the rod from the vertical

  // Coordinates: position of the cart, m, and angle of the rod, rad.
  const double coupling = 0.5 * kRod * kLength * std::cos(kAngle);
  const Matrix M{{kCart + kRod, coupling}, {coupling, kRod * kLength * kLength / 3.0}};
  // Columns: gradients of the gaps between buffer and wall, and between tip and wall.
  const Matrix W{{-1.0, -1.0}, {0.0, -kLength * std::cos(kAngle)}};

  ImpactProblem problem;
  problem.mass = M;
  problem.gradients = W.sparseView();
  problem.velocity = Vector{{1.0, 0.0}};
  problem.contacts = {{.material = {.restitution = 0.9, .stiffness = 1.0e6, .exponent = 1.0}},
                      {.material = {.restitution = 0.7, .stiffness = 1.0e6, .exponent = 1.0}}};

  const ImpactResult result = resolve(problem, laws::Lzb{});
  if (!result.ok()) return 1;
  fmt::print("cart {:+.6f} m/s, rod {:+.6f} rad/s\n", result.velocity[0], result.velocity[1]);
  fmt::print("impulses of buffer {:.6f} N s, tip {:.6f} N s\n", result.impulse[0],
             result.impulse[1]);
}

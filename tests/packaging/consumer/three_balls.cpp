// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
//
// Three equal balls in a row, Hertz contacts, elastic: the first strikes at 1 m/s.
#include <percute/percute.hpp>

#include <cmath>
#include <cstdio>

int main() {
  const percute::systems::BallChain chain{.balls = 3};
  const auto result =
      percute::resolve(chain.impact(chain.at_contact(1.0)), percute::laws::Lzb{.tolerance = 1e-11});
  const double expected[] = {-0.0709523537, 0.0764030391, 0.9945493146};

  // Ten printed digits of converged values, and 10 tolerances: 1e-9 leaves room for both.
  bool right = result.ok();
  for (int i = 0; i < 3; ++i) right = right && std::abs(result.velocity[i] - expected[i]) < 1e-9;
  std::printf("percute %s: %+.10f %+.10f %+.10f\n", percute::kVersion, result.velocity[0],
              result.velocity[1], result.velocity[2]);
  return right ? 0 : 1;
}

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "selftest/solvers/coulomb.hpp"

#include <gtest/gtest.h>
#include <unit/numerics/coulomb_problems.hpp>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <vector>

namespace percute::selftest {

using numerics::CoulombProblem;
using numerics::CoulombSolution;
using numerics::SolverStatus;

namespace {

/// Distance from z to the nearest of all solutions.
double distance(const CoulombProblem& problem, const Vector& z) {
  double least = std::numeric_limits<double>::infinity();
  for (const CoulombSolution& s : numerics::enumerate_coulomb(problem)) {
    least = std::min(least, (s.z - z).norm());
  }
  return least;
}

}  // namespace

TEST(SelftestCoulomb, PlanarAnswersAreAmongAllSolutions) {
  std::mt19937 random(21);
  int answers = 0;
  for (int k = 0; k < 60; ++k) {
    const int m = 1 + k % 4;
    const CoulombProblem problem = numerics::random_problem(m, 1, 3 + k % 5, 0.2 * (k % 6), random);
    for (const CoulombMethod method : {CoulombMethod::FischerBurmeister, CoulombMethod::PlanarLcp,
                                       CoulombMethod::PlanarEnumeration}) {
      const CoulombSolution s = solve_coulomb(problem, method, 0.0, 3000);
      if (s.status != SolverStatus::Solved) {
        EXPECT_NE(method, CoulombMethod::PlanarEnumeration) << k;
        EXPECT_GT(s.error, 1e-10);
        continue;
      }
      ++answers;
      // Velocities follow an error of 1e-10 with the condition of the active contacts.
      EXPECT_LT(distance(problem, s.z), 1e-6 * problem.b.norm())
          << k << " " << static_cast<int>(method);
    }
  }
  EXPECT_GT(answers, 160);  // of 180
}

TEST(SelftestCoulomb, LemkesMethodKnowsTheFloor) {
  std::mt19937 random(24);
  for (int k = 0; k < 30; ++k) {
    CoulombProblem problem = numerics::random_problem(3, 1, 10, 0.4, random);
    problem.impulse_floor = Vector{{0.2, 0.0, 0.5}};
    const CoulombSolution s = solve_coulomb(problem, CoulombMethod::PlanarLcp);
    ASSERT_EQ(s.status, SolverStatus::Solved) << k;
    EXPECT_LT(distance(problem, s.z), 1e-8 * problem.b.norm()) << k;
  }
  EXPECT_THROW(
      solve_coulomb(numerics::random_problem(2, 2, 6, 0.3, random), CoulombMethod::PlanarLcp),
      std::invalid_argument);
}

}  // namespace percute::selftest

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include <percute/numerics/stick_forces.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace percute::numerics {

namespace {

StickForces solve(const StickProblem& problem) {
  StickSolver solver;
  StickForces forces;
  solver.solve(problem, forces);
  return forces;
}

/// Blocks of one and two rows; rank below the size makes them redundant.
StickProblem random_problem(std::mt19937& random, int blocks, bool redundant) {
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  StickProblem problem;
  problem.start.push_back(0);
  for (int i = 0; i < blocks; ++i) {
    problem.start.push_back(problem.start.back() + 1 + static_cast<int>(random() % 2));
  }
  const int n = problem.start.back();
  const int rank = redundant ? std::max(1, n - 2) : n + 2;
  const Matrix H = Matrix::NullaryExpr(rank, n, [&] { return normal(random); });
  problem.A = H.transpose() * H;
  // What drives contacts comes through the same directions: c is in the range of A.
  problem.c = H.transpose() * Vector::NullaryExpr(rank, [&] { return normal(random); });
  problem.limit = Vector::NullaryExpr(blocks, [&] {
    const double x = uniform(random);
    return x < 0.1 ? 0.0 : x > 0.95 ? std::numeric_limits<double>::infinity() : x;
  });
  return problem;
}

double energy(const StickProblem& problem, const Vector& f) {
  return 0.5 * f.dot(problem.A * f) + f.dot(problem.c);
}

}  // namespace

TEST(StickForces, OnePlanarContact) {
  StickProblem problem{.A = Matrix::Constant(1, 1, 2.0),
                       .c = Vector::Constant(1, 3.0),
                       .start = {0, 1},
                       .limit = Vector::Constant(1, 2.0)};
  EXPECT_EQ(solve(problem).f[0], -1.5);
  EXPECT_FALSE(solve(problem).slides[0]);
  problem.limit[0] = 1.0;
  const StickForces slides = solve(problem);
  EXPECT_EQ(slides.f[0], -1.0);
  EXPECT_EQ(slides.rate[0], 1.0);
  EXPECT_TRUE(slides.slides[0]);
}

TEST(StickForces, RedundantContactsShareInProportionToTheirLimits) {
  // Two corners of a block with the same sliding velocity.
  StickProblem problem{.A = Matrix::Ones(2, 2),
                       .c = Vector::Constant(2, 1.0),
                       .start = {0, 1, 2},
                       .limit = Vector::Constant(2, 0.9)};
  problem.limit[0] = 0.3;
  const StickForces both = solve(problem);
  EXPECT_NEAR(both.f[0], -0.25, 1e-14);
  EXPECT_NEAR(both.f[1], -0.75, 1e-14);
  EXPECT_FALSE(both.slides[0] || both.slides[1]);
  problem.limit[1] = 0.5;
  const StickForces loose = solve(problem);
  EXPECT_TRUE(loose.slides[0] && loose.slides[1]);
  EXPECT_NEAR(loose.rate[0], 0.2, 1e-14);
}

TEST(StickForces, RandomProblemsAreMinima) {
  std::mt19937 random(5);
  StickSolver solver;
  StickForces forces;
  int sliding = 0;
  for (int k = 0; k < 2000; ++k) {
    SCOPED_TRACE(k);
    const StickProblem problem = random_problem(random, 1 + k % 5, k % 3 == 0);
    solver.solve(problem, forces);
    ASSERT_TRUE(forces.solved) << forces.error;
    EXPECT_LE(forces.error, 1e-11);
    const double lowest = energy(problem, forces.f);
    for (std::size_t i = 0; i + 1 < problem.start.size(); ++i) {
      const int size = problem.start[i + 1] - problem.start[i];
      const auto f = forces.f.segment(problem.start[i], size);
      EXPECT_LE(f.norm(), problem.limit[static_cast<Eigen::Index>(i)] * (1 + 1e-12));
      sliding += forces.slides[i] ? 1 : 0;
    }
    // No admissible neighbour is lower (the problem is convex).
    std::normal_distribution<double> normal(0.0, 1e-3);
    for (int trial = 0; trial < 10; ++trial) {
      Vector other = forces.f;
      for (double& x : other) x += normal(random);
      for (std::size_t i = 0; i + 1 < problem.start.size(); ++i) {
        auto f = other.segment(problem.start[i], problem.start[i + 1] - problem.start[i]);
        const double limit = problem.limit[static_cast<Eigen::Index>(i)];
        if (f.norm() > limit) f *= limit / f.norm();
      }
      EXPECT_GE(energy(problem, other), lowest - 1e-12 * (1 + std::abs(lowest)));
    }
  }
  EXPECT_GT(sliding, 500);
}

}  // namespace percute::numerics

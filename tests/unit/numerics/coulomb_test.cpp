// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include <gtest/gtest.h>
#include <unit/numerics/coulomb_problems.hpp>

#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

namespace percute::numerics {

namespace {

constexpr double kDigits = 2e-10;  ///< printed digits of the independent values

/// Kane's double pendulum: rods of unit mass and length at 20° and 30°, the tip hits the floor.
struct Kane {
  static constexpr double kDegree = std::numbers::pi / 180.0;
  Matrix M() const {
    const double c = 0.5 * std::cos(10 * kDegree);
    return Matrix{{4.0 / 3.0, c}, {c, 1.0 / 3.0}};
  }
  Matrix H() const {
    return Matrix{{std::sin(20 * kDegree), std::cos(20 * kDegree)},
                  {std::sin(30 * kDegree), std::cos(30 * kDegree)}};
  }
  Vector v() const { return Vector{{-0.1, -0.2}}; }
};

}  // namespace

TEST(Coulomb, KanesPendulum) {
  const Kane kane;
  const auto after = [&](double mu, double e, double theta) {
    CoulombProblem problem = impact(kane.M(), kane.H(), kane.v(), 1, mu, e);
    problem.b[1] *= 1.0 + theta;
    const CoulombSolution s = solve_coulomb(problem);
    EXPECT_EQ(s.status, SolverStatus::Solved);
    return velocity_after(kane.M(), kane.H(), kane.v(), s.p);
  };
  const auto expect = [](const Vector& v, double v1, double v2) {
    EXPECT_NEAR(v[0], v1, kDigits);
    EXPECT_NEAR(v[1], v2, kDigits);
  };
  // Newton–Coulomb: slip reversed, slip, stick; then with the mean tangential velocity (Frémond).
  expect(after(0.2, 0.5, 0.0), -0.2548079166, 0.3085008946);
  expect(after(0.2, 1.0, 0.0), -0.3064105554, 0.4780011928);
  expect(after(0.5, 0.0, 0.0), -0.1708620128, 0.1168765002);
  expect(after(0.5, 0.5, 0.0), -0.3346489298, 0.3631153642);
  expect(after(0.5, 1.0, 0.0), -0.5035745880, 0.6128693342);
  expect(after(0.2, 0.5, 1.0), -0.2174548335, 0.2829498810);
  expect(after(0.2, 1.0, 1.0), -0.2566064447, 0.4439331746);
  expect(after(0.5, 0.5, 1.0), -0.2062930193, 0.2753147504);
  expect(after(0.5, 1.0, 1.0), -0.2417240257, 0.4337530005);
}

TEST(Coulomb, RockingBlock) {
  struct Row {
    double width, height, mu, e;
    Vector v;
    double n1, n2, t;
  };
  const Row rows[] = {
      {1, 2, 0.3, 0.0, Vector{{0.7580645161, 0.3064516129, -0.6129032258}}, 0, 0.8064516129,
       -0.2419354839},
      {1, 2, 0.3, 0.5, Vector{{0.6370967742, 0.7096774194, -0.4193548387}}, 0, 1.2096774194,
       -0.3629032258},
      {1, 2, 1.0, 0.0, Vector{{0.7, 0.35, -0.7}}, 0, 0.85, -0.3},
      {1, 2, 1.0, 0.5, Vector{{0.55, 0.775, -0.55}}, 0, 1.275, -0.45},
      {1, 1, 0.3, 0.0, Vector{{0.35, 0, 0}}, 0.0083333333, 0.4916666667, -0.15},
      {1, 1, 0.3, 0.5, Vector{{0.275, 0.25, 0.5}}, 0.0125, 0.7375, -0.225},
      {1, 1, 1.0, 0.5, Vector{{-0.0625, 0.4375, 0.125}}, 0, 0.9375, -0.5625},
  };
  for (const Row& row : rows) {
    const Block block{.width = row.width, .height = row.height};
    const CoulombProblem problem = impact(block.M(), block.H(), block.v(), 1, row.mu, row.e);
    const CoulombSolution s = solve_coulomb(problem);
    EXPECT_EQ(s.status, SolverStatus::Solved);
    EXPECT_LT((velocity_after(block.M(), block.H(), block.v(), s.p) - row.v).norm(), kDigits);
    EXPECT_NEAR(s.p[0], row.n1, kDigits);
    EXPECT_NEAR(s.p[2], row.n2, kDigits);
    EXPECT_NEAR(s.p[1] + s.p[3], row.t, kDigits);
  }
}

TEST(Coulomb, StartsFromTheGuess) {
  std::mt19937 random(3);
  const CoulombProblem problem = random_problem(4, 2, 14, 0.4, random);
  CoulombSolution s = solve_coulomb(problem, {.method = CoulombMethod::Nsgs});
  ASSERT_EQ(s.status, SolverStatus::Solved);
  EXPECT_GT(s.iterations, 1);
  const Vector p = s.p;
  solve_coulomb(problem, {.method = CoulombMethod::Nsgs}, s);
  EXPECT_EQ(s.iterations, 0);
  EXPECT_EQ(s.p, p);
}

TEST(Coulomb, RefusesWhatIsNoProblem) {
  const Block block;
  const CoulombProblem good = impact(block.M(), block.H(), block.v(), 1, 0.3, 0.0);
  CoulombProblem bad = good;
  bad.friction[1] = -0.5;
  EXPECT_THROW(solve_coulomb(bad), std::invalid_argument);
  bad = good;
  bad.b.conservativeResize(3);
  EXPECT_THROW(solve_coulomb(bad), std::invalid_argument);
  bad = good;
  bad.start = {0, 4};
  EXPECT_THROW(solve_coulomb(bad), std::invalid_argument);
  bad = good;
  bad.b[2] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(solve_coulomb(bad), std::invalid_argument);
  bad = good;
  bad.impulse_floor = Vector{{0.0, -1.0}};
  EXPECT_THROW(solve_coulomb(bad), std::invalid_argument);
  EXPECT_NO_THROW(solve_coulomb(good));
}

}  // namespace percute::numerics

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "numerics/hybrid_integrator.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace percute::numerics {

namespace {

/// A ball under gravity 1 above the floor y = 0: state (y, v), guard y; a stop by friction in the
/// plane as the stiff part when `turning` is set: v' = −k v.
struct Ball : HybridClient {
  double stiffness = 0.0;
  int reported = 0;

  static bool slope(double /*x*/, const double* y, double* out, double k) {
    out[0] = y[1];
    out[1] = -1.0 - k * y[1];
    return true;
  }
  bool slope(double x, double* y, double* out) const { return slope(x, y, out, stiffness); }
  static double norm(const double* e) { return std::max(std::abs(e[0]), std::abs(e[1])) / 1e-11; }
  bool stiff() const { return stiffness > 0.0; }
  static void stiff_frame(Matrix& B, Matrix& C) {
    B = Eigen::Vector2d(0, 1);
    C = Eigen::RowVector2d(0, 1);
  }
  void stiff_part(Matrix& D) const { D = Matrix::Constant(1, 1, -stiffness); }
  static int guards() { return 1; }
  static void evaluate_guards(double /*x*/, const double* y, double* g) { g[0] = y[0]; }
  static int looks(double /*h*/) { return 4; }
  static double time_scale() { return 1.0; }
  void passed(double /*until*/) { ++reported; }
};

/// An oscillator x'' = −x with events to rounding where x falls below 0, and where v falls below
/// `slowest`, a guard that counts as costly; ∫ x² as a quadrature.
struct Oscillator : HybridClient {
  double slowest = -2.0;
  int costly_looks = 0;

  static bool slope(double /*x*/, const double* y, double* out) {
    out[0] = y[1];
    out[1] = -y[0];
    out[2] = y[0] * y[0];
    return true;
  }
  static double norm(const double* e) { return std::max(std::abs(e[0]), std::abs(e[1])) / 1e-8; }
  static double time_scale() { return 1.0; }
  static int guards() { return 2; }
  void evaluate_guards(double /*x*/, const double* y, double* g, int which) {
    if (which != 1) g[0] = y[0];
    if (which != 1 && which != kAllGuards) return;
    ++costly_looks;
    g[1] = y[1] - slowest;
  }
  static bool costly(int k) { return k == 1; }
  static bool oversteps(int k) { return k == 1; }
  static bool exact() { return true; }
  static int looks(double /*h*/) { return 16; }
};

/// Its first event from x = 1 at rest.
HybridStep first_event(HybridIntegrator<Oscillator, 1>& integrator) {
  integrator.resize(3);
  integrator.state()[0] = 1.0;
  integrator.set_next_step(0.3);
  integrator.restart();
  HybridStep step;
  while (step.event < 0 && !step.failed) step = integrator.advance(100.0);
  return step;
}

}  // namespace

TEST(HybridIntegrator, LocatesEveryBounce) {
  // Bounces with restitution 1/2 from v = 1: flights of 2, 1, 1/2, …, each found to rounding of the
  // dense output although its guard begins at 0.
  Ball ball;
  HybridIntegrator<Ball> integrator(ball);
  integrator.resize(2);
  integrator.state()[0] = 0.0;
  integrator.state()[1] = 1.0;
  integrator.set_next_step(0.1);
  ASSERT_TRUE(integrator.restart());
  double expected = 0.0;
  double speed = 1.0;
  for (int bounce = 0; bounce < 8; ++bounce) {
    HybridStep step;
    while (step.event < 0) {
      step = integrator.advance(100.0);
      ASSERT_FALSE(step.failed);
    }
    expected += 2.0 * speed;
    EXPECT_NEAR(integrator.time(), expected, 1e-12);
    EXPECT_NEAR(integrator.state()[1], -speed, 1e-12);
    speed *= 0.5;
    integrator.state()[0] = 0.0;
    integrator.state()[1] = speed;
    ASSERT_TRUE(integrator.restart());
  }
  EXPECT_EQ(ball.reported, integrator.steps());
}

TEST(HybridIntegrator, EndsWhereItIsTold) {
  Ball ball;
  HybridIntegrator<Ball> integrator(ball);
  integrator.resize(2);
  integrator.state()[0] = 10.0;
  integrator.set_next_step(0.3);
  ASSERT_TRUE(integrator.restart());
  while (integrator.time() < 2.0) ASSERT_FALSE(integrator.advance(2.0).failed);
  EXPECT_EQ(integrator.time(), 2.0);
  EXPECT_NEAR(integrator.state()[0], 8.0, 1e-13);
}

TEST(HybridIntegrator, StiffPartsTakeImplicitSteps) {
  // v' = −1 − k v with k = 1e8 from rest: y = y0 − t/k + (1 − e^(−kt))/k². Explicit steps would
  // have to be shorter than 3/k.
  Ball ball;
  ball.stiffness = 1e8;
  HybridIntegrator<Ball> integrator(ball);
  integrator.resize(2);
  integrator.state()[0] = 1e-8;
  integrator.set_next_step(1e-3);
  ASSERT_TRUE(integrator.restart());
  HybridStep step;
  while (step.event < 0) {
    step = integrator.advance(100.0);
    ASSERT_FALSE(step.failed);
  }
  EXPECT_NEAR(integrator.time(), 1.0, 1e-7);  // ½ % of a tolerance of 1e-11 at a speed of 1e-8
  EXPECT_LT(integrator.steps() + integrator.rejected(), 60);
}

TEST(HybridIntegrator, TakesTheStepUpToAnEventAgain) {
  // cos t = 0: the state there is as good as that of a whole step, and the guard 0 to rounding,
  // whatever the tolerance; ∫ cos² up to there is π/4.
  Oscillator oscillator;
  HybridIntegrator<Oscillator, 1> integrator(oscillator);
  EXPECT_EQ(first_event(integrator).event, 0);
  EXPECT_NEAR(integrator.state()[0], 0.0, 4e-16);
  EXPECT_NEAR(integrator.time(), 0.5 * std::numbers::pi, 1e-8);
  EXPECT_NEAR(integrator.state()[2], 0.25 * std::numbers::pi, 1e-8);
  // The start of a step, where nothing is computed by clients that need not, and four places.
  EXPECT_LE(oscillator.costly_looks, 5 * (integrator.steps() + 1));
}

TEST(HybridIntegrator, EndsWhereAGuardHasFallen) {
  // −sin t = −1/2, and close to its minimum, where it falls slowly (cos t = 1.4e-3) and the error
  // allowed, 1e-8, moves the instant by 1e-8/1.4e-3.
  Oscillator oscillator;
  for (const double slowest : {-0.5, -1.0 + 1e-6}) {
    oscillator.slowest = slowest;
    HybridIntegrator<Oscillator, 1> integrator(oscillator);
    EXPECT_EQ(first_event(integrator).event, 1);
    EXPECT_LT(integrator.state()[1], slowest);
    EXPECT_NEAR(integrator.state()[1], slowest, 1e-13);  // 1e-14 of a step beyond
    EXPECT_NEAR(integrator.time(), std::asin(-slowest), 1e-5);
  }
}

}  // namespace percute::numerics

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "unit/simulation/stepping_testing.hpp"

#include <percute/simulation/compliant_motion.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

// Contacts that close and open again within what a step of the flight would be, and contacts that
// begin with no speed at all.

namespace percute::simulation {
namespace {

using std::numbers::pi;
using testing::PointOnFloor;
using testing::Rod;
using testing::start_at;
using Force = laws::Compliant::Force;

constexpr double kUnbounded = std::numeric_limits<double>::infinity();
constexpr double kStiffness = 1e6;  // N/m
constexpr double kAngle = 50.0 * pi / 180.0;

/// A point mass on a rod that hangs from a pivot, and a wall at its left: x ≥ `wall`.
struct GrazingPendulum {
  double m = 1.0;
  double length = 0.4;
  double gravity = 9.81;
  double wall = 0.0;
  double longest = kUnbounded;  ///< step, s

  int coordinates() const { return 1; }
  int contacts() const { return 1; }
  void mass(const Vector&, Matrix& M) const { M(0, 0) = m * length * length; }
  void force(double, const Vector& q, const Vector&, Vector& f) const {
    f[0] = -m * gravity * length * std::sin(q[0]);
  }
  void gaps(const Vector& q, Vector& h) const { h[0] = length * std::sin(q[0]) - wall; }
  void gradient(int, const Vector& q, Vector& w) const { w[0] = length * std::cos(q[0]); }
  double gap_curvature(int, const Vector& q, const Vector& v) const {
    return -length * std::sin(q[0]) * v[0] * v[0];
  }
  Contact contact(int, const Vector&) const { return {.material = {.stiffness = kStiffness}}; }
  double potential_energy(const Vector& q) const {
    return m * gravity * length * (1.0 - std::cos(q[0]));
  }
  double longest_step(double) const { return longest; }

  /// How deep it gets, released at rest at kAngle, where without the wall it would get d beyond
  /// it: where the spring has what the weight would have had on the way left, l sin φ = l sin
  /// kAngle − (d − δ),
  ///
  ///     ½ k δ² = m g l (cos φ − cos kAngle).
  double indentation(double d) const {
    const double x = length * std::sin(kAngle);
    const double y = length * std::cos(kAngle);
    double low = 0.0;
    double high = d;
    for (int pass = 0; pass < 60; ++pass) {
      const double delta = 0.5 * (low + high);
      const double square = (d - delta) * (2.0 * x - (d - delta));  // y² at φ, less y²
      const double fall = square / (y + std::sqrt(y * y + square));
      (0.5 * kStiffness * delta * delta < m * gravity * fall ? low : high) = delta;
    }
    return low;
  }
};

struct BoundedRod : Rod {
  double longest = kUnbounded;
  double longest_step(double) const { return longest; }
};

struct Followed {
  simulation::Run run;
  std::vector<double> begins = {};
  std::vector<double> ends = {};
};

Followed follow(const systems::AnySystem& system, const Moment& start, double duration,
                double tolerance, Force force = Force::Linear) {
  Followed outcome;
  const Observer observer{.event = [&](const Event& event) {
    if (event.kind == EventKind::ContactBegins) outcome.begins.push_back(event.time);
    if (event.kind == EventKind::ContactEnds) outcome.ends.push_back(event.time);
    return true;
  }};
  const CompliantMotion method{.law = {.force = force, .tolerance = tolerance},
                               .tolerance = tolerance,
                               .run = {.duration = duration}};
  outcome.run = method(system, start, observer);
  EXPECT_EQ(outcome.run.status, RunStatus::Ok) << outcome.run.reason;
  return outcome;
}

// The end dips into the wall where it turns, for 2 ms of steps of 100 ms.
TEST(CompliantGrazing, APendulumTouchesAWallWhereItTurns) {
  for (const double d : {2e-6, 5e-6, 1e-5, 2e-5}) {
    GrazingPendulum pendulum;
    pendulum.wall = -pendulum.length * std::sin(kAngle) + d;
    const double deep = pendulum.indentation(d);
    const Moment start = start_at(Vector::Constant(1, kAngle), Vector::Zero(1));
    for (const double tolerance : {1e-6, 1e-8, 1e-10, 1e-12}) {
      // Errors of steps are the tolerance of what they cover: 100° of a circle.
      const double error = tolerance * pendulum.length * 2.0 * kAngle;
      const Followed free = follow(pendulum, start, 1.2, tolerance);
      const ContactTotals& total = free.run.contacts[0];
      EXPECT_EQ(total.phases, 1) << d << ", " << tolerance;
      EXPECT_EQ(free.run.impacts, 1) << d << ", " << tolerance;
      EXPECT_NEAR(total.peak_force / kStiffness, deep, error) << d << ", " << tolerance;
      // The same in short steps; instants are distances over the speed of the touch.
      GrazingPendulum short_steps = pendulum;
      short_steps.longest = 1e-3;
      const Followed bounded = follow(short_steps, start, 1.2, tolerance);
      const double speed = -free.run.first_impact_velocity.value_or(0.0);
      ASSERT_EQ(bounded.begins.size(), 1u);
      EXPECT_NEAR(bounded.run.contacts[0].peak_force / kStiffness, deep, error);
      EXPECT_NEAR(free.begins[0], bounded.begins[0], error / speed) << d << ", " << tolerance;
      EXPECT_NEAR(free.ends[0], bounded.ends[0], error / speed) << d << ", " << tolerance;
    }
  }
}

// A rod turns in flight, and its end dips into the floor by d: the coordinates move on straight
// lines, so that no error of them would ever bound a step.
TEST(CompliantGrazing, ATurningRodDipsIntoTheFloor) {
  const double tolerance = 1e-10;
  for (const double turning : {3.0, 30.0}) {
    for (const double d : {2e-6, 2e-5}) {
      BoundedRod rod;
      rod.length = 0.8;
      rod.gravity = 0.0;
      rod.material = {.stiffness = kStiffness};
      const Moment start =
          start_at(Eigen::Vector3d(0.0, 0.4 - d, kAngle), Eigen::Vector3d(0.0, 0.0, turning));
      const Followed free = follow(rod, start, 0.5, tolerance);
      rod.longest = 1e-4;
      const Followed bounded = follow(rod, start, 0.5, tolerance);
      ASSERT_EQ(free.begins.size(), 1u) << turning << ", " << d;
      ASSERT_EQ(bounded.begins.size(), 1u);
      // The lower end passes 0 where 0.4 − d − 0.4 sin θ = 0; instants are known to rounding of
      // lengths over the speed of the touch.
      const double touch = (std::asin(1.0 - d / 0.4) - kAngle) / turning;
      const double speed = -free.run.first_impact_velocity.value_or(0.0);
      EXPECT_NEAR(free.begins[0], touch, 1e-14 / speed) << turning << ", " << d;
      const double deep = free.run.contacts[0].peak_force / kStiffness;
      EXPECT_GT(deep, 0.4 * d);
      EXPECT_LT(deep, d);
      EXPECT_NEAR(deep / (bounded.run.contacts[0].peak_force / kStiffness), 1.0, 1e-7);
      EXPECT_NEAR(free.ends[0], bounded.ends[0], 1e-8 * free.ends[0]);
      EXPECT_NEAR(free.run.end.state.velocity[2], bounded.run.end.state.velocity[2],
                  1e-8 * turning);
    }
  }
}

// The same rod falls from afar and makes hundreds of turns before an end can reach the floor.
TEST(CompliantGrazing, ATurningRodMeetsTheFloorInItsFirstTurnThere) {
  const double tolerance = 1e-9;
  for (const double turning : {3.0, 30.0, 300.0}) {
    for (const double gravity : {0.0, 9.81}) {
      BoundedRod rod;
      rod.length = 0.8;
      rod.gravity = gravity;
      rod.material = {.stiffness = kStiffness};
      const Moment start =
          start_at(Eigen::Vector3d(0.0, 10.4, kAngle), Eigen::Vector3d(0.0, -5.0, turning));
      const double duration = gravity > 0.0 ? 1.2 : 2.2;
      const Followed free = follow(rod, start, duration, tolerance);
      rod.longest = 1e-4;  // 0.03 rad
      const Followed bounded = follow(rod, start, duration, tolerance);
      // Where the lower of both ends gets to 0, by looks 1e-5 s apart.
      double touch = 0.0;
      for (int k = 0; touch == 0.0; ++k) {
        const double t = 1e-5 * k;
        const double y = 10.4 - 5.0 * t - 0.5 * gravity * t * t;
        if (y < 0.4 * std::abs(std::sin(kAngle + turning * t))) touch = t;
      }
      ASSERT_FALSE(free.begins.empty()) << turning << ", " << gravity;
      EXPECT_NEAR(free.begins[0], touch, 1e-5) << turning << ", " << gravity;
      // Impacts of a rod multiply errors, which begin as 1e-9.
      ASSERT_EQ(free.begins.size(), bounded.begins.size()) << turning << ", " << gravity;
      for (std::size_t k = 0; k < free.begins.size(); ++k) {
        EXPECT_NEAR(free.begins[k], bounded.begins[k], 1e-7) << turning << ", " << gravity;
      }
      const Vector difference = free.run.end.state.velocity - bounded.run.end.state.velocity;
      EXPECT_LT(difference.norm(), 1e-6 * turning) << turning << ", " << gravity;
    }
  }
}

// A Hertz body that is laid down on an incline at a gap of 0, at rest. Along the normal it swings
// between 0 and a depth δ, whatever friction does; from a gap e,
//
//     2/5 k δ^(5/2) = m g_n (δ + e):   k δ^(3/2) = 5/2 m g_n for e = 0.
//
// It creates no energy, and what it does is the limit of what it does from small gaps: to first
// order in e/δ.
TEST(CompliantGrazing, WhatIsLaidDownDoesWhatItDoesFromASmallGap) {
  const double slope = 0.3;
  const double along = 9.81 * std::sin(slope);
  const double normal = 9.81 * std::cos(slope);
  const double k = 1e7;
  const double duration = 0.1;
  const double depth = std::pow(2.5 * normal / k, 2.0 / 3.0);
  const auto lay = [&](double friction, double gap) {
    const PointOnFloor point{.gravity = {along, -normal},
                             .material = {.stiffness = k, .exponent = 1.5, .friction = friction}};
    const Followed outcome = follow(point, start_at(Eigen::Vector2d(0.0, gap), Vector::Zero(2)),
                                    duration, 1e-10, Force::Hertz);
    const simulation::Run& run = outcome.run;
    const ContactTotals& total = run.contacts[0];
    const double energy = 1e-10 * normal * (depth + gap);  // by the tolerance, 1 kg
    EXPECT_LT(std::abs(*run.energy_residual), energy) << friction << ", " << gap;
    EXPECT_GT(total.dissipated, -energy) << friction << ", " << gap;
    if (friction == 0.0) {
      EXPECT_LT(total.dissipated, energy) << gap;
    }
    // Momentum along the normal.
    EXPECT_NEAR(total.impulse, normal * duration + run.end.state.velocity[1], 1e-10);
    const double deepest = std::pow(total.peak_force / k, 2.0 / 3.0);
    EXPECT_NEAR(0.4 * total.peak_force * deepest / (normal * (deepest + gap)), 1.0, 1e-8);
    return run;
  };
  for (const double friction : {0.0, 0.2, 0.6, std::numeric_limits<double>::infinity()}) {
    const simulation::Run laid = lay(friction, 0.0);
    EXPECT_NEAR(laid.contacts[0].peak_force / (2.5 * normal), 1.0, 1e-9) << friction;
    if (friction == 0.2) {  // slides from the start
      EXPECT_NEAR(laid.end.state.velocity[0], along * duration - 0.2 * laid.contacts[0].impulse,
                  1e-10);
    }
    const simulation::Run near = lay(friction, 1e-8);
    const simulation::Run far = lay(friction, 1e-7);
    const auto difference = [&](const simulation::Run& run) {
      Vector both(4);
      both << run.end.state.position - laid.end.state.position,
          run.end.state.velocity - laid.end.state.velocity;
      return both;
    };
    // Ten times the gap, ten times the difference, but for the second order: e/δ = 6e-4.
    const Vector tenth = 10.0 * difference(near);
    const Vector whole = difference(far);
    const double speed = std::sqrt(normal * depth);
    EXPECT_LT(whole.head(2).norm(), 10.0 * 1e-7 / depth * speed * duration) << friction;
    EXPECT_LT(whole.tail(2).norm(), 10.0 * 1e-7 / depth * speed) << friction;
    EXPECT_LT((whole - tenth).head(2).norm(), 0.02 * whole.head(2).norm()) << friction;
    EXPECT_LT((whole - tenth).tail(2).norm(), 0.02 * whole.tail(2).norm()) << friction;
  }
}

}  // namespace
}  // namespace percute::simulation

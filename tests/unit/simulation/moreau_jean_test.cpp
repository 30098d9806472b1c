// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "unit/simulation/stepping_testing.hpp"

#include <percute/laws/complementarity.hpp>
#include <percute/laws/lzb.hpp>
#include <percute/model/invalid_input.hpp>
#include <percute/simulation/moreau_jean.hpp>
#include <percute/systems/ball_chain.hpp>
#include <percute/systems/cradle.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace percute::simulation {
namespace {

using testing::PointOnFloor;
using testing::Rod;
using testing::start_at;

/// Slope of log error over log step, by least squares.
double order(const std::vector<double>& steps, const std::vector<double>& errors) {
  double x = 0.0;
  double y = 0.0;
  double xx = 0.0;
  double xy = 0.0;
  const auto n = static_cast<double>(steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const double a = std::log(steps[i]);
    const double b = std::log(errors[i]);
    x += a;
    y += b;
    xx += a * a;
    xy += a * b;
  }
  return (n * xy - x * y) / (n * xx - x * x);
}

/// A pendulum, as a cradle of one ball: smooth, not linear.
double pendulum_angle(double step, double theta) {
  const systems::Cradle pendulum{.balls = 1, .length = 0.5, .gravity = 9.81};
  const MoreauJean method{.step = step, .theta = theta, .run = {.duration = 1.0}};
  const simulation::Run run =
      method(pendulum, start_at(Vector::Constant(1, 1.0), Vector::Zero(1)), laws::Newton{});
  EXPECT_EQ(run.status, RunStatus::Ok) << run.reason;
  return run.end.state.position[0];
}

TEST(MoreauJean, HasItsOrderWithoutContacts) {
  const double exact = pendulum_angle(1e-5, 0.5);  // its own error is 1e-10
  for (const double theta : {0.5, 0.8, 1.0}) {
    std::vector<double> steps;
    std::vector<double> errors;
    for (double h = 4e-3; h > 4e-4; h *= 0.5) {
      steps.push_back(h);
      errors.push_back(std::abs(pendulum_angle(h, theta) - exact));
    }
    // The next order is a hundredth part of the error at these steps.
    EXPECT_NEAR(order(steps, errors), theta == 0.5 ? 2.0 : 1.0, 0.06) << theta;
  }
}

/// Height of a bouncing ball, dropped from h0 with restitution e, at a time before bounces
/// accumulate.
double bouncing_height(double t, double h0, double e, double g) {
  double touch = std::sqrt(2.0 * h0 / g);
  if (t <= touch) return h0 - 0.5 * g * t * t;
  double v = e * std::sqrt(2.0 * g * h0);
  while (t > touch + 2.0 * v / g) {
    touch += 2.0 * v / g;
    v *= e;
  }
  const double s = t - touch;
  return v * s - 0.5 * g * s * s;
}

TEST(MoreauJean, IsOfFirstOrderWithImpacts) {
  const PointOnFloor ball{.material = {.restitution = 0.8}};
  std::vector<double> steps;
  std::vector<double> errors;
  for (double h = 8e-3; h > 5e-5; h *= 0.5) {
    // Where in its step an impact falls changes the error: the largest over many starts.
    double largest = 0.0;
    for (int k = 0; k < 12; ++k) {
      const double h0 = 0.5 + 0.003 * k;
      const MoreauJean method{.step = h, .run = {.duration = 1.5}};
      const simulation::Run run =
          method(ball, start_at(Eigen::Vector2d(0.0, h0), Eigen::Vector2d::Zero()), laws::Newton{});
      largest = std::max(largest,
                         std::abs(run.end.state.position[1] - bouncing_height(1.5, h0, 0.8, 9.81)));
    }
    steps.push_back(h);
    errors.push_back(largest);
  }
  // A maximum over twelve phases still scatters by a few tens of percent over two decades.
  EXPECT_NEAR(order(steps, errors), 1.0, 0.1);
}

// 0 ≤ U_{k+1} + e U_k ⟂ p: every active step turns the velocity of the step before, and with e = 1
// and θ = ½ the energy is that of the start to the last digits.
TEST(MoreauJean, ObeysNewtonsLawStepByStep) {
  for (const double e : {0.0, 0.6, 1.0}) {
    const PointOnFloor ball{.m = 2.0, .material = {.restitution = e}};
    int impacts = 0;
    const Observer observer{.event = [&](const Event& event) {
      EXPECT_EQ(event.kind, EventKind::ActiveStep);
      const double before = event.velocity_before[1];
      if (before > -0.1) return true;
      ++impacts;
      EXPECT_NEAR(event.velocity_after[1], -e * before, 1e-12);
      // p brings it from where gravity would have led to where it goes.
      EXPECT_NEAR(event.impulse[0], 2.0 * (event.velocity_after[1] - before + 9.81 * 1e-3), 1e-12);
      EXPECT_NEAR(event.dissipated, 0.5 * event.impulse[0] * (1.0 - e) * -before, 1e-12);
      return true;
    }};
    const MoreauJean method{.step = 1e-3, .run = {.duration = 2.0}};
    const simulation::Run run =
        method(ball, start_at(Eigen::Vector2d(0.0, 0.3), Eigen::Vector2d::Zero()), laws::Newton{},
               observer);
    ASSERT_EQ(run.status, RunStatus::Ok) << run.reason;
    EXPECT_GT(impacts, 0);
    EXPECT_EQ(run.steps, 2000);
    if (e == 1.0) {
      EXPECT_NEAR(run.energy.max, run.energy.expected, 1e-11);
      EXPECT_NEAR(run.energy.min, run.energy.expected, 1e-11);
    }
  }
}

// Infinitely many bounces in finite time take finitely many steps, and then there is rest: no
// velocity is left, and each step carries the weight.
TEST(MoreauJean, RestsAfterTheBounces) {
  const double e = 0.5;
  const double h0 = 0.2;
  const double g = 9.81;
  const PointOnFloor ball{.material = {.restitution = e}};
  const double accumulated = std::sqrt(2.0 * h0 / g) * (1.0 + e) / (1.0 - e);
  double fastest = 0.0;
  double weight = 0.0;
  const Observer observer{.state =
                              [&](double t, const Vector& /*q*/, const Vector& v) {
                                if (t > accumulated + 0.1)
                                  fastest = std::max(fastest, std::abs(v[1]));
                                return true;
                              },
                          .event =
                              [&](const Event& event) {
                                weight = event.impulse[0];
                                return true;
                              }};
  const MoreauJean method{.step = 1e-3, .run = {.duration = 2.0}};
  const simulation::Run run = method(
      ball, start_at(Eigen::Vector2d(0.0, h0), Eigen::Vector2d::Zero()), laws::Newton{}, observer);
  ASSERT_EQ(run.status, RunStatus::Ok);
  // Bounces faster than what gravity does in two steps are impacts: 1.98/2^n > 0.0196 for n < 7,
  // the speed of the last one being known to a step's fall. Steps that carry the weight are none.
  EXPECT_NEAR(static_cast<double>(run.impacts), 7.0, 1.0);
  EXPECT_GT(run.active_steps, 100);
  EXPECT_LT(fastest, 1e-14);
  EXPECT_NEAR(weight, 1e-3 * g, 1e-10 * g);  // tolerance of the law's solver
  // It stays where an impact found it: below the floor by a step's motion at most.
  EXPECT_LE(run.end.state.position[1], 1e-6);
  EXPECT_GE(run.end.state.position[1], -1e-3 * std::sqrt(2.0 * g * h0));
}

// A block on an incline, with Coulomb's law in both of its forms: it stops after v/(g (μ cos α −
// sin α)) and is held; one that slides on has μ g cos α.
TEST(MoreauJean, WhatRestsAndSlidesHasNoImpact) {
  PointOnFloor point;
  point.gravity = {1.0, -9.81};
  point.material = {.restitution = 0.5, .friction = 0.05};
  const MoreauJean method{.step = 1e-3, .run = {.duration = 0.1}};
  // On the floor, and so little above it that a step falls through.
  for (const double height : {0.0, 1e-9}) {
    const simulation::Run rest =
        method(point, start_at(Eigen::Vector2d(0.0, height), Vector::Zero(2)), laws::Coulomb{});
    ASSERT_EQ(rest.status, RunStatus::Ok) << rest.reason;
    EXPECT_GT(rest.active_steps, 95);
    EXPECT_EQ(rest.impacts, 0);
    EXPECT_FALSE(rest.first_impact_time.has_value()) << height;
    EXPECT_FALSE(rest.first_impact_velocity.has_value());
  }
  // One that falls has one.
  const simulation::Run fall =
      method(point, start_at(Eigen::Vector2d(0.0, 0.01), Vector::Zero(2)), laws::Coulomb{});
  EXPECT_NEAR(fall.first_impact_time.value(), std::sqrt(0.02 / 9.81), 1.5e-3);  // a step or two
  EXPECT_NEAR(fall.first_impact_velocity.value(), -std::sqrt(0.02 * 9.81), 0.015);
}

TEST(MoreauJean, SlidesAndSticksOnAnIncline) {
  const double g = 9.81;
  const double slope = 0.3;
  const double h = 5e-4;
  for (const double tangential : {0.0, 1.0}) {
    for (const double restitution : {0.0, 0.5}) {
      PointOnFloor block{.gravity = {g * std::sin(slope), -g * std::cos(slope)},
                         .material = {.restitution = restitution, .friction = 0.6}};
      const laws::Coulomb law{.tangential = tangential};
      const MoreauJean method{.step = h, .run = {.duration = 1.0}};
      const Moment start = start_at(Eigen::Vector2d::Zero(), Eigen::Vector2d(1.0, 0.0));
      const simulation::Run stays = method(block, start, law);
      ASSERT_EQ(stays.status, RunStatus::Ok) << stays.reason;
      const double braking = g * (0.6 * std::cos(slope) - std::sin(slope));
      // One step's motion.
      EXPECT_NEAR(stays.end.state.position[0], 0.5 / braking, h);
      EXPECT_NEAR(stays.end.state.velocity[0], 0.0, tangential == 0.0 ? 1e-12 : g * h);
      EXPECT_NEAR(stays.end.state.velocity[1], 0.0, 1e-12);

      block.material.friction = 0.2;
      const simulation::Run goes = method(block, start, law);
      EXPECT_NEAR(goes.end.state.velocity[0], 1.0 + g * (std::sin(slope) - 0.2 * std::cos(slope)),
                  1e-9);
    }
  }
}

// A rod that falls flat on both ends: symmetric with Newton's and with Poisson's law, which stop it
// for good; tilted, energy only falls.
TEST(MoreauJean, BringsARodToRestOnBothEnds) {
  for (const bool poisson : {false, true}) {
    const Rod rod{.material = {.restitution = 0.4}};
    const MoreauJean method{.step = 5e-4, .run = {.duration = 3.0}};
    double last = 1e9;
    double growth = 0.0;
    const Observer observer{.state = [&](double /*t*/, const Vector& q, const Vector& v) {
      const double energy = 0.5 * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2] / 12.0) + 9.81 * q[1];
      growth = std::max(growth, energy - last);
      last = energy;
      return true;
    }};
    const AnyLaw law = poisson ? AnyLaw(laws::Poisson{}) : AnyLaw(laws::Newton{});
    const simulation::Run run = method(
        rod, start_at(Eigen::Vector3d(0.0, 0.3, 0.2), Eigen::Vector3d::Zero()), law, observer);
    ASSERT_EQ(run.status, RunStatus::Ok) << run.reason;
    EXPECT_LT(run.end.state.velocity.norm(), 1e-9);
    // Ends stay where impacts found them: a step's motion below the floor.
    EXPECT_NEAR(run.end.state.position[1], 0.0, 2e-3);
    EXPECT_NEAR(run.end.state.position[2], 0.0, 4e-3);
    // Energy falls but for contacts that come to rest: those still leaving are turned back by less
    // than a step of gravity, m (g h)².
    EXPECT_LT(growth, std::pow(9.81 * 5e-4, 2));
    EXPECT_LT(run.energy.final, 1e-2);
  }
}

/// A mass on a stiff spring that tells its stiffness.
struct StiffSpring {
  double k = 1e8;
  int coordinates() const { return 1; }
  int contacts() const { return 0; }
  void mass(const Vector& /*q*/, Matrix& M) const { M(0, 0) = 1.0; }
  void force(double /*t*/, const Vector& q, const Vector& /*v*/, Vector& f) const {
    f[0] = -k * q[0];
  }
  void gaps(const Vector& /*q*/, Vector& /*h*/) const {}
  void gradient(int /*i*/, const Vector& /*q*/, Vector& /*column*/) const {}
  double gap_curvature(int /*i*/, const Vector& /*q*/, const Vector& /*v*/) const { return 0.0; }
  Contact contact(int /*i*/, const Vector& /*q*/) const { return {}; }
  double potential_energy(const Vector& q) const { return 0.5 * k * q[0] * q[0]; }
  void stiffness(const Vector& /*q*/, Matrix& K) const { K(0, 0) = k; }
};

// Steps of sixteen periods of a spring: implicit in its stiffness, ½ keeps the energy and 1
// takes it away.
TEST(MoreauJean, IsImplicitInStiffness) {
  MoreauJean method{.step = 1e-2, .run = {.duration = 1.0}};
  const Moment start = start_at(Vector::Constant(1, 1e-3), Vector::Zero(1));
  const simulation::Run keeps = method(StiffSpring{}, start, laws::Newton{});
  ASSERT_EQ(keeps.status, RunStatus::Ok) << keeps.reason;
  EXPECT_NEAR(keeps.energy.final / keeps.energy.expected, 1.0, 1e-9);
  ASSERT_EQ(keeps.warnings.size(), 1U);
  EXPECT_NE(keeps.warnings[0].find("too long for the fastest vibration"), std::string::npos);
  method.theta = 1.0;
  const simulation::Run damps = method(StiffSpring{}, start, laws::Newton{});
  EXPECT_LT(damps.energy.final, 1e-12 * damps.energy.expected);
}

// Any law: LZB throws the last ball of a cradle off, as in its impacts.
TEST(MoreauJean, TakesALawOfMultipleImpacts) {
  const systems::Cradle cradle{
      .balls = 3, .gravity = 9.81, .material = {.restitution = 1.0, .stiffness = 1e9}};
  Vector angle = Vector::Zero(3);
  angle[0] = -0.3;
  const MoreauJean method{.step = 1e-4, .run = {.duration = 0.5}};
  const simulation::Run run = method(cradle, start_at(angle, Vector::Zero(3)), laws::Lzb{});
  ASSERT_EQ(run.status, RunStatus::Ok) << run.reason;
  // Velocities of three balls with Hertz contacts, −0.071, 0.076, 0.995 of that of the striker, in
  // the pendulum's motion since the impact; ball 1 and the others have met no second time. First
  // order: the speeds of a step, some 1e-3.
  const ImpactProblem problem = cradle.impact(cradle.at_contact(Eigen::Vector3d(1.0, 0.0, 0.0)));
  const Vector share = 0.5 * resolve(problem, laws::Lzb{}).velocity;  // rad/s to m/s: L = 0.5 m
  const double speed = run.end.state.velocity.norm();
  EXPECT_GT(speed, 0.1);
  EXPECT_NEAR(run.end.state.velocity[0] / speed, share[0] / share.norm(), 2e-2);
  EXPECT_NEAR(run.end.state.velocity[1] / speed, share[1] / share.norm(), 2e-2);
  EXPECT_NEAR(run.end.state.velocity[2] / speed, share[2] / share.norm(), 2e-2);
}

TEST(MoreauJean, GoesOnFromAnyStep) {
  const PointOnFloor ball{.material = {.restitution = 0.7}};
  const MoreauJean method{.step = 1e-3, .run = {.duration = 1.0}};
  const Moment start = start_at(Eigen::Vector2d(0.0, 0.2), Eigen::Vector2d(1.0, 0.0));
  const simulation::Run whole = method(ball, start, laws::Newton{});
  int steps = 0;
  const Observer observer{
      .step = [&](double, const Vector&, const Vector&) { return ++steps < 400; }};
  const simulation::Run part = method(ball, start, laws::Newton{}, observer);
  ASSERT_EQ(part.status, RunStatus::Interrupted);
  MoreauJean rest = method;
  rest.run.resume = true;
  const simulation::Run end = rest(ball, part.end, laws::Newton{});
  EXPECT_EQ(end.end.state.position, whole.end.state.position);
  EXPECT_EQ(end.end.state.velocity, whole.end.state.velocity);
  EXPECT_EQ(end.steps, whole.steps);
  EXPECT_EQ(end.active_steps, whole.active_steps);
}

// Beads that fall together touch all the way down, although rounding parts some of them: the wall
// strikes the whole column, which leaves as one body with Newton's law.
TEST(MoreauJean, AColumnStaysTogether) {
  const systems::BeadColumn column{.beads = 10,
                                   .radius = 0.004,
                                   .material = {.restitution = 0.9},
                                   .wall = {.restitution = 0.9},
                                   .gravity = 9.81};
  std::vector<std::size_t> struck;
  const Observer observer{.event = [&](const Event& event) {
    struck.push_back(event.contacts.size());
    return true;
  }};
  const MoreauJean method{.step = 1e-4, .run = {.duration = 0.12}};
  const simulation::Run run =
      method(column, {.state = column.above(0.005)}, laws::Newton{}, observer);
  ASSERT_EQ(run.status, RunStatus::Ok) << run.reason;
  EXPECT_EQ(run.impacts, 2);  // at 0.032 and 0.089 s; the next one follows at 0.141 s
  for (const std::size_t contacts : struck) EXPECT_EQ(contacts, 10U);
  const Vector& v = run.end.state.velocity;
  EXPECT_LT(v.maxCoeff() - v.minCoeff(), 1e-12);  // rounding of a thousand steps
}

TEST(MoreauJean, RefusesWhatItCannotDo) {
  const auto message = [](const MoreauJean& method) {
    try {
      method(PointOnFloor{}, start_at(Eigen::Vector2d(0.0, 1.0), Eigen::Vector2d::Zero()),
             laws::Newton{});
    } catch (const InvalidInput& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(message({.run = {.duration = 1.0}}).find("simulation.step"), std::string::npos);
  EXPECT_NE(
      message({.step = 1e-3, .theta = 0.2, .run = {.duration = 1.0}}).find("simulation.theta"),
      std::string::npos);
  EXPECT_NE(message({.step = 1e-3}).find("simulation.duration"), std::string::npos);
}

}  // namespace
}  // namespace percute::simulation

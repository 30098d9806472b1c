// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "unit/simulation/stepping_testing.hpp"

#include <percute/simulation/compliant_motion.hpp>
#include <percute/systems/planar_body.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

// Bodies on more feet than they need, with friction: as they tilt, what holds the feet from sliding
// comes to hold the body from turning too.

namespace percute::simulation {
namespace {

using ::testing::HasSubstr;
using testing::PointOnFloor;
using testing::start_at;
using Force = laws::Compliant::Force;

constexpr double kInfinite = std::numeric_limits<double>::infinity();

/// A plate on feet that are not alike far from its centre.
systems::PlanarBody plate(double friction) {
  Material material{.stiffness = 1e6, .exponent = 1.0, .friction = friction};
  material.damping = 400.0;
  return {.mass = 2.0,
          .inertia = 0.03,
          .points = {{.at = {-0.2, -0.1}}, {.at = {0.05, -0.1}}, {.at = {0.17, -0.1}}},
          .position = {0.0, 0.1},
          .material = material,
          .gravity = 9.81};
}

CompliantMotion method(double duration) {
  return {.law = {.force = Force::KelvinVoigt}, .run = {.duration = duration}};
}

/// Energy before, less energy after, less what was lost.
double missing(const simulation::Run& run) {
  return run.energy.expected - run.energy.final - run.energy.dissipated;
}

TEST(CompliantFeet, ComeToAnEndWhateverTheFriction) {
  for (const double friction : {0.05, 0.5, 1.0, 10.0, 1000.0, kInfinite}) {
    for (const double tilt : {0.0, 1e-7, 1e-5, 1e-3, 0.1}) {
      SCOPED_TRACE(::testing::Message() << "friction " << friction << ", tilt " << tilt);
      const systems::PlanarBody body = plate(friction);
      const State start = body.at({0.0, 0.1 + 0.2 * tilt + 1e-3, tilt}, {0.3, -0.2, 0.0});
      int steps = 0;
      const Observer observer{
          .step = [&](double, const Vector&, const Vector&) { return ++steps < 20000; }};
      const simulation::Run run = method(0.2)(body, {.state = start}, observer);
      EXPECT_EQ(run.status, RunStatus::Ok) << run.reason << ", " << steps << " steps";
      EXPECT_NEAR(*run.energy_residual, 0.0, 1e-8);
      EXPECT_NEAR(missing(run), 0.0, 1e-8);
      double lost = 0.0;
      double rubbed = 0.0;  // together: impulses that stop several do work on one another
      for (const ContactTotals& total : run.contacts) {
        lost += total.dissipated;
        rubbed += total.dissipated_by_friction;
      }
      EXPECT_GT(rubbed, 0.0);
      EXPECT_NEAR(lost, run.energy.dissipated, 1e-8);
    }
  }
}

// Friction that is proportional to sliding below v and has no stick, as v gets small: its outcome
// differs from Coulomb's by the order of v.
TEST(CompliantFeet, AgreeWithRegularisedFriction) {
  const systems::PlanarBody body = plate(0.5);
  const Moment start{.state = body.at({0.0, 0.1012, 1e-3}, {0.3, -0.2, 0.0})};
  const simulation::Run exact = method(0.2)(body, start);
  ASSERT_EQ(exact.status, RunStatus::Ok) << exact.reason;
  // The tilt at which its feet, on equal springs, carry a weight that is not above their middle.
  EXPECT_NEAR(exact.end.state.position[2], 1.8354e-6, 1e-9);
  const auto apart = [&](double v) {
    CompliantMotion smooth = method(0.2);
    smooth.law.regularisation_velocity = v;
    const simulation::Run run = smooth(body, start);
    EXPECT_EQ(run.status, RunStatus::Ok) << run.reason;
    return (run.end.state.position - exact.end.state.position).norm();
  };
  const double coarse = apart(1e-4);
  const double fine = apart(1e-5);
  EXPECT_LT(fine, 1e-7);
  EXPECT_GT(coarse / fine, 5.0);
  EXPECT_LT(coarse / fine, 20.0);
}

// Shares of contacts that are held together, and which of them are independent, are decided once
// and last until the next decision: they belong to where a run can go on.
TEST(CompliantFeet, GoOnFromAnyStep) {
  const systems::PlanarBody body = plate(0.4);
  const Moment start{.state = body.at({0.0, 0.1005, 1e-3}, {0.3, -0.2, 0.0})};
  const simulation::Run whole = method(0.05)(body, start);
  ASSERT_EQ(whole.status, RunStatus::Ok) << whole.reason;
  for (const int last : {20, 60, 120, 200}) {
    int steps = 0;
    const Observer observer{
        .step = [&](double, const Vector&, const Vector&) { return ++steps < last; }};
    const simulation::Run part = method(0.05)(body, start, observer);
    ASSERT_EQ(part.status, RunStatus::Interrupted) << last;
    EXPECT_NEAR(missing(part), 0.0, 1e-8) << last;
    CompliantMotion rest = method(0.05);
    rest.run.resume = true;
    const simulation::Run end = rest(body, part.end);
    EXPECT_EQ(end.end.state.position, whole.end.state.position) << last;
    EXPECT_EQ(end.end.state.velocity, whole.end.state.velocity) << last;
    EXPECT_NEAR(missing(end), 0.0, 1e-8) << last;
  }
}

// A contact that pulls has no friction; f = −μ F u with F < 0 would drive what slides.
TEST(CompliantFeet, ContactsThatPullAreNotDriven) {
  Material material{.stiffness = 1e5, .friction = 2.0};
  material.damping = 500.0;
  const PointOnFloor point{.m = 1.0, .material = material};
  CompliantMotion allow = method(0.1);
  allow.law.tension = laws::Compliant::Tension::Allow;
  const simulation::Run run =
      allow(point, start_at(Eigen::Vector2d(0.0, 1e-3), Eigen::Vector2d(5.0, -1.0)));
  ASSERT_EQ(run.status, RunStatus::Ok) << run.reason;
  // While it pushed it had the impulse P > m (1 + e) v; what it pulled does not give speed back.
  EXPECT_LT(run.end.state.velocity[0], 5.0 - 2.0 * run.contacts[0].impulse);
  EXPECT_GT(run.contacts[0].dissipated_by_friction, 0.0);
  EXPECT_NEAR(missing(run), 0.0, 1e-8);
}

TEST(CompliantFeet, TimeThatStandsStillIsAnEnd) {
  CompliantMotion few = method(1.0);
  few.law.max_steps = 3;
  const systems::PlanarBody body = plate(0.3);
  const simulation::Run run = few(body, {.state = body.at({0.0, 0.101, 0.0}, {0.3, -0.2, 0.0})});
  EXPECT_EQ(run.status, RunStatus::NotTerminated);
  EXPECT_THAT(run.reason, HasSubstr("law.max_steps = 3 steps"));
  EXPECT_THAT(run.reason, HasSubstr("contacts point 1"));
  EXPECT_NEAR(missing(run), 0.0, 1e-8);
}

}  // namespace
}  // namespace percute::simulation

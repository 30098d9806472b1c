// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "unit/simulation/small_systems.hpp"

#include <percute/laws/complementarity.hpp>
#include <percute/laws/lzb.hpp>
#include <percute/simulation/event_driven.hpp>
#include <percute/systems/ball_chain.hpp>
#include <percute/systems/cradle.hpp>
#include <percute/systems/planar_body.hpp>

#include <gmock/gmock.h>

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

namespace percute::simulation {
namespace {

using systems::BouncingBall;
using systems::Cradle;
using testing::AnglePendulum;
using ::testing::ElementsAre;
using testing::EventLog;
using testing::JointedPendulum;
using testing::Particle;
using testing::start_at;

constexpr double kGravity = 9.81;
constexpr double kDegree = std::numbers::pi / 180.0;

// A ball dropped from height H bounces until t₀ (1 + e)/(1 − e), t₀ = √(2H/g).
TEST(EventDriven, BouncesAccumulateWhenTheyShould) {
  // For one contact the two laws are the same.
  const std::vector<AnyLaw> laws = {laws::Newton{}, laws::Lzb{}};
  for (int k = 0; k < 12; ++k) {
    const double e = std::array{0.01, 0.3, 0.5, 0.8, 0.9, 0.99}[static_cast<std::size_t>(k / 2)];
    const BouncingBall ball{.mass = 0.3, .gravity = kGravity, .material = {.restitution = e}};
    EventLog log;
    const EventDriven method{.run = {.duration = 100.0}};
    const simulation::Run run = method(ball, {.state = ball.at(1.0)},
                                       laws[static_cast<std::size_t>(k % 2)], log.observer());
    ASSERT_EQ(run.status, RunStatus::Ok) << run.reason;
    const auto ends = log.of(EventKind::Accumulation);
    ASSERT_EQ(ends.size(), 1U) << "e = " << e;
    // The promise; the largest difference here is 5e-11, rounding of 1300 flights at e = 0.99.
    EXPECT_NEAR(ends[0].time, std::sqrt(2.0 / kGravity) * (1.0 + e) / (1.0 - e), 1e-10)
        << "e = " << e;
    EXPECT_EQ(run.end.state.position[0], 0.0);
    EXPECT_EQ(run.end.state.velocity[0], 0.0);
    EXPECT_THAT(run.end.held, ElementsAre(0));
    EXPECT_EQ(run.contact_phases, 1);
    // All is lost in events: the ball had m g H.
    EXPECT_NEAR(run.energy.dissipated, 0.3 * kGravity, 1e-9);
  }
}

// The way a contact has to come back is the widest its gap was, up to the impact that turned it
// round, not where the step would have led: a particle in the wedge 0 ≤ y ≤ x that rises from the
// floor to (1, 1) and is thrown along the floor there.
TEST(EventDriven, GapsHaveBeenAsWideAsTheyWere) {
  const double r = std::sqrt(0.5);
  const Particle particle{.gravity = 0.0,
                          .walls = {{.restitution = 1.0}, {.nx = r, .ny = -r, .restitution = 1.0}}};
  const EventDriven method{.run = {.duration = 2.0}};
  const simulation::Run run =
      method(particle, start_at(Vector{{1.0, 0.1}}, Vector{{0.0, 1.0}}), laws::Newton{}, {});
  ASSERT_EQ(run.status, RunStatus::Ok) << run.reason;
  EXPECT_NEAR(run.end.state.velocity[0], 1.0, 1e-15);
  const auto& memory = std::get<EventDriven::Memory>(run.end.memory);
  ASSERT_EQ(memory.widest.size(), 2);
  EXPECT_NEAR(memory.widest[0], 1.0, 1e-14);
}

// A run of 1e20 s must not begin with a step of 1e18.
TEST(EventDriven, ALongRunMissesNoImpact) {
  const BouncingBall ball{.mass = 0.3, .gravity = kGravity, .material = {.restitution = 0.5}};
  const EventDriven method{.run = {.duration = 1e20}};
  const simulation::Run run = method(ball, {.state = ball.at(1.0)}, laws::Newton{});
  ASSERT_EQ(run.status, RunStatus::Ok) << run.reason;
  EXPECT_NEAR(run.first_impact_time.value_or(0.0), std::sqrt(2.0 / kGravity), 1e-12);
  EXPECT_EQ(run.end.state.position[0], 0.0);
}

// Bounces that are left out, here all, take their energy with them; the event at their end says so.
TEST(EventDriven, BouncesThatAreLeftOutAreLost) {
  const BouncingBall ball{.gravity = kGravity, .material = {.restitution = 0.5}};
  EventLog log;
  const simulation::Run run = EventDriven{.run = {.duration = 3.0, .micro_bounce_velocity = 100.0}}(
      ball, {.state = ball.at(1.0)}, laws::Newton{}, log.observer());
  EXPECT_EQ(run.impacts, 1);
  const auto ends = log.of(EventKind::Accumulation);
  ASSERT_EQ(ends.size(), 1U);
  EXPECT_NEAR(ends[0].dissipated, 0.25 * kGravity, 1e-12);  // e² of the energy before
  EXPECT_NEAR(run.energy.dissipated, kGravity, 1e-12);
}

TEST(EventDriven, PlasticBallRestsAtOnce) {
  const BouncingBall ball{.gravity = 9.81, .material = {.restitution = 0.0}};
  EventLog log;
  const simulation::Run run = EventDriven{.run = {.duration = 1.0}}(ball, {.state = ball.at(1.0)},
                                                                    laws::Newton{}, log.observer());
  ASSERT_EQ(log.events.size(), 2U);
  EXPECT_EQ(log.events[0].kind, EventKind::Impact);
  EXPECT_EQ(log.events[1].kind, EventKind::ContactBegins);
  EXPECT_NEAR(log.events[0].time, std::sqrt(2.0 / 9.81), 1e-14);
  EXPECT_EQ(run.end.state.position[0], 0.0);
  EXPECT_EQ(run.end.state.velocity[0], 0.0);
}

TEST(EventDriven, ABallThatLiesStaysAndTellsSo) {
  const BouncingBall ball{.gravity = 9.81, .material = {.restitution = 0.7}};
  EventLog log;
  const simulation::Run run = EventDriven{.run = {.duration = 1.0}}(ball, {.state = ball.at(0.0)},
                                                                    laws::Newton{}, log.observer());
  ASSERT_EQ(log.events.size(), 1U);
  EXPECT_EQ(log.events[0].kind, EventKind::ContactBegins);
  EXPECT_EQ(log.events[0].time, 0.0);
  EXPECT_EQ(run.impacts, 0);
  EXPECT_EQ(run.end.state.position[0], 0.0);
}

TEST(EventDriven, ElasticBallKeepsItsEnergy) {
  const BouncingBall ball{.gravity = 9.81};
  const simulation::Run run =
      EventDriven{.run = {.duration = 1000.0}}(ball, {.state = ball.at(1.0)}, laws::Newton{});
  EXPECT_EQ(run.impacts, 1107);  // ⌊1000/(2 t₀) + 1/2⌋
  // Parabolas are integrated exactly: what is left is the rounding of the coefficients of the
  // method, about 1e-14 in a flight.
  EXPECT_LT(run.energy.max - run.energy.min, 1e-10 * run.energy.expected);
}

// The error of a swing of large amplitude falls with the tolerance.
TEST(EventDriven, ErrorFollowsTheTolerance) {
  const AnglePendulum pendulum{.distance = 0.2, .restitution = 0.9};
  const auto angle = [&](double tolerance) {
    const EventDriven method{.tolerance = tolerance, .run = {.duration = 10.0}};
    const simulation::Run run =
        method(pendulum, start_at(Vector{{2.0}}, Vector{{0.0}}), laws::Newton{});
    EXPECT_EQ(run.status, RunStatus::Ok) << run.reason;
    return run.end.state.position[0];
  };
  const double exact = angle(1e-14);
  // Local errors below the tolerance add up over some ten steps a swing.
  for (const double tolerance : {1e-5, 1e-7, 1e-9, 1e-11}) {
    EXPECT_LT(std::abs(angle(tolerance) - exact), 100.0 * tolerance) << tolerance;
  }
  EXPECT_GT(std::abs(angle(1e-4) - exact), 1e-9);  // a tolerance does something
}

// Largest angle of each ball in windows of half a swing.
std::vector<std::vector<double>> swings(const Cradle& cradle, const EventDriven& method,
                                        const Moment& start, int halves, Run& run) {
  const auto n = static_cast<std::size_t>(cradle.balls);
  std::vector largest(static_cast<std::size_t>(halves), std::vector<double>(n, 0.0));
  Observer observer;
  observer.state = [&](double time, const Vector& q, const Vector&) {
    const double half = std::floor((time - 0.36) / 0.7215);
    if (half < 0.0 || half >= halves) return true;
    auto& angles = largest[static_cast<std::size_t>(half)];
    for (std::size_t i = 0; i < n; ++i) {
      angles[i] = std::max(angles[i], std::abs(q[static_cast<Eigen::Index>(i)]) / kDegree);
    }
    return true;
  };
  run = method(cradle, start, laws::Lzb{.tolerance = 1e-10}, observer);
  return largest;
}

// Five steel balls, one lifted: the angles of every half swing, from the ball that flies off back
// to the one that struck.
TEST(EventDriven, CradleOfFive) {
  const Cradle cradle{.gravity = 9.81, .material = {.restitution = 1.0, .stiffness = 2.43e10}};
  const Vector angles{{-30.0 * kDegree, 0.0, 0.0, 0.0, 0.0}};
  const EventDriven method{.run = {.duration = 6.14, .output_interval = 1e-3}};
  simulation::Run run;
  const auto largest =
      swings(cradle, method, {.state = cradle.at(angles, Vector::Zero(5))}, 8, run);
  ASSERT_EQ(run.status, RunStatus::Ok) << run.reason;
  const std::vector<double> expected{29.656, 3.769, 0.429, 0.898, 2.108};
  for (std::size_t half = 0; half < largest.size(); ++half) {
    for (std::size_t i = 0; i < 5; ++i) {
      EXPECT_NEAR(largest[half][half % 2 == 0 ? 4 - i : i], expected[i], 0.002)
          << "half swing " << half << ", ball " << i;
    }
  }
  EXPECT_LT(std::abs(run.energy.final / run.energy.expected - 1.0), 1e-8);
}

TEST(EventDriven, FirstImpactOfACradleOfThree) {
  const Cradle cradle{.balls = 3, .gravity = 9.81};
  EventLog log;
  const simulation::Run run = EventDriven{.run = {.duration = 0.5}}(
      cradle, {.state = cradle.at(Vector{{-0.3, 0.0, 0.0}}, Vector::Zero(3))},
      laws::Lzb{.tolerance = 1e-12}, log.observer());
  ASSERT_EQ(run.status, RunStatus::Ok);
  ASSERT_FALSE(log.of(EventKind::Impact).empty());
  const Event impact = log.of(EventKind::Impact)[0];
  EXPECT_THAT(impact.contacts, ElementsAre(0, 1));
  // Equal balls in a row, elastic Hertz contacts (Liu, Zhao & Brogliato 2009), to printed digits.
  const double v = impact.velocity_before[0];
  EXPECT_NEAR(impact.velocity_after[0] / v, -0.070952, 1e-6);
  EXPECT_NEAR(impact.velocity_after[1] / v, 0.076403, 1e-6);
  EXPECT_NEAR(impact.velocity_after[2] / v, 0.994549, 1e-6);
}

// A particle slides to and fro at the bottom of an obtuse groove without restitution. Each passage
// keeps r = cos 2β of the speed, β the slope of the walls, so that passages accumulate.
TEST(EventDriven, PlasticImpactsInAGrooveAccumulate) {
  const double slope = 20.0 * kDegree;
  const double s = std::sin(slope);
  const double c = std::cos(slope);
  const Particle particle{.walls = {{.nx = s, .ny = c}, {.nx = -s, .ny = c}}};
  EventLog log;
  const double way = 0.1;
  const EventDriven method{.run = {.duration = 3.0, .micro_bounce_velocity = 1e-5}};
  const simulation::Run run = method(particle, start_at(way * Vector{{-c, s}}, Vector::Zero(2)),
                                     laws::Newton{}, log.observer());
  ASSERT_EQ(run.status, RunStatus::Ok) << run.reason;
  const auto ends = log.of(EventKind::Accumulation);
  ASSERT_EQ(ends.size(), 1U);
  const double speed = std::sqrt(2.0 * 9.81 * s * way);
  const double r = std::cos(2.0 * slope);
  EXPECT_NEAR(ends[0].time, speed / (9.81 * s) * (1.0 + 2.0 * r / (1.0 - r)), 1e-10);
  EXPECT_NEAR(run.end.state.position.norm(), 0.0, 1e-14);
  EXPECT_NEAR(run.end.state.velocity.norm(), 0.0, 1e-20);
  EXPECT_EQ(run.end.held.size(), 2U);
  // From the speed of the first passage down to micro_bounce_velocity.
  EXPECT_EQ(
      run.impacts,
      static_cast<int>(std::ceil(std::log(1e-5 / (speed * std::sin(2.0 * slope))) / std::log(r))));
}

// The corners of a block of height √2 b do not feel each other: one that comes down bounces as a
// ball does. Bounces lower than rounding of the gap are over, whatever the cut; at rest, velocities
// shrink to nothing, and steps must go on all the same.
TEST(EventDriven, ABlockComesDownAndStands) {
  for (const double angle : {1e-3, 1e-4, 1e-5}) {
    for (const double e : {0.3, 0.5, 0.8}) {
      for (const double cut : {1e-7, 1e-9, 0.0}) {
        const systems::RockingBlock block{.width = std::sqrt(0.5),
                                          .height = 1.0,
                                          .material = {.restitution = e},
                                          .gravity = kGravity};
        const EventDriven method{.tolerance = 1e-8,
                                 .grouping = 1e-9,
                                 .run = {.duration = 1.0, .micro_bounce_velocity = cut}};
        EventLog log;
        const auto run =
            method(block, {.state = block.tilted(angle)}, laws::Newton{}, log.observer());
        ASSERT_EQ(run.status, RunStatus::Ok) << angle << ' ' << e << ' ' << cut << run.reason;
        EXPECT_THAT(run.end.held, ElementsAre(0, 1));
        EXPECT_NEAR(run.end.state.velocity.norm(), 0.0, 1e-15);
        const auto ends = log.of(EventKind::Accumulation);
        ASSERT_EQ(ends.size(), 1U);
        const double fall = std::sqrt(2.0 * block.width * angle / kGravity);
        // Tilted, the corners are not quite independent.
        EXPECT_NEAR(ends[0].time / (fall * (1.0 + e) / (1.0 - e)), 1.0, 2.0 * angle);
      }
    }
  }
}

// A slender block goes from corner to corner; without a cut its bounces end where gaps do.
TEST(EventDriven, BouncesBelowRoundingAreOver) {
  const systems::RockingBlock block{
      .height = 2.4, .material = {.restitution = 0.544}, .gravity = kGravity};
  for (const double cut : {1.4e-9, 0.0}) {
    for (const double angle : {3.05e-5, 1e-3, 0.02}) {
      const auto run =
          EventDriven{.grouping = 0.0, .run = {.duration = 1.0, .micro_bounce_velocity = cut}}(
              block, {.state = block.tilted(angle)}, laws::Newton{});
      ASSERT_EQ(run.status, RunStatus::Ok) << angle << ' ' << cut << ' ' << run.reason;
      EXPECT_THAT(run.end.held, ElementsAre(0, 1));
      EXPECT_LT(run.impacts, 1000);
    }
  }
}

// The same pendulum by its angle and as a particle on a string, against a wall.
TEST(EventDriven, JointsAreAsGoodAsCoordinates) {
  const AnglePendulum minimal{.distance = 0.3, .restitution = 0.8};
  const JointedPendulum jointed{.like = minimal};
  const EventDriven method{.tolerance = 1e-12, .run = {.duration = 5.0}};
  EventLog by_angle;
  EventLog by_joint;
  const simulation::Run a =
      method(minimal, start_at(Vector{{1.2}}, Vector{{0.0}}), laws::Newton{}, by_angle.observer());
  const simulation::Run b =
      method(jointed, start_at(Vector{{std::sin(1.2), -std::cos(1.2)}}, Vector::Zero(2)),
             laws::Newton{}, by_joint.observer());
  ASSERT_EQ(a.status, RunStatus::Ok) << a.reason;
  ASSERT_EQ(b.status, RunStatus::Ok) << b.reason;
  ASSERT_EQ(by_angle.events.size(), by_joint.events.size());
  EXPECT_GT(by_angle.events.size(), 3U);
  for (std::size_t k = 0; k < by_angle.events.size(); ++k) {
    EXPECT_NEAR(by_angle.events[k].time, by_joint.events[k].time, 1e-9);
    EXPECT_NEAR(by_angle.events[k].dissipated, by_joint.events[k].dissipated, 1e-9);
  }
  const double angle = a.end.state.position[0];
  EXPECT_NEAR(b.end.state.position[0], std::sin(angle), 1e-9);
  EXPECT_NEAR(b.end.state.velocity[1], std::sin(angle) * a.end.state.velocity[0], 1e-8);
  EXPECT_NEAR(b.end.state.position.norm(), 1.0, 1e-15);  // projected after every step
}

}  // namespace
}  // namespace percute::simulation

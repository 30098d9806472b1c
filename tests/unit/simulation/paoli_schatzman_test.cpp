// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "fixed_step_testing.hpp"
#include "simulation/fixed_steps.hpp"
#include "small_systems.hpp"

#include <percute/model/invalid_input.hpp>
#include <percute/simulation/paoli_schatzman.hpp>
#include <percute/systems/impacting_bar.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

namespace percute::simulation {
namespace {

using fixed_step::at;
using fixed_step::Box;
using fixed_step::Disc;
using fixed_step::Oscillator;
using fixed_step::PushedBall;
using fixed_step::TwoBalls;
using ::testing::HasSubstr;

/// Mean error of positions over many starts: where the grid of times meets the wall is luck.
double error(const Oscillator& system, double step, double position, double speed,
             double duration) {
  double sum = 0.0;
  constexpr int kStarts = 64;
  for (int i = 0; i < kStarts; ++i) {
    const double factor = 1.0 + 0.003 * i;
    const Moment moment = at({speed == 0.0 ? position * factor : position}, {speed * factor});
    const simulation::Run run =
        PaoliSchatzman{.step = step, .run = {.duration = duration}}(system, moment);
    EXPECT_EQ(run.status, RunStatus::Ok) << run.reason;
    const State exact = system.exact(moment.state, run.end.time);
    sum += std::abs(run.end.state.position[0] - exact.position[0]);
  }
  return sum / kStarts;
}

double order(const Oscillator& system, double position, double speed, double duration) {
  return std::log2(error(system, 2e-3, position, speed, duration) /
                   error(system, 5e-4, position, speed, duration)) /
         2.0;
}

TEST(PaoliSchatzman, SecondOrderInFreeMotionFirstOrderWithImpacts) {
  // From where nothing accelerates, the first step is as good as the others.
  EXPECT_NEAR(order({.rest = 3.0}, 3.0, 1.0, 2.0), 2.0, 0.02);
  // From anywhere else it leaves velocities half a step behind.
  EXPECT_NEAR(order({.rest = 3.0}, 4.0, 0.0, 2.0), 1.0, 0.05);
  // Impacts fall anywhere between two instants: the mean over 64 starts still scatters.
  EXPECT_NEAR(order({.rest = -0.2}, 1.0, 0.0, 3.0), 1.0, 0.2);
  EXPECT_NEAR(order({.rest = 0.2, .restitution = 0.5}, 1.0, 0.0, 3.0), 1.0, 0.2);
}

TEST(PaoliSchatzman, OneImpactReversesTheVelocityAndCountsOnce) {
  for (const double e : {1.0, 0.5, 0.0}) {
    const simulation::Run run = PaoliSchatzman{.step = 1e-3, .run = {.duration = 1.0}}(
        PushedBall{.gravity = 0.0, .restitution = e}, at({0.5003}, {-1.0}));
    EXPECT_EQ(run.impacts, 1) << e;
    // Two, and one to stop what rounding leaves where e = 0.
    EXPECT_LE(run.active_steps, e > 0.0 ? 2 : 3) << e;
    EXPECT_NEAR(run.end.state.velocity[0], e, 1e-12);
    EXPECT_NEAR(*run.first_impact_time, 0.5003, 1e-3);
    EXPECT_EQ(*run.first_impact_velocity, -1.0);
    // The last active step may be two steps late.
    EXPECT_NEAR(run.end.state.position[0], e * 0.4997, 2e-3);
  }
}

TEST(PaoliSchatzman, RestsOnTheFloor) {
  const simulation::Run run =
      PaoliSchatzman{.step = 1e-3, .run = {.duration = 2.0}}(PushedBall{}, at({0.2}, {0.0}));
  EXPECT_EQ(run.status, RunStatus::Ok);
  EXPECT_NEAR(run.end.state.position[0], 0.0, 1e-5);  // g Δt²
  EXPECT_NEAR(run.end.state.velocity[0], 0.0, 1e-9);
}

TEST(PaoliSchatzman, ImpulsesAreThoseOfTheMomentum) {
  double impulse = 0.0;
  Observer observer;
  observer.event = [&](const Event& event) {
    EXPECT_EQ(event.kind, EventKind::ActiveStep);
    impulse += event.impulse.sum();
    return true;
  };
  // Mass 2, speed 1 before and 0.5 after.
  (void)PaoliSchatzman{.step = 1e-3, .run = {.duration = 1.0}}(PushedBall{.gravity = 0.0},
                                                               at({0.5}, {-1.0}), {}, observer);
  EXPECT_NEAR(impulse, 3.0, 1e-12);
}

TEST(PaoliSchatzman, SeveralContactsAtOnce) {
  // Two particles strike both walls in the same step, then each other, and so on, symmetrically.
  const simulation::Run run = PaoliSchatzman{.step = 1e-3, .run = {.duration = 2.0}}(
      Box{}, at({0.3003, 0.6997}, {-1.0, 1.0}));
  ASSERT_EQ(run.status, RunStatus::Ok) << run.reason;
  EXPECT_EQ(run.impacts, 4);  // t = 0.3, 0.8, 1.3, 1.8
  EXPECT_NEAR(run.end.state.position[0], 1.0 - run.end.state.position[1], 1e-12);
  EXPECT_NEAR(std::abs(run.end.state.velocity[0]), 1.0, 1e-11);
  // Unequal masses meet once: velocities after a central elastic collision.
  const simulation::Run uneven = PaoliSchatzman{.step = 1e-4, .run = {.duration = 0.4}}(
      Box{.mass_1 = 3.0}, at({0.2, 0.7}, {1.0, -0.5}));
  EXPECT_NEAR(uneven.end.state.velocity[0], (2.0 * 1.0 + 2.0 * -0.5) / 4.0, 1e-11);
  EXPECT_NEAR(uneven.end.state.velocity[1], (-2.0 * -0.5 + 6.0 * 1.0) / 4.0, 1e-11);
}

TEST(PaoliSchatzman, ImpactsThatOverlapAreCountedOneByOne) {
  // Each takes two steps or three; the second begins one step after the first.
  const TwoBalls balls{.restitution = {0.5, 0.0}};
  std::array<double, 2> impulse{};
  Observer observer;
  observer.event = [&](const Event& event) {
    for (std::size_t k = 0; k < event.contacts.size(); ++k) {
      impulse[static_cast<std::size_t>(event.contacts[k])] +=
          event.impulse[static_cast<Eigen::Index>(k)];
    }
    return true;
  };
  const simulation::Run run = PaoliSchatzman{.step = 1e-3, .run = {.duration = 1.0}}(
      balls, at({0.5003, 0.5013}, {-1.0, -1.0}), {}, observer);
  EXPECT_EQ(run.impacts, 2);
  EXPECT_LE(run.active_steps, 4);
  EXPECT_NEAR(impulse[0], 1.5, 1e-12);
  EXPECT_NEAR(impulse[1], 1.0, 1e-12);
  EXPECT_NEAR(run.energy.dissipated, 0.5 * (1.0 - 0.25) + 0.5, 1e-12);
}

TEST(PaoliSchatzman, AContactAtRestDoesNotHideTheImpactsOfOthers) {
  // One ball lies on the floor, another bounces elastically from 0.2 m: impacts at 0.2 s, 0.6 s, …
  const TwoBalls balls{.gravity = 10.0, .restitution = {0.5, 1.0}};
  const simulation::Run run =
      PaoliSchatzman{.step = 1e-3, .run = {.duration = 2.1}}(balls, at({0.0, 0.2}, {0.0, 0.0}));
  EXPECT_EQ(run.impacts, 5);
  EXPECT_NEAR(*run.first_impact_time, 0.2, 2e-3);  // a step or two
  EXPECT_NEAR(*run.first_impact_velocity, -2.0, 0.02);
  EXPECT_EQ(run.active_steps, run.steps - 1);  // the first step asks for nothing
}

TEST(PaoliSchatzman, BodiesThatMoveAlongWithEachOtherDoNotStrike) {
  // They touch and travel: rounding of positions alone would make contacts of it.
  const simulation::Run run = PaoliSchatzman{.step = 1e-3, .run = {.duration = 0.6}}(
      Box{}, at({std::nextafter(0.1, 1.0), 0.1}, {0.7, 0.7}));
  EXPECT_EQ(run.impacts, 0);
  EXPECT_EQ(run.active_steps, 0);
  EXPECT_FALSE(run.first_impact_time.has_value());
}

TEST(PaoliSchatzman, OnlyImpulsesTakeEnergy) {
  // A particle slides down a slope of 30° that carries it: 2.5 m/s after 0.5 s.
  const testing::Particle particle{.gravity = 10.0, .walls = {{.nx = 0.5, .ny = std::sqrt(0.75)}}};
  const simulation::Run run =
      PaoliSchatzman{.step = 1e-3, .run = {.duration = 0.5}}(particle, at({0.0, 0.0}, {0.0, 0.0}));
  EXPECT_NEAR(run.end.state.velocity.norm(), 2.5, 0.01);  // first order in the step
  EXPECT_EQ(run.impacts, 0);
  EXPECT_NEAR(run.energy.dissipated, 0.0, 1e-9);  // of 3 J that gravity has done
}

TEST(PaoliSchatzman, ACurvedWallReflects) {
  const simulation::Run run = PaoliSchatzman{.step = 1e-4, .run = {.duration = 10.0}}(
      Disc{.restitution = 1.0}, at({0.5, 0.0}, {0.0, 1.0}));
  EXPECT_EQ(run.status, RunStatus::Ok);
  EXPECT_EQ(run.impacts, 6);
  EXPECT_NEAR(run.end.state.velocity.norm(), 1.0, 5e-3);  // first order in the step
  EXPECT_THAT(run.warnings.front(), HasSubstr("stiffness"));
}

systems::ImpactingBar steel_bar() {
  return {.model = systems::ImpactingBar::Model::SeparateSprings,
          .angle = std::numbers::pi / 6.0,
          .gravity = 9.81};
}

TEST(PaoliSchatzman, AStepBeyondTheLimitIsRefusedWithBothNumbers) {
  const auto bar = steel_bar();
  EXPECT_NEAR(*highest_frequency(bar, bar.start().position), 5504730.0, 10.0);
  const Moment start{.state = bar.start()};
  try {
    (void)PaoliSchatzman{.step = 3.7e-7, .run = {.duration = 1e-3}}(bar, start);
    FAIL() << "accepted";
  } catch (const InvalidInput& error) {
    EXPECT_EQ(error.field(), "simulation.step");
    EXPECT_THAT(error.what(), HasSubstr("3.7e-07"));
    EXPECT_THAT(error.what(), HasSubstr("3.633"));
    EXPECT_THAT(error.what(), HasSubstr("allow_unstable_step"));
  }
  const simulation::Run blown = PaoliSchatzman{
      .step = 3.7e-7, .allow_unstable_step = true, .run = {.duration = 5e-3}}(bar, start);
  EXPECT_EQ(blown.status, RunStatus::Unstable);
  EXPECT_THAT(blown.warnings.front(), HasSubstr("3.633"));
  // Just below it the motion stays bounded, and says how near it is.
  const simulation::Run bounded =
      PaoliSchatzman{.step = 3.5e-7, .run = {.duration = 5e-3}}(bar, start);
  EXPECT_EQ(bounded.status, RunStatus::Ok);
  EXPECT_LT(bounded.energy.max, 10.0 * bounded.energy.expected);
  EXPECT_THAT(bounded.warnings.front(), HasSubstr("half the limit"));
}

TEST(PaoliSchatzman, TheBarOfThePaper) {
  const auto bar = steel_bar();
  const simulation::Run run =
      PaoliSchatzman{.step = 1e-7, .run = {.duration = 5e-3}}(bar, {.state = bar.start()});
  ASSERT_EQ(run.status, RunStatus::Ok);
  EXPECT_EQ(run.steps, 50000);
  EXPECT_NEAR(*run.first_impact_time, 0.0035868932358656, 1e-7);  // one step
  EXPECT_NEAR(run.energy.expected, 0.2098114817, 1e-9);           // after the first step
  // Tables 2 and 4 of the paper: a few thousandths.
  EXPECT_LT(std::abs(run.energy.mean / run.energy.expected - 1.0), 0.01);
  EXPECT_LT(run.energy.deviation / run.energy.expected, 0.0055);
  EXPECT_GT(run.active_steps, run.impacts);
}

TEST(PaoliSchatzman, ARunCanBeCutInTwoWithoutChangingABit) {
  auto bar = steel_bar();
  bar.material.restitution = 0.5;
  const PaoliSchatzman whole{.step = 1e-7, .run = {.duration = 4e-3}};
  const simulation::Run through = whole(bar, {.state = bar.start()});
  for (const double cut : {1e-7, 3.5869e-3, 3.8e-3}) {
    Observer observer;
    observer.state = [&](double time, const Vector&, const Vector&) { return time < cut; };
    const simulation::Run first = whole(bar, {.state = bar.start()}, {}, observer);
    ASSERT_EQ(first.status, RunStatus::Interrupted);
    PaoliSchatzman rest = whole;
    rest.run.resume = true;
    const simulation::Run second = rest(bar, first.end);
    EXPECT_EQ(second.end.state.position, through.end.state.position);
    EXPECT_EQ(second.impacts, through.impacts) << cut;
    EXPECT_EQ(second.steps, through.steps);
  }
}

TEST(PaoliSchatzman, BadOptionsAreNamed) {
  const auto refused = [](const PaoliSchatzman& method, double restitution = 1.0) -> std::string {
    try {
      (void)method(Oscillator{.restitution = restitution}, at({1.0}, {0.0}));
    } catch (const InvalidInput& error) {
      return error.field();
    }
    return "nothing";
  };
  EXPECT_EQ(refused({.step = -1.0, .run = {.duration = 1.0}}), "simulation.step");
  EXPECT_EQ(refused({.run = {.duration = 1.0}}, 1.5), "contacts[0].restitution");
  EXPECT_EQ(refused({.step = 1.0, .run = {.duration = 1.0}}), "simulation.step");
}

}  // namespace
}  // namespace percute::simulation

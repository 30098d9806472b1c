// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "fixed_step_testing.hpp"

#include <percute/simulation/event_driven.hpp>
#include <percute/simulation/moreau_jean.hpp>
#include <percute/simulation/newmark.hpp>
#include <percute/simulation/paoli_schatzman.hpp>

#include <gtest/gtest.h>

#include <functional>
#include <string>

// What time stepping says of steps that are too long for a motion, and what max_events means.

namespace percute::simulation {
namespace {

using fixed_step::at;
using fixed_step::Box;
using fixed_step::PushedBall;

/// The warning about the step, or nothing.
std::string long_step(const Run& run) {
  for (const std::string& warning : run.warnings) {
    if (warning.find("too long for this motion") != std::string::npos) return warning;
  }
  return "";
}

Run moved(bool moreau_jean, double step, double duration, const systems::AnySystem& system,
          const Moment& start) {
  const RunOptions run{.duration = duration};
  return moreau_jean ? MoreauJean{.step = step, .run = run}(system, start, laws::Newton{})
                     : PaoliSchatzman{.step = step, .run = run}(system, start);
}

class LongStep : public ::testing::TestWithParam<bool> {};

// It falls for T = 0.447 s and then arrives at √20 m/s: three steps through its height of 1 m take
// 0.075 s each, a sixth of T.
TEST_P(LongStep, IsToldOfABouncingBall) {
  for (const double e : {0.0, 0.5, 1.0}) {
    const PushedBall ball{.restitution = e};
    const auto run = [&](double step) {
      return moved(GetParam(), step, 8.0, ball, at({1.0}, {0.0}));
    };
    for (const double step : {2.0, 1.0, 0.5, 0.1}) {
      EXPECT_NE(long_step(run(step)), "") << e << ", step " << step;
    }
    for (const double step : {0.03, 0.01, 1e-3}) {
      EXPECT_EQ(long_step(run(step)), "") << e << ", step " << step;
    }
  }
}

TEST_P(LongStep, IsToldWithoutForces) {
  const Box box;
  const Moment start = at({0.3, 0.6}, {-1.0, 1.5});
  EXPECT_NE(long_step(moved(GetParam(), 1.0, 10.0, box, start)), "");
  EXPECT_EQ(long_step(moved(GetParam(), 1e-3, 10.0, box, start)), "");
}

// The floor is passed in the only step there is, and nothing has struck yet.
TEST_P(LongStep, IsToldBeforeAnythingStrikes) {
  const simulation::Run run = moved(GetParam(), 1.0, 1.0, PushedBall{}, at({1.0}, {-1.5}));
  EXPECT_LT(run.end.state.position[0], 0.0);
  EXPECT_NE(long_step(run), "");
}

TEST_P(LongStep, IsToldWhereTheRunIsShorter) {
  const simulation::Run run = moved(GetParam(), 10.0, 5.0, PushedBall{}, at({1e4}, {0.0}));
  ASSERT_EQ(run.warnings.size(), 1U);
  EXPECT_EQ(run.warnings[0], "simulation.step: 10 s is longer than the run, 5 s");
}

// What lies on the floor, and what was there from the start, has no way to come.
TEST_P(LongStep, IsNotToldOfWhatRests) {
  EXPECT_EQ(long_step(moved(GetParam(), 0.1, 3.0, PushedBall{}, at({0.0}, {0.0}))), "");
  EXPECT_EQ(long_step(moved(GetParam(), 0.1, 1.0, PushedBall{.gravity = 0.0, .restitution = 0.0},
                            at({0.0}, {-1.0}))),
            "");
  // A hop that is over within a step, from the floor.
  EXPECT_EQ(long_step(moved(GetParam(), 1e-3, 0.1, PushedBall{}, at({0.0}, {0.004}))), "");
}

// Bounces that die out are shorter than any step in the end; against the first they are nothing.
TEST_P(LongStep, IsNotToldOfTheLastBounces) {
  const simulation::Run run =
      moved(GetParam(), 1e-2, 20.0, PushedBall{.restitution = 0.8}, at({1.0}, {0.0}));
  EXPECT_GT(run.impacts, 5);
  EXPECT_EQ(long_step(run), "");
}

TEST_P(LongStep, IsToldAtTheEndOfARunInParts) {
  // The first part ends before anything is wide open, the second has the whole motion.
  const PushedBall ball{.gravity = 0.0, .restitution = 1.0};
  Moment moment = at({0.02}, {-1.0});
  const simulation::Run first = moved(GetParam(), 0.01, 0.05, ball, moment);
  EXPECT_NE(long_step(first), "");
  moment = first.end;
  const RunOptions options{.duration = 1.0, .resume = true};
  const simulation::Run rest =
      GetParam() ? MoreauJean{.step = 0.01, .run = options}(ball, moment, laws::Newton{})
                 : PaoliSchatzman{.step = 0.01, .run = options}(ball, moment);
  EXPECT_EQ(long_step(rest), "");
  EXPECT_GT(rest.end.state.position[0], 0.9);
}

INSTANTIATE_TEST_SUITE_P(Methods, LongStep, ::testing::Bool(), [](const auto& method) {
  return std::string(method.param ? "MoreauJean" : "PaoliSchatzman");
});

// A ball that is pressed onto the floor from rest, from a gap of less than a step's fall, is
// carried before it has any speed: no impact, and none is first.
TEST(PaoliSchatzman, WithoutImpactsNoneIsTheFirst) {
  const simulation::Run run =
      PaoliSchatzman{.step = 1e-3, .run = {.duration = 0.1}}(PushedBall{}, at({1e-7}, {0.0}));
  EXPECT_GT(run.active_steps, 90);
  EXPECT_EQ(run.impacts, 0);
  EXPECT_FALSE(run.first_impact_time.has_value());
  EXPECT_FALSE(run.first_impact_velocity.has_value());
}

// An elastic ball has one event per bounce, every 2 T.
TEST(MaxEvents, AreAsManyAsAllowed) {
  const PushedBall ball{.restitution = 1.0};
  const Moment start = at({1.0}, {0.0});
  const RunOptions three{.duration = 3.2, .max_events = 3};
  const laws::Newton newton;
  using Call = std::function<simulation::Run(const RunOptions&, const Moment&, const Observer&)>;
  const auto tried = [&](const Call& call) {
    int jumps = 0;
    Observer observer;
    observer.event = [&jumps](const Event& event) {
      jumps += event.kind == EventKind::Impact ? 1 : 0;
      return true;
    };
    const simulation::Run run = call(three, start, observer);
    EXPECT_EQ(run.status, RunStatus::NotTerminated);
    EXPECT_EQ(run.impacts, 3);
    EXPECT_TRUE(jumps == 3 || run.active_steps > 0) << jumps;
    EXPECT_NE(run.reason.find("max_events = 3 was reached at t = 2.2"), std::string::npos)
        << run.reason;
    EXPECT_NEAR(run.end.time, 5.0 * std::sqrt(0.2), 0.02);
    // With more of them it goes on, as if it had never been stopped.
    const simulation::Run four =
        call({.duration = 3.2, .max_events = 10, .resume = true}, run.end, {});
    const simulation::Run whole = call({.duration = 3.2}, start, {});
    EXPECT_EQ(four.status, RunStatus::Ok) << four.reason;
    EXPECT_EQ(four.impacts, 4);
    EXPECT_EQ(four.impacts, whole.impacts);
    EXPECT_EQ(four.end.state.position[0], whole.end.state.position[0]);
    // As many as happen are not too many where the end comes before the next.
    EXPECT_EQ(call({.duration = 2.0, .max_events = 3}, start, {}).status, RunStatus::Ok);
  };
  {
    SCOPED_TRACE("event_driven_adaptive");
    tried([&](const RunOptions& run, const Moment& from, const Observer& observer) {
      return EventDriven{.run = run}(ball, from, newton, observer);
    });
  }
  {
    SCOPED_TRACE("event_driven");
    tried([&](const RunOptions& run, const Moment& from, const Observer& observer) {
      return Newmark{.step = 1e-3, .run = run}(ball, from, newton, observer);
    });
  }
  {
    SCOPED_TRACE("moreau_jean");
    tried([&](const RunOptions& run, const Moment& from, const Observer& observer) {
      return MoreauJean{.step = 1e-3, .run = run}(ball, from, newton, observer);
    });
  }
  {
    SCOPED_TRACE("paoli_schatzman");
    tried([&](const RunOptions& run, const Moment& from, const Observer& observer) {
      return PaoliSchatzman{.step = 1e-3, .run = run}(ball, from, newton, observer);
    });
  }
}

}  // namespace
}  // namespace percute::simulation

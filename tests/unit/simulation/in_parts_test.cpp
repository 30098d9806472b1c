// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include <percute/laws/complementarity.hpp>
#include <percute/simulation/event_driven.hpp>
#include <percute/simulation/run.hpp>
#include <percute/systems/ball_chain.hpp>

#include <gtest/gtest.h>

#include <stdexcept>

namespace percute::simulation {
namespace {

/// A ball that bounces for two seconds, moved in parts.
class InParts : public ::testing::Test {
 protected:
  simulation::Run move(const Moment& from, const Observer& observer) const {
    EventDriven method{.run = {.duration = 2.0}};
    method.run.resume = from.totals.has_value();
    return method(ball_, from, laws::Newton{}, observer);
  }
  simulation::Run run(const Care& care) const {
    return run_in_parts([this](const Moment& from, const Observer& o) { return move(from, o); },
                        start_, care);
  }

  systems::BouncingBall ball_{.gravity = 9.81, .material = {.restitution = 0.7}};
  Moment start_{.time = 0.0, .state = {.position = Vector{{1.0}}, .velocity = Vector{{0.0}}}};
};

TEST_F(InParts, HaveTheBitsOfOneRun) {
  const simulation::Run whole = move(start_, {});
  int kept = 0;
  Care care;
  care.due = [] { return true; };
  RunStatus last = RunStatus::Interrupted;
  care.keep = [&](const simulation::Run& part) {
    EXPECT_EQ(last, RunStatus::Interrupted) << "nothing comes after the end";
    last = part.status;
    ++kept;
  };
  const simulation::Run parts = run(care);
  EXPECT_EQ(parts.status, RunStatus::Ok);
  EXPECT_GT(kept, 5);
  EXPECT_EQ(last, RunStatus::Ok);
  EXPECT_EQ(parts.end.state.position, whole.end.state.position);
  EXPECT_EQ(parts.end.state.velocity, whole.end.state.velocity);
  EXPECT_EQ(parts.steps, whole.steps);
  EXPECT_EQ(parts.energy.deviation, whole.energy.deviation);
}

TEST_F(InParts, AnObserverThatHasEnoughEndsThem) {
  int kept = 0;
  Care care;
  care.observer.event = [](const Event&) { return false; };
  care.due = [] { return true; };
  care.keep = [&](const simulation::Run&) { ++kept; };
  const simulation::Run ended = run(care);
  EXPECT_EQ(ended.status, RunStatus::Interrupted);
  EXPECT_EQ(ended.impacts, 1);
  EXPECT_GE(kept, 1);
}

// A disk that is full ends the run; where it has got to is kept before that is told.
TEST_F(InParts, AnObserverThatFailsIsHeardAfterTheRunIsKept) {
  Moment last;
  Care care;
  care.observer.event = [](const Event&) -> bool { throw std::runtime_error("full"); };
  care.keep = [&](const simulation::Run& part) { last = part.end; };
  EXPECT_THROW(run(care), std::runtime_error);
  ASSERT_TRUE(last.totals);
  EXPECT_EQ(last.totals->events, 1);
  EXPECT_EQ(move(last, {}).end.state.position, move(start_, {}).end.state.position);
}

}  // namespace
}  // namespace percute::simulation

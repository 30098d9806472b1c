// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
//
// When a base that shakes lets go of what stands on it: instants in closed form.
#include "simulation/fixed_steps.hpp"

#include <percute/laws/complementarity.hpp>
#include <percute/simulation/event_driven.hpp>
#include <percute/systems/ball_chain.hpp>
#include <percute/systems/planar_body.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <optional>

namespace percute::simulation {
namespace {

using systems::BeadColumn;
using systems::RockingBlock;

constexpr double kGravity = 9.81;

/// When contacts first end, if they do.
std::optional<double> lift_off(const systems::AnySystem& system, const State& state,
                               const AnyLaw& law, std::vector<int>& contacts) {
  std::optional<double> time;
  const EventDriven method{.tolerance = 1e-10, .run = {.duration = 1.0}};
  const Observer observer{.event = [&](const Event& event) {
    if (event.kind == EventKind::ContactEnds && !time) {
      time = event.time;
      contacts = event.contacts;
    }
    return true;
  }};
  EXPECT_EQ(method(system, {.state = state}, law, observer).status, RunStatus::Ok);
  return time;
}

TEST(MovingBase, ABlockLiftsACornerWhenTheFloorAcceleratesBeyondItsSlenderness) {
  // Housner (1963): a = g b/h, so t = start + asin(g b/(h A))/(2π f). Accelerating to the right,
  // the floor leaves the block behind: it turns about its left corner, and the right one (1) lifts.
  RockingBlock block{.width = 0.2,
                     .height = 0.8,
                     .material = {.restitution = 0.0, .friction = 0.8},
                     .gravity = kGravity};
  block.base.horizontal = {.acceleration = 3.0, .frequency = 2.0, .start = 0.1, .cycles = 1.0};
  std::vector<int> contacts;
  const auto time = lift_off(block, block.tilted(0.0), laws::Coulomb{}, contacts);
  ASSERT_TRUE(time.has_value());
  const double expected = 0.1 + std::asin(kGravity * 0.25 / 3.0) / (4.0 * std::numbers::pi);
  EXPECT_NEAR(*time, expected, 1e-9);  // where a force turns into a pull is found to rounding
  EXPECT_EQ(contacts, std::vector<int>{1});

  block.base.horizontal.acceleration = 2.4;  // below g b/h = 2.4525
  EXPECT_FALSE(lift_off(block, block.tilted(0.0), laws::Coulomb{}, contacts).has_value());
}

TEST(MovingBase, AColumnFliesWhenThePlateFallsFasterThanGravity) {
  // a = −g at 2π f t = π + asin(g/A).
  BeadColumn column{.beads = 3,
                    .mass = 0.01,
                    .gravity = kGravity,
                    .base = {.acceleration = 15.0, .frequency = 20.0}};
  std::vector<int> contacts;
  const auto time = lift_off(column, column.above(0.0), laws::Newton{}, contacts);
  ASSERT_TRUE(time.has_value());
  const double expected =
      (std::numbers::pi + std::asin(kGravity / 15.0)) / (40.0 * std::numbers::pi);
  EXPECT_NEAR(*time, expected, 1e-9);
  EXPECT_EQ(contacts.front(), 0);  // that with the plate

  column.base.acceleration = 9.8;
  EXPECT_FALSE(lift_off(column, column.above(0.0), laws::Newton{}, contacts).has_value());
}

TEST(MovingBase, APulseIsSeenHoweverLateItComes) {
  // A bead in free flight: nothing tells steps to become shorter before the pulse begins. It
  // changes the velocity by −∫ A sin = −A/(π f).
  BeadColumn bead{.beads = 1};
  bead.base = {.acceleration = 100.0, .frequency = 50.0, .start = 3.0, .cycles = 0.5};
  const EventDriven method{.run = {.duration = 4.0}};
  const auto run = method(bead, {.state = bead.above(5.0, -0.1)}, laws::Newton{});
  ASSERT_EQ(run.status, RunStatus::Ok);
  EXPECT_NEAR(run.end.state.velocity[0], -0.1 - 100.0 / (50.0 * std::numbers::pi), 1e-9);
}

TEST(MovingBase, TheFirstFlightDoesNotDependOnHowLongTheRunIs) {
  // At rest on the plate nothing moves relative to it, whatever the plate does.
  BeadColumn column{.beads = 4, .gravity = kGravity};
  column.base = {.acceleration = 15.0, .frequency = 20.0};
  double first[2] = {};
  const double durations[2] = {0.2, 2.0};
  for (int k = 0; k < 2; ++k) {
    const EventDriven method{.tolerance = 1e-9, .run = {.duration = durations[k]}};
    first[k] = method(column, {.state = column.above(0.0)}, laws::Newton{})
                   .first_impact_time.value_or(-1.0);
  }
  EXPECT_GT(first[0], 0.0);
  EXPECT_NEAR(first[0], first[1], 1e-8);
}

// A cycle of 50 ms, in eight parts of 6.25 ms: four steps in it are the least.
TEST(MovingBase, StepsThatDoNotSeeItAreTold) {
  BeadColumn column{.beads = 2, .mass = 1e-3, .radius = 1e-2, .gravity = 9.81};
  const systems::AnySystem still = column;
  EXPECT_EQ(unresolved_forces(still, 0.0, 1e3), "");
  column.base = {.acceleration = 15.0, .frequency = 20.0};
  const systems::AnySystem shaken = column;
  EXPECT_EQ(unresolved_forces(shaken, 0.0, 1.25e-2), "");
  EXPECT_EQ(unresolved_forces(shaken, 0.0, 0.1),
            "simulation.step: 0.1 s is too long for forces that change in time; 0.00625 s or less "
            "resolves them");
  // What begins within the first step is no reason for shorter ones.
  column.base = {.acceleration = 15.0, .frequency = 1.0, .start = 1e-4};
  EXPECT_EQ(unresolved_forces(column, 0.0, 1e-2), "");
}

}  // namespace
}  // namespace percute::simulation

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "systems_testing.hpp"

#include <percute/systems/ball_chain.hpp>

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace percute::systems {
namespace {

using testing::field_refused;
using testing::message_of;

BeadColumn three_beads() {
  return {.beads = 3,
          .mass = 0.5,
          .radius = 0.25,
          .material = {.restitution = 0.9, .stiffness = 7.0},
          .wall = {.restitution = 0.8, .stiffness = 10.0}};
}

TEST(BeadColumn, StandsOnTheWall) {
  const State state = three_beads().at_contact(2.0);
  EXPECT_EQ(state.position, Vector({{0.25, 0.75, 1.25}}));
  EXPECT_EQ(state.velocity, Vector({{-2.0, -2.0, -2.0}}));
}

TEST(BeadColumn, FallsFreely) {
  // v² = 2 g h, 3² for g = 10 and h = 0.45 up to rounding.
  const State state = three_beads().dropped_from(0.45, 10.0);
  EXPECT_NEAR(state.velocity[2], -3.0, 1e-15);
}

TEST(BeadColumn, GapRatesFromTheWallUp) {
  const BeadColumn column = three_beads();
  const ImpactProblem problem = column.impact(column.at_contact(Vector({{-1.0, -3.0, 4.0}})));
  EXPECT_NO_THROW(validate(problem));
  EXPECT_EQ(problem.gradients.transpose() * problem.velocity, Vector({{-1.0, -2.0, 7.0}}));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(problem.mass(i, i), 0.5);
}

TEST(BeadColumn, TheWallHasItsOwnMaterial) {
  const BeadColumn column = three_beads();
  const ImpactProblem problem = column.impact(column.at_contact(1.0));
  ASSERT_EQ(problem.contacts.size(), 3U);
  EXPECT_EQ(problem.contacts[0].material.stiffness, 10.0);
  EXPECT_EQ(problem.contacts[0].material.restitution, 0.8);
  for (const std::size_t i : {1U, 2U}) {
    EXPECT_EQ(problem.contacts[i].material.stiffness, 7.0);
    EXPECT_EQ(problem.contacts[i].material.restitution, 0.9);
  }
}

TEST(BeadColumn, ALiftedColumnTouchesNoWall) {
  const BeadColumn column = three_beads();
  State state = column.at_contact(1.0);
  state.position.array() += 1e-6;
  EXPECT_EQ(AnySystem(column).contact_names(state), (std::vector<std::string>{"1–2", "2–3"}));
  const ImpactProblem problem = column.impact(state);
  ASSERT_EQ(problem.contacts.size(), 2U);
  EXPECT_EQ(problem.contacts[0].material.stiffness, 7.0);
}

TEST(BeadColumn, ATallColumnKeepsAllItsContacts) {
  const BeadColumn column{.beads = 10'000, .radius = 0.0137};
  EXPECT_EQ(column.impact(column.at_contact(1.0)).contacts.size(), 10'000U);
}

TEST(BeadColumn, PartsHaveNames) {
  const BeadColumn column = three_beads();
  EXPECT_EQ(AnySystem(column).bodies()[0].name, "bead 1");
  EXPECT_EQ(AnySystem(column).bodies()[2].coordinates, std::vector<int>{2});
  EXPECT_EQ(AnySystem(column).contact_names(column.at_contact(1.0)),
            (std::vector<std::string>{"wall–1", "1–2", "2–3"}));
}

TEST(BeadColumn, RefusesWhatCannotBeBuilt) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto refused = [](auto change) {
    BeadColumn column = three_beads();
    change(column);
    return field_refused([&] { column.at_contact(1.0); });
  };
  EXPECT_EQ(refused([](auto& c) { c.beads = 0; }), "beads");
  EXPECT_EQ(refused([](auto& c) { c.beads = -1; }), "beads");
  EXPECT_EQ(refused([](auto& c) { c.mass = 0.0; }), "mass");
  EXPECT_EQ(refused([&](auto& c) { c.radius = nan; }), "radius");
  const BeadColumn column = three_beads();
  EXPECT_EQ(field_refused([&] { column.at_contact(-1.0); }), "speed");
  EXPECT_EQ(field_refused([&] { column.at_contact(nan); }), "speed");
  EXPECT_EQ(field_refused([&] { column.at_contact(Vector::Zero(2)); }), "velocity");
  EXPECT_EQ(field_refused([&] { column.dropped_from(0.0, 9.81); }), "height");
  EXPECT_EQ(field_refused([&] { column.dropped_from(1.0, -9.81); }), "gravity");
  State state = column.at_contact(1.0);
  state.position.conservativeResize(2);
  EXPECT_EQ(field_refused([&] { column.impact(state); }), "position");
  EXPECT_EQ(field_refused([&] { AnySystem(column).contact_names(state); }), "position");
  EXPECT_EQ(message_of([&] { column.at_contact(-1.0); }),
            "speed: -1 is not a finite number >= 0 (downwards)");
}

}  // namespace
}  // namespace percute::systems

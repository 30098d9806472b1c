// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "systems_testing.hpp"

#include <percute/systems/ball_chain.hpp>
#include <percute/systems/sphere_chain.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <string>

namespace percute::systems {
namespace {

using testing::field_refused;
using testing::message_of;

StackedBalls tennis_on_basketball() {
  return {.masses = {0.58, 0.058}, .radii = {0.38, 0.0325}, .pressures = {2.0e5, 1.0e5}};
}

TEST(StackedBalls, StandOnTheFloor) {
  const StackedBalls stack{.masses = {1.0, 2.0, 3.0}, .radii = {0.5, 0.25, 0.125}};
  const State state = stack.at_contact(2.0);
  EXPECT_EQ(state.position, Vector({{0.5, 1.25, 1.625}}));
  EXPECT_EQ(state.velocity, Vector({{-2.0, -2.0, -2.0}}));
}

TEST(StackedBalls, GapRatesFromTheFloorUp) {
  const StackedBalls stack{.masses = {1.0, 2.0, 3.0}, .radii = {0.5, 0.25, 0.125}};
  const ImpactProblem problem = stack.impact(stack.at_contact(Vector({{-1.0, -3.0, 4.0}})));
  EXPECT_NO_THROW(validate(problem));
  EXPECT_EQ(problem.gradients.transpose() * problem.velocity, Vector({{-1.0, -2.0, 7.0}}));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(problem.mass(i, i), i + 1.0);
}

TEST(StackedBalls, FallsFreely) {
  // v² = 2 g h, exactly 3² for g = 10 and h = 0.45 up to rounding.
  const State state = tennis_on_basketball().dropped_from(0.45, 10.0);
  EXPECT_NEAR(state.velocity[0], -3.0, 1e-15);
  EXPECT_EQ(state.velocity[0], state.velocity[1]);
}

TEST(StackedBalls, PressureMakesTheStiffness) {
  const StackedBalls stack = tennis_on_basketball();
  const ImpactProblem problem = stack.impact(stack.at_contact(1.0));
  // 2 π p R of the lower ball on the floor; both springs in series between the two.
  const double lower = 2.0 * std::numbers::pi * 2.0e5 * 0.38;
  const double upper = 2.0 * std::numbers::pi * 1.0e5 * 0.0325;
  EXPECT_DOUBLE_EQ(problem.contacts[0].material.stiffness, lower);
  EXPECT_DOUBLE_EQ(problem.contacts[1].material.stiffness, lower * upper / (lower + upper));
  for (const Contact& contact : problem.contacts) EXPECT_EQ(contact.material.exponent, 1.0);
  // Two equal balls are half as stiff as one.
  EXPECT_DOUBLE_EQ(stiffness_in_series(inflated_stiffness(3.0, 2.0), inflated_stiffness(3.0, 2.0)),
                   inflated_stiffness(3.0, 1.0));
}

TEST(StackedBalls, WithoutPressureTheMaterialSaysAll) {
  StackedBalls stack = tennis_on_basketball();
  stack.pressures.clear();
  stack.material = {.stiffness = 7.0, .exponent = 1.5};
  EXPECT_EQ(stack.impact(stack.at_contact(1.0)).contacts[1].material.stiffness, 7.0);
  EXPECT_EQ(stack.impact(stack.at_contact(1.0)).contacts[1].material.exponent, 1.5);
}

TEST(StackedBalls, EachContactHasItsRestitution) {
  StackedBalls stack = tennis_on_basketball();
  stack.materials = {{.restitution = 0.8}, {.restitution = 0.3}};
  const ImpactProblem problem = stack.impact(stack.at_contact(1.0));
  EXPECT_EQ(problem.contacts[0].material.restitution, 0.8);
  EXPECT_EQ(problem.contacts[1].material.restitution, 0.3);
}

TEST(StackedBalls, ALiftedBallTouchesNothing) {
  const StackedBalls stack = tennis_on_basketball();
  State state = stack.at_contact(1.0);
  state.position[1] += 1e-6;
  EXPECT_EQ(AnySystem(stack).contact_names(state), std::vector<std::string>{"1–floor"});
  state.position.array() += 1e-6;
  EXPECT_TRUE(stack.impact(state).contacts.empty());
}

TEST(StackedBalls, PartsHaveNames) {
  StackedBalls stack = tennis_on_basketball();
  const State state = stack.at_contact(1.0);
  EXPECT_EQ(AnySystem(stack).bodies()[0].name, "ball 1");
  EXPECT_EQ(AnySystem(stack).contact_names(state), (std::vector<std::string>{"1–floor", "1–2"}));
  stack.names = {"basketball", "tennis ball"};
  EXPECT_EQ(AnySystem(stack).contact_names(state),
            (std::vector<std::string>{"basketball–floor", "basketball–tennis ball"}));
}

TEST(StackedBalls, RefusesWhatCannotBeBuilt) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto refused = [](auto change) {
    StackedBalls stack = tennis_on_basketball();
    change(stack);
    return field_refused([&] { stack.at_contact(1.0); });
  };
  EXPECT_EQ(refused([](auto& s) { s.masses.clear(); }), "masses");
  EXPECT_EQ(refused([](auto& s) { s.masses[1] = 0.0; }), "masses[1]");
  EXPECT_EQ(refused([](auto& s) { s.radii.pop_back(); }), "radii");
  EXPECT_EQ(refused([&](auto& s) { s.radii[0] = nan; }), "radii[0]");
  EXPECT_EQ(refused([](auto& s) { s.pressures.pop_back(); }), "pressures");
  EXPECT_EQ(refused([](auto& s) { s.pressures[1] = -1.0; }), "pressures[1]");
  EXPECT_EQ(refused([](auto& s) { s.materials = {{}}; }), "materials");
  EXPECT_EQ(refused([](auto& s) { s.names = {"a", "a"}; }), "names[1]");
  const StackedBalls stack = tennis_on_basketball();
  EXPECT_EQ(field_refused([&] { stack.at_contact(-1.0); }), "speed");
  EXPECT_EQ(field_refused([&] { stack.at_contact(nan); }), "speed");
  EXPECT_EQ(field_refused([&] { stack.at_contact(Vector::Zero(3)); }), "velocity");
  EXPECT_EQ(field_refused([&] { stack.dropped_from(-1.0, 9.81); }), "height");
  EXPECT_EQ(field_refused([&] { stack.dropped_from(1.0, 0.0); }), "gravity");
  EXPECT_EQ(message_of([&] { stack.at_contact(-1.0); }),
            "speed: -1 is not a finite number >= 0 (downwards)");
}

TEST(Spheres, MassOfASolidBall) {
  // A litre of water, as a ball of radius (3/(4π))^(1/3) dm.
  EXPECT_NEAR(sphere_mass(1000.0, 0.1 * std::cbrt(3.0 / (4.0 * std::numbers::pi))), 1.0, 1e-14);
}

}  // namespace
}  // namespace percute::systems

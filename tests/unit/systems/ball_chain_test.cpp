// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include <percute/model/invalid_input.hpp>
#include <percute/systems/ball_chain.hpp>

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace percute::systems {
namespace {

// Field named by the InvalidInput that `action` throws; "nothing thrown" if it does not.
template <class Action>
std::string field_refused(Action action) {
  try {
    action();
  } catch (const InvalidInput& error) {
    return error.field();
  }
  return "nothing thrown";
}

TEST(BallChain, FirstBallStrikesTheOthersAtRest) {
  const BallChain chain{.balls = 3, .radius = 0.5};
  const State state = chain.at_contact(2.0);
  EXPECT_EQ(state.velocity, Vector({{2.0, 0.0, 0.0}}));
  EXPECT_EQ(state.position, Vector({{0.0, 1.0, 2.0}}));
}

TEST(BallChain, GapRatesAreDifferencesOfNeighbours) {
  const BallChain chain{.balls = 3, .mass = 0.2};
  const ImpactProblem problem = chain.impact(chain.at_contact(Vector({{5.0, 3.0, 2.0}})));
  const Vector gap_rates = problem.gradients.transpose() * problem.velocity;
  EXPECT_EQ(gap_rates, Vector({{-2.0, -1.0}}));
  EXPECT_EQ(problem.contacts.size(), 2U);
  EXPECT_NO_THROW(validate(problem));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(problem.mass(i, i), 0.2);
}

TEST(BallChain, WallStopsTheLastBall) {
  const BallChain chain{.balls = 2, .wall = true};
  ASSERT_EQ(chain.contacts(), 2);
  const ImpactProblem problem = chain.impact(chain.at_contact(Vector({{1.0, 1.0}})));
  const Vector gap_rates = problem.gradients.transpose() * problem.velocity;
  EXPECT_EQ(gap_rates, Vector({{0.0, -1.0}}));
}

TEST(BallChain, OneBallMayHitAWall) {
  const BallChain chain{.balls = 1, .wall = true};
  const ImpactProblem problem = chain.impact(chain.at_contact(3.0));
  ASSERT_EQ(problem.gradients.cols(), 1);
  EXPECT_EQ((problem.gradients.transpose() * problem.velocity)(0), -3.0);
}

TEST(BallChain, MassesAndMaterialsGoToTheirBallsAndContacts) {
  const BallChain chain{
      .balls = 3,
      .wall = true,
      .masses = {1.0, 2.0, 3.0},
      .materials = {{.stiffness = 10.0}, {.stiffness = 20.0}, {.stiffness = 30.0}}};
  const ImpactProblem problem = chain.impact(chain.at_contact(1.0));
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(problem.mass(i, i), i + 1.0);
    EXPECT_EQ(problem.contacts.at(i).material.stiffness, 10.0 * (i + 1));
  }
}

TEST(BallChain, BallsApartShareNoContact) {
  const BallChain chain{.balls = 4,
                        .radius = 0.01,
                        .materials = {{.stiffness = 1.0}, {.stiffness = 2.0}, {.stiffness = 3.0}}};
  State state = chain.at_contact(1.0);
  state.position.tail(2).array() += 1e-9;  // 1e-7 radii, a hundred times the limit
  const ImpactProblem problem = chain.impact(state);
  ASSERT_EQ(problem.contacts.size(), 2U);
  EXPECT_EQ(problem.contacts[0].material.stiffness, 1.0);
  EXPECT_EQ(problem.contacts[1].material.stiffness, 3.0);
  EXPECT_EQ(problem.gradients.coeff(2, 1), -1.0);
  EXPECT_EQ(problem.gradients.coeff(3, 1), 1.0);
}

TEST(BallChain, ALongTouchingChainKeepsAllItsContacts) {
  // Rounding of positions grows along the chain; it must stay below the limit of touching.
  const BallChain chain{.balls = 10'000, .radius = 0.0137, .wall = true};
  EXPECT_EQ(chain.impact(chain.at_contact(1.0)).contacts.size(), 10'000U);
}

TEST(BallChain, RefusesWhatCannotBeBuilt) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(field_refused([] { BallChain{.balls = 0}.at_contact(1.0); }), "balls");
  EXPECT_EQ(field_refused([] { BallChain{.balls = -3}.at_contact(1.0); }), "balls");
  EXPECT_EQ(field_refused([] { BallChain{.mass = 0.0}.at_contact(1.0); }), "mass");
  EXPECT_EQ(field_refused([&] { BallChain{.mass = nan}.at_contact(1.0); }), "mass");
  EXPECT_EQ(field_refused([] { BallChain{.radius = -1.0}.at_contact(1.0); }), "radius");
  EXPECT_EQ(field_refused([] { BallChain{.masses = {1.0}}.at_contact(1.0); }), "masses");
  EXPECT_EQ(field_refused([] { BallChain{.masses = {1.0, -2.0}}.at_contact(1.0); }), "masses[1]");
  EXPECT_EQ(field_refused([] { BallChain{.materials = {{}, {}}}.at_contact(1.0); }), "materials");
  EXPECT_EQ(field_refused([&] { BallChain{}.at_contact(nan); }), "velocity[0]");
  EXPECT_EQ(field_refused([] { BallChain{}.at_contact(Vector::Zero(3)); }), "velocity");
}

TEST(BallChain, RefusesAStateOfAnotherSize) {
  const BallChain chain{.balls = 3};
  State state = chain.at_contact(1.0);
  state.position.conservativeResize(2);
  EXPECT_EQ(field_refused([&] { chain.impact(state); }), "position");
}

TEST(BallChain, MessagesNameTheValue) {
  try {
    BallChain{.radius = -1.0}.at_contact(1.0);
    FAIL() << "a negative radius was accepted";
  } catch (const InvalidInput& error) {
    EXPECT_STREQ(error.what(), "radius: -1 is not a finite number > 0");
  }
}

}  // namespace
}  // namespace percute::systems

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
using Wall = BallChain::Wall;

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
  const BallChain chain{.balls = 2, .wall = Wall::Right};
  ASSERT_EQ(chain.contacts(), 2);
  const ImpactProblem problem = chain.impact(chain.at_contact(Vector({{1.0, 1.0}})));
  const Vector gap_rates = problem.gradients.transpose() * problem.velocity;
  EXPECT_EQ(gap_rates, Vector({{0.0, -1.0}}));
}

TEST(BallChain, OneBallMayHitAWall) {
  const BallChain chain{.balls = 1, .wall = Wall::Right};
  const ImpactProblem problem = chain.impact(chain.at_contact(3.0));
  ASSERT_EQ(problem.gradients.cols(), 1);
  EXPECT_EQ((problem.gradients.transpose() * problem.velocity)(0), -3.0);
}

TEST(BallChain, SeveralBallsMayStrike) {
  const BallChain chain{.balls = 4};
  EXPECT_EQ(chain.at_contact(2.0, 3).velocity, Vector({{2.0, 2.0, 2.0, 0.0}}));
  // The strikers touch each other: those contacts belong to the problem, with gap rate 0.
  const ImpactProblem problem = chain.impact(chain.at_contact(2.0, 3));
  EXPECT_EQ(problem.gradients.transpose() * problem.velocity, Vector({{0.0, 0.0, -2.0}}));
}

TEST(BallChain, BothEndsMayBeStruck) {
  const BallChain chain{.balls = 5};
  EXPECT_EQ(chain.struck_at_both_ends(2.0).velocity, Vector({{2.0, 0.0, 0.0, 0.0, -2.0}}));
  EXPECT_EQ(chain.struck_at_both_ends(2.0, 2).velocity, Vector({{2.0, 2.0, 0.0, -2.0, -2.0}}));
  EXPECT_EQ(message_of([&] { chain.struck_at_both_ends(2.0, 3); }),
            "strikers: 3 at each end is not from 1 to 2, half of 5 balls");
  EXPECT_EQ(field_refused([] { BallChain{.balls = 1}.struck_at_both_ends(1.0); }), "strikers");
}

TEST(BallChain, TheStrikerMayBeHeavy) {
  const BallChain chain = with_striker_mass({.balls = 3, .mass = 2.0}, 7.0);
  EXPECT_EQ(chain.masses, (std::vector<double>{7.0, 2.0, 2.0}));
  EXPECT_EQ(with_striker_mass(chain, 1.0).masses, (std::vector<double>{1.0, 2.0, 2.0}));
  EXPECT_EQ(field_refused([&] { with_striker_mass(chain, 0.0); }), "striker_mass");
  EXPECT_EQ(field_refused([] { with_striker_mass({.balls = 0}, 1.0); }), "balls");
}

TEST(BallChain, RadiiSetTheDistances) {
  const BallChain chain{.balls = 3, .radii = {1.0, 2.0, 0.5}};
  const State state = chain.at_contact(1.0);
  EXPECT_EQ(state.position, Vector({{0.0, 3.0, 5.5}}));
  EXPECT_EQ(chain.impact(state).contacts.size(), 2U);
}

TEST(BallChain, WallsMayStandAtEitherEnd) {
  const auto gap_rates = [](Wall wall) -> Vector {
    const BallChain chain{.balls = 2, .wall = wall};
    const ImpactProblem problem = chain.impact(chain.at_contact(Vector({{-3.0, 1.0}})));
    return problem.gradients.transpose() * problem.velocity;
  };
  // The wall on the left is left behind by a ball that moves to the right: gap rate +v.
  EXPECT_EQ(gap_rates(Wall::None), Vector({{4.0}}));
  EXPECT_EQ(gap_rates(Wall::Left), Vector({{-3.0, 4.0}}));
  EXPECT_EQ(gap_rates(Wall::Right), Vector({{4.0, -1.0}}));
  EXPECT_EQ(gap_rates(Wall::Both), Vector({{-3.0, 4.0, -1.0}}));
}

TEST(BallChain, WallsStandStill) {
  // A chain that has moved away from a wall does not touch it.
  const BallChain chain{.balls = 2, .wall = Wall::Both, .radii = {0.3, 0.2}};
  State state = chain.at_contact(1.0);
  state.position.array() += 1e-3;
  EXPECT_EQ(AnySystem(chain).contact_names(state), (std::vector<std::string>{"1–2", "2–wall"}));
  state.position.array() -= 2e-3;
  EXPECT_EQ(AnySystem(chain).contact_names(state), (std::vector<std::string>{"wall–1", "1–2"}));
}

TEST(BallChain, PartsHaveNames) {
  BallChain chain{.balls = 2, .wall = Wall::Both};
  const State state = chain.at_contact(1.0);
  ASSERT_EQ(AnySystem(chain).bodies().size(), 2U);
  EXPECT_EQ(AnySystem(chain).bodies()[1].name, "ball 2");
  EXPECT_EQ(AnySystem(chain).bodies()[1].coordinates, std::vector<int>{1});
  EXPECT_EQ(AnySystem(chain).contact_names(state),
            (std::vector<std::string>{"wall–1", "1–2", "2–wall"}));
  chain.names = {"hammer", "ball 7"};
  EXPECT_EQ(AnySystem(chain).bodies()[0].name, "hammer");
  EXPECT_EQ(AnySystem(chain).contact_names(state),
            (std::vector<std::string>{"wall–hammer", "hammer–7", "7–wall"}));
}

TEST(BallChain, MirroredChainsHaveMirroredProblems) {
  // x → −x: the order of balls and contacts turns round, velocities change sign, gap rates do not.
  const BallChain chain{.balls = 3, .wall = Wall::Left, .masses = {1.0, 2.0, 3.0}};
  const BallChain mirrored{.balls = 3, .wall = Wall::Right, .masses = {3.0, 2.0, 1.0}};
  const Vector v{{-1.0, 0.5, -2.0}};
  const ImpactProblem one = chain.impact(chain.at_contact(v));
  const ImpactProblem other = mirrored.impact(mirrored.at_contact(Vector(-v.reverse())));
  const Vector U = one.gradients.transpose() * one.velocity;
  const Vector U_mirrored = other.gradients.transpose() * other.velocity;
  EXPECT_EQ(U, U_mirrored.reverse());
  const Matrix G = one.mass.delassus(one.gradients);
  const Matrix G_mirrored = other.mass.delassus(other.gradients);
  EXPECT_TRUE(G.isApprox(G_mirrored.reverse(), 1e-15));  // the same sums in another order
}

TEST(BallChain, MassesAndMaterialsGoToTheirBallsAndContacts) {
  const BallChain chain{
      .balls = 3,
      .wall = Wall::Right,
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
  const BallChain chain{.balls = 10'000, .radius = 0.0137, .wall = Wall::Right};
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
  EXPECT_EQ(field_refused([] { BallChain{.radii = {1.0}}.at_contact(1.0); }), "radii");
  EXPECT_EQ(field_refused([] { BallChain{.radii = {1.0, 0.0}}.at_contact(1.0); }), "radii[1]");
  EXPECT_EQ(field_refused([] { AnySystem(BallChain{.names = {"a"}}).bodies(); }), "names");
  EXPECT_EQ(field_refused([] { AnySystem(BallChain{.names = {"a", ""}}).bodies(); }), "names[1]");
  EXPECT_EQ(field_refused([] { AnySystem(BallChain{.names = {"a", "a"}}).bodies(); }), "names[1]");
  EXPECT_EQ(field_refused([] { BallChain{}.at_contact(1.0, 0); }), "strikers");
  EXPECT_EQ(field_refused([] { BallChain{}.at_contact(1.0, 3); }), "strikers");
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
  EXPECT_EQ(message_of([] { BallChain{.radius = -1.0}.at_contact(1.0); }),
            "radius: -1 is not a finite number > 0");
  EXPECT_EQ(message_of([] { BallChain{}.at_contact(1.0, 3); }),
            "strikers: 3 is not from 1 to 2, the number of balls");
}

}  // namespace
}  // namespace percute::systems

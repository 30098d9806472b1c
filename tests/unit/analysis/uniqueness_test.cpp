// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include <percute/analysis/uniqueness.hpp>
#include <percute/model/invalid_input.hpp>
#include <percute/systems/ball_chain.hpp>
#include <percute/systems/planar_body.hpp>

#include <Eigen/LU>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace percute::analysis {
namespace {

ImpactProblem two_against_one(double restitution) {
  const systems::BallChain chain{.balls = 3, .material = {.restitution = restitution}};
  return chain.impact(chain.at_contact(Vector(Eigen::Vector3d(1.0, 0.0, -1.0))));
}

bool found(const DistinctOutcomes& outcomes, const Vector& velocity) {
  for (const Vector& v : outcomes.velocities) {
    if ((v - velocity).cwiseAbs().maxCoeff() < 1e-12) return true;
  }
  return false;
}

TEST(Uniqueness, TheOrderOfCollisionsMatters) {
  // Either contact may collide first, and afterwards there is no choice.
  const DistinctOutcomes outcomes = over_orders(two_against_one(0.5));
  EXPECT_TRUE(outcomes.complete);
  EXPECT_EQ(outcomes.failed, 0);
  ASSERT_EQ(outcomes.velocities.size(), 2U);
  EXPECT_TRUE(found(outcomes, Eigen::Vector3d(-0.359375, 0.046875, 0.3125)));
  EXPECT_TRUE(found(outcomes, Eigen::Vector3d(-0.3125, -0.046875, 0.359375)));
  EXPECT_NEAR(outcomes.spread, 2.0 * 0.046875, 1e-15);
  EXPECT_FALSE(outcomes.unique());
}

TEST(Uniqueness, ElasticEqualBallsDoNotMindTheOrder) {
  // π/θ = 3 is an integer.
  const DistinctOutcomes outcomes = over_orders(two_against_one(1.0));
  EXPECT_TRUE(outcomes.unique());
  EXPECT_TRUE(found(outcomes, Eigen::Vector3d(-1.0, 0.0, 1.0)));
  EXPECT_EQ(outcomes.spread, 0.0);
  EXPECT_EQ(outcomes.counts.front(), outcomes.tried);
  EXPECT_GT(outcomes.tried, 1);
}

TEST(Uniqueness, FindsOrdersThatNoSimplePolicyTakes) {
  const systems::BallChain chain{.balls = 5, .material = {.restitution = 0.6}};
  Vector v(5);
  v << 2.0, 1.0, 0.3, -1.0, -2.5;
  const ImpactProblem problem = chain.impact(chain.at_contact(v));
  const DistinctOutcomes outcomes = over_orders(problem, {}, 2000);
  EXPECT_GT(outcomes.velocities.size(), 3U);
  using Order = laws::Binary::Order;
  const auto with = [&](Order order) { return resolve(problem, laws::Binary{.order = order}); };
  // The first sequence tried is always the smallest index first.
  EXPECT_EQ(outcomes.velocities.front(), with(Order::LeftRight).velocity);
  EXPECT_GE(
      outcomes.spread,
      (with(Order::LeftRight).velocity - with(Order::RightLeft).velocity).cwiseAbs().maxCoeff() *
          0.1);
}

TEST(Uniqueness, StopsAtTheLimit) {
  const DistinctOutcomes outcomes = over_orders(two_against_one(0.5), {}, 1);
  EXPECT_FALSE(outcomes.complete);
  EXPECT_EQ(outcomes.tried, 1);
}

/// Two frictional contacts with three solutions of Coulomb's law: M = I, U⁻ = (−1, −1, 0, −1).
ImpactProblem three_solutions() {
  Matrix H(4, 4);  // columns n1, n2, t1, t2
  H << -1.0, 2.0, -1.0, -2.0, 1.0, 0.0, 2.0, 2.0, -2.0, 1.0, -2.0, -1.0, 0.0, 1.0, -1.0, -2.0;
  ImpactProblem problem;
  problem.mass = MassMatrix::diagonal(Vector::Ones(4));
  problem.gradients = Matrix(H.leftCols(2)).sparseView();
  problem.velocity = H.transpose().partialPivLu().solve(Eigen::Vector4d(-1.0, -1.0, 0.0, -1.0));
  problem.contacts.assign(2, {.material = {.restitution = 0.0, .friction = 1.0}});
  set_tangents(problem, {H.col(2), H.col(3)});
  return problem;
}

TEST(Uniqueness, CoulombFrictionMayHaveThreeAnswers) {
  const ImpactProblem problem = three_solutions();
  const laws::Coulomb law{.tangential = 0.0};
  const DistinctOutcomes outcomes = over_modes(problem, law);
  EXPECT_TRUE(outcomes.complete);
  ASSERT_EQ(outcomes.velocities.size(), 3U);
  // Each is an outcome by its sliding velocities (0, −23/9), (22/13, 0), (1, −1).
  Matrix T(4, 2);
  T << Matrix(tangents_of(problem, 0)), Matrix(tangents_of(problem, 1));
  for (const Eigen::Vector2d& sliding :
       {Eigen::Vector2d(0.0, -23.0 / 9.0), Eigen::Vector2d(22.0 / 13.0, 0.0),
        Eigen::Vector2d(1.0, -1.0)}) {
    int hits = 0;
    for (const Vector& v : outcomes.velocities) {
      hits += (T.transpose() * v - sliding).cwiseAbs().maxCoeff() < 1e-9 ? 1 : 0;
    }
    EXPECT_EQ(hits, 1) << sliding.transpose();
  }
  // The law picks one of them, and iterating from elsewhere never finds a fourth.
  EXPECT_TRUE([&] {
    const Vector v = resolve(problem, law).velocity;
    for (const Vector& known : outcomes.velocities) {
      if ((known - v).cwiseAbs().maxCoeff() < 1e-9) return true;
    }
    return false;
  }());
  const DistinctOutcomes starts = over_starting_points(problem, law, 50);
  EXPECT_GE(starts.velocities.size(), 1U);
  EXPECT_LE(starts.velocities.size(), 3U);
  EXPECT_EQ(starts.tried + starts.failed, 51);
}

TEST(Uniqueness, OneContactHasOneAnswer) {
  const systems::VGroove groove{.material = {.restitution = 0.5, .friction = 0.3}};
  const ImpactProblem problem = groove.impact(groove.at_contact({0.3, -1.0}));
  EXPECT_TRUE(over_modes(problem).unique());
  EXPECT_TRUE(over_starting_points(problem, {}, 20).unique());
}

TEST(Uniqueness, TooManyModesAreRefused) {
  const systems::BallChain chain{.balls = 14};  // 2^13 combinations of open and closed
  EXPECT_THROW(over_modes(chain.impact(chain.at_contact(1.0))), InvalidInput);
}

}  // namespace
}  // namespace percute::analysis

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include <percute/percute.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

// The two rules of re-engagement, and what a result tells about how far they are apart.

namespace percute::laws {

namespace {

using Rule = Lzb::Reengagement;

constexpr double kTolerance = 1e-11;
/// Velocities of about 1 m/s computed twice, each to 100 tolerances.
constexpr double kError = 200.0 * kTolerance;

/// Three equal balls in a row with linear, elastic contacts: 1–2 hard, 2–3 softer by `ratio`.
ImpactProblem soft_beside_hard(double ratio, const Vector& velocity = Vector{{1.0, 0.3, -0.5}}) {
  const systems::BallChain balls{.balls = 3, .material = {.exponent = 1.0}};
  ImpactProblem problem = balls.impact(balls.at_contact(1.0));
  problem.velocity = velocity;
  problem.contacts[1].material.stiffness = ratio * problem.contacts[0].material.stiffness;
  return problem;
}

ImpactResult outcome(const ImpactProblem& problem, Rule rule, bool verify = false) {
  return resolve(problem, Lzb{.reengagement = rule, .tolerance = kTolerance, .verify = verify});
}

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// The difference that a result tells; equal to nothing if it tells none.
double told(const ImpactResult& result) {
  return result.diagnostics.reengagement_difference.value_or(kNone);
}

double largest(const Vector& v) {
  return v.cwiseAbs().maxCoeff();
}

/// tracked_gap as 2–3 gets infinitely soft. Hard contacts exchange velocities at once: ball 1 goes
/// on with 0.3, ball 2 with 1 against ball 3 with −0.5. Time is counted in 1/ω of balls 2 and 3 on
/// their spring, which move about their centre (0.25) with v = 0.25 ± 0.75 cos s. Ball 2 meets
/// ball 1 where 0.25 s + 0.75 sin s = 0.3 s, takes over its velocity, and what is left in the
/// spring drives balls 2 and 3 apart.
Vector tracked_limit() {
  double s = 2.9;
  for (int k = 0; k < 60; ++k) s = std::numbers::pi - std::asin(s / 15.0);
  const double v1 = 0.25 + 0.75 * std::cos(s);
  const double v3 = 0.25 - 0.75 * std::cos(s);
  const double apart = std::hypot(0.3 - v3, 1.5 * std::sin(s));
  const double centre = 0.5 * (0.3 + v3);
  return Vector{{v1, centre - 0.5 * apart, centre + 0.5 * apart}};
}

}  // namespace

// zero_gap: balls 1 and 2 touch again as soon as they are equally fast and go on as one body of
// twice the mass. Momentum 0.8 and energy 0.67 then leave (−1/6, −1/6, 17/15).
TEST(LzbReengagement, ASoftContactBesideAHardOneHasTwoLimits) {
  const Vector together{{-1.0 / 6.0, -1.0 / 6.0, 17.0 / 15.0}};
  const Vector apart = tracked_limit();
  double zero_before = 1.0;
  double tracked_before = 1.0;
  for (const double ratio : {1e-2, 1e-4, 1e-6}) {
    const ImpactProblem problem = soft_beside_hard(ratio);
    const double zero = largest(outcome(problem, Rule::ZeroGap).velocity - together);
    const double tracked = largest(outcome(problem, Rule::TrackedGap).velocity - apart);
    // The hard collision lasts √ratio times as long as the soft one: a tenth per line; half of that
    // gain leaves room for the phase in which the soft contact finds the hard one.
    EXPECT_LT(zero, 0.2 * zero_before) << ratio;
    EXPECT_LT(tracked, 0.2 * tracked_before) << ratio;
    zero_before = zero;
    tracked_before = tracked;
  }
  EXPECT_LT(tracked_before, 1e-3);
  // And the two limits are not one.
  EXPECT_GT(largest(together - apart), 0.4);
}

TEST(LzbReengagement, SpringsTrackTheirGaps) {
  const ImpactProblem problem = soft_beside_hard(1e-4);
  const ImpactResult tracked = outcome(problem, Rule::TrackedGap);
  const ImpactResult springs =
      resolve(problem, Compliant{.force = Compliant::Force::Linear, .tolerance = kTolerance});
  EXPECT_LT(largest(tracked.velocity - springs.velocity), kError);
}

TEST(LzbReengagement, TheDifferenceIsTheSameFromBothSides) {
  const ImpactProblem problem = soft_beside_hard(1e-4);
  const ImpactResult zero = outcome(problem, Rule::ZeroGap, true);
  const ImpactResult tracked = outcome(problem, Rule::TrackedGap, true);
  const double change = largest(zero.velocity - tracked.velocity);
  // The largest speed before is 1 m/s, and equal runs have equal bits.
  EXPECT_EQ(told(zero), change);
  EXPECT_EQ(told(tracked), change);
  EXPECT_NEAR(change, 0.4345, 1e-4);
}

TEST(LzbReengagement, ItIsTriedWhenAskedFor) {
  const ImpactProblem problem = soft_beside_hard(1e-4);
  const Lzb law{.tolerance = kTolerance};
  const ImpactResult plain = resolve(problem, law);
  EXPECT_FALSE(plain.diagnostics.reengagement_difference);
  const auto other = other_reengagement(problem, law, plain);
  ASSERT_TRUE(other);
  EXPECT_EQ(other->rule, Rule::TrackedGap);
  EXPECT_EQ(other->status, Status::Ok);
  EXPECT_EQ(other->velocity, outcome(problem, Rule::TrackedGap).velocity);
  EXPECT_EQ(other->difference.value_or(kNone), largest(plain.velocity - other->velocity));
  // Asking changes nothing else.
  const ImpactResult verified = outcome(problem, Rule::ZeroGap, true);
  EXPECT_EQ(verified.velocity, plain.velocity);
  EXPECT_EQ(told(verified), other->difference.value_or(kNone));
}

TEST(LzbReengagement, ItHasNoUnits) {
  const ImpactProblem problem = soft_beside_hard(1e-4);
  ImpactProblem scaled = problem;
  scaled.velocity *= 1e-3;
  scaled.mass = MassMatrix::diagonal(Vector::Constant(3, 25.0));
  for (Contact& contact : scaled.contacts) contact.material.stiffness *= 1e6;
  EXPECT_NEAR(told(outcome(problem, Rule::ZeroGap, true)),
              told(outcome(scaled, Rule::ZeroGap, true)), kError);
}

TEST(LzbReengagement, WithoutReengagementTheRuleIsKnownToPlayNoPart) {
  const systems::BallChain cradle{.balls = 5};
  const ImpactProblem problem = cradle.impact(cradle.at_contact(1.0));
  const ImpactResult zero = outcome(problem, Rule::ZeroGap);
  EXPECT_EQ(told(zero), 0.0);
  EXPECT_FALSE(other_reengagement(problem, Lzb{.tolerance = kTolerance}, zero));
  // Two runs of the same equations, but for rounding.
  EXPECT_LT(largest(zero.velocity - outcome(problem, Rule::TrackedGap).velocity), 1e-12);
  // A gap may be approached and left again without any trace, so tracked_gap has to look.
  EXPECT_FALSE(outcome(problem, Rule::TrackedGap).diagnostics.reengagement_difference);
  EXPECT_EQ(told(outcome(problem, Rule::TrackedGap, true)), 0.0);
}

TEST(LzbReengagement, OneContactAndNoImpactHaveNoUseForARule) {
  const systems::BallChain pair{.balls = 2};
  for (const Rule rule : {Rule::ZeroGap, Rule::TrackedGap}) {
    for (const double speed : {1.0, -1.0}) {
      const ImpactResult result = outcome(pair.impact(pair.at_contact(speed)), rule);
      EXPECT_EQ(result.diagnostics.reengagement_difference, 0.0) << speed;
    }
  }
}

// Ball 3 moves off before ball 2 is struck: its contact is loaded once only, and yet by the rule.
TEST(LzbReengagement, AContactThatSeparatedBeforeReengages) {
  const ImpactProblem problem = soft_beside_hard(1.0, Vector{{1.0, 0.0, 0.1}});
  const ImpactResult result = outcome(problem, Rule::ZeroGap);
  EXPECT_EQ(result.diagnostics.contacts[1].impacts, 1);
  EXPECT_FALSE(result.diagnostics.reengagement_difference);
  EXPECT_GT(told(outcome(problem, Rule::ZeroGap, true)), 1e-3);
}

TEST(LzbReengagement, WithNothingMovingBeforeSpeedsAfterAreTheMeasure) {
  ImpactProblem problem = soft_beside_hard(1e-4, Vector::Zero(3));
  problem.contacts[0].stored_energy = 0.02;
  problem.contacts[1].stored_energy = 0.5;
  const ImpactResult zero = outcome(problem, Rule::ZeroGap, true);
  const ImpactResult tracked = outcome(problem, Rule::TrackedGap);
  const double change = largest(zero.velocity - tracked.velocity);
  EXPECT_GT(change, 1e-2);
  EXPECT_EQ(told(zero), change / largest(zero.velocity));
}

// Point masses that also move sideways and rub: friction changes the sideways velocities only, so
// the normal ones, and the largest difference, are those of the balls in a row.
TEST(LzbReengagement, FrictionAcrossTheRowLeavesTheDifference) {
  const ImpactProblem row = soft_beside_hard(1e-4);
  ImpactProblem problem;
  problem.mass = MassMatrix::diagonal(Vector::Ones(6));
  problem.velocity = Vector{{1.0, 0.3, -0.5, 0.02, -0.03, 0.01}};
  Matrix W = Matrix::Zero(6, 2);
  W.topRows(3) = Matrix(row.gradients);
  problem.gradients = W.sparseView();
  problem.contacts = row.contacts;
  std::vector<Matrix> tangents;
  for (int i = 0; i < 2; ++i) {
    Matrix tangent = Matrix::Zero(6, 1);
    tangent(3 + i, 0) = -1.0;
    tangent(4 + i, 0) = 1.0;
    tangents.push_back(tangent);
    problem.contacts[static_cast<std::size_t>(i)].material.friction = 0.3;
  }
  set_tangents(problem, tangents);
  const ImpactResult rubbing = outcome(problem, Rule::ZeroGap, true);
  ASSERT_TRUE(rubbing.ok());
  EXPECT_GT(largest(rubbing.dissipated_by_friction), 0.0);
  EXPECT_NEAR(told(rubbing), told(outcome(row, Rule::ZeroGap, true)), kError);
  // Struck in one direction, nothing meets again, with friction as without.
  problem.velocity.head(3) = Vector{{1.0, 0.0, 0.0}};
  problem.contacts[1].material.stiffness = problem.contacts[0].material.stiffness;
  EXPECT_EQ(told(outcome(problem, Rule::ZeroGap)), 0.0);
}

TEST(LzbReengagement, WhatIsNoAnswerHasNoDifference) {
  const ImpactProblem problem = soft_beside_hard(1e-4);
  const Lzb cut{.tolerance = kTolerance, .max_events = 20};
  const ImpactResult result = resolve(problem, cut);
  ASSERT_EQ(result.status, Status::NotTerminated);
  EXPECT_FALSE(result.diagnostics.reengagement_difference);
  EXPECT_FALSE(other_reengagement(problem, cut, result));
  // tracked_gap is over after nine events, zero_gap is not: tried, without an answer.
  const Lzb tracked{.reengagement = Rule::TrackedGap, .tolerance = kTolerance, .max_events = 20};
  const ImpactResult over = resolve(problem, tracked);
  ASSERT_EQ(over.status, Status::Ok);
  const auto other = other_reengagement(problem, tracked, over);
  ASSERT_TRUE(other);
  EXPECT_EQ(other->status, Status::NotTerminated);
  EXPECT_FALSE(other->difference);
  // The papers' scheme knows one rule.
  const Lzb euler{.integrator = Lzb::Integrator::EulerImpulse};
  EXPECT_FALSE(other_reengagement(problem, euler, resolve(problem, euler)));
}

}  // namespace percute::laws

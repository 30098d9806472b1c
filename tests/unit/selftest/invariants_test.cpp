// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "selftest/invariances.hpp"

#include <percute/systems/ball_chain.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace percute::selftest {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Three balls; what a correct run gives, to be spoilt.
class Invariants : public ::testing::Test {
 protected:
  std::vector<std::string> violated() const {
    std::vector<std::string> names;
    for (const Check& check : check_result(problem, law, result)) {
      if (!check.holds()) names.push_back(check.name);
    }
    return names;
  }

  systems::BallChain chain{.balls = 3};
  ImpactProblem problem = chain.impact(chain.at_contact(1.0));
  laws::Lzb law;
  ImpactResult result = resolve(problem, law);
};

TEST_F(Invariants, HoldForACorrectRun) {
  EXPECT_THAT(violated(), IsEmpty());
}

TEST_F(Invariants, SeeLostMomentum) {
  result.velocity[0] += 1e-8;
  EXPECT_THAT(violated(), ElementsAre("momentum"));
}

TEST_F(Invariants, SeeCreatedEnergy) {
  // Momentum is right, but the last contact pushed too hard.
  result.impulse[1] *= 1.001;
  result.velocity =
      problem.velocity + problem.mass.solve(Vector(problem.gradients * result.impulse));
  complete(problem, result);
  EXPECT_THAT(violated(), ElementsAre("energy", "ledger", "elastic"));
}

TEST_F(Invariants, SeePullAndNegativeLoss) {
  result.impulse[0] = -1e-14;
  result.dissipated[1] = -1e-6;
  EXPECT_THAT(violated(), ::testing::IsSupersetOf({"dissipation", "push"}));
}

TEST_F(Invariants, SeeBodiesThatStillApproach) {
  result.gap_rate[1] = -1e-8;
  EXPECT_THAT(violated(), ElementsAre("separation"));
}

TEST_F(Invariants, SeeEnergyLeftBehind) {
  result.energy.stored = 1e-6;
  EXPECT_THAT(violated(), ElementsAre("spent"));
}

TEST_F(Invariants, SeeNumbersThatAreNone) {
  result.velocity[2] = std::nan("");
  EXPECT_THAT(violated(), ::testing::Contains("finite"));
}

TEST_F(Invariants, SeeAStatusWithoutReason) {
  result.status = Status::NoImpact;
  EXPECT_THAT(violated(), ElementsAre("no_impact", "unchanged"));
  result.status = Status::Zeno;
  EXPECT_THAT(violated(), ElementsAre("status"));
  result.status = Status::NotTerminated;
  EXPECT_THAT(violated(), ElementsAre("status"));
  result.status = Status::StepUnderflow;
  EXPECT_THAT(violated(), ElementsAre("status"));
}

TEST_F(Invariants, SeeAWrongRestitution) {
  const systems::BallChain two{.balls = 2, .material = {.restitution = 0.5}};
  problem = two.impact(two.at_contact(1.0));
  result = resolve(problem, law);
  EXPECT_THAT(violated(), IsEmpty());
  result.gap_rate[0] += 1e-5;
  EXPECT_THAT(violated(), ElementsAre("restitution"));
}

TEST_F(Invariants, GuisesOfAnImpactAgree) {
  const RandomProblem random{.problem = problem, .law = law, .translation = Vector::Ones(3)};
  laws::LzbWorkspace workspace;
  const InvarianceReport report = check_invariances(random, result, workspace);
  std::vector<std::string> names;
  for (const Check& check : report.checks) {
    names.push_back(check.name);
    EXPECT_TRUE(check.holds()) << check.name << " " << check.value;
  }
  EXPECT_THAT(names,
              ElementsAre("reuse", "tighter", "contacts", "bodies", "shift", "units", "halves"));
  EXPECT_EQ(report.amplification, 1.0);
}

TEST_F(Invariants, GuisesShowAWrongOutcome) {
  const RandomProblem random{.problem = problem, .law = law};
  laws::LzbWorkspace workspace;
  result.velocity[0] += 1e-5;  // fifty times what two runs may differ by
  for (const Check& check : check_invariances(random, result, workspace).checks) {
    EXPECT_FALSE(check.holds()) << check.name;
  }
}

TEST_F(Invariants, AmplificationIsMildForThreeBalls) {
  // v⁺ is a smooth function of v⁻ here; its derivatives are of order one.
  const double factor = amplification(problem, law);
  EXPECT_GE(factor, 1.0);
  EXPECT_LT(factor, 5.0);
}

TEST_F(Invariants, FingerprintSeesASingleBit) {
  const std::uint64_t before = fingerprint(result);
  result.impulse[1] = std::nextafter(result.impulse[1], 2.0);
  EXPECT_NE(fingerprint(result), before);
}

}  // namespace
}  // namespace percute::selftest

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include <percute/analysis/termination.hpp>
#include <percute/laws/complementarity.hpp>
#include <percute/laws/lzb.hpp>
#include <percute/laws/sequences.hpp>
#include <percute/systems/ball_chain.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace percute::analysis {
namespace {

using Diagnosis = Termination::Diagnosis;

ImpactProblem three_balls(double restitution) {
  const systems::BallChain chain{.balls = 3, .material = {.restitution = restitution}};
  return chain.impact(chain.at_contact(1.0));
}

/// Two collisions, one at each contact, as a linear map of the gap rates: with a = (1 + e)/2 its
/// trace is a² − 2e and its determinant e².
double contraction_of_three_balls(double e) {
  const double trace = 0.25 * (1.0 + e) * (1.0 + e) - 2.0 * e;
  return 0.5 * (trace + std::sqrt(trace * trace - 4.0 * e * e));
}

TEST(Termination, FiniteSequencesAreCounted) {
  const Termination found = termination(resolve(three_balls(0.5), laws::Binary{}));
  EXPECT_EQ(found.diagnosis, Diagnosis::Finite);
  EXPECT_EQ(found.collisions, 3);
  EXPECT_FALSE(found.contraction.has_value());
  EXPECT_EQ(termination(resolve(three_balls(0.1), laws::Binary{})).collisions, 6);
}

TEST(Termination, CollapseShowsItsContraction) {
  for (const double e : {0.0, 0.02, 0.05}) {
    const ImpactResult result = resolve(three_balls(e), laws::Binary{});
    const Termination found = termination(result);
    EXPECT_EQ(found.diagnosis, Diagnosis::Accumulation);
    ASSERT_TRUE(found.residual.has_value());
    EXPECT_LT(*found.residual, 1e-9);
    // The other eigenvalue is 0.26 times this one at e = 0.05 and fades in ten rounds.
    EXPECT_NEAR(*found.contraction, contraction_of_three_balls(e), 1e-4) << e;
  }
  const ImpactResult cut = resolve(three_balls(0.05), laws::Binary{.max_collisions = 4});
  EXPECT_EQ(termination(cut).diagnosis, Diagnosis::Accumulation);
}

TEST(Termination, TheThresholdOfCollapseIsKnown) {
  const double threshold = 7.0 - 4.0 * std::sqrt(3.0);
  EXPECT_NEAR(collapse_threshold(three_balls(1.0)), threshold, 1e-6);
  EXPECT_TRUE(collapses(three_balls(1.0), threshold - 1e-4));
  EXPECT_FALSE(collapses(three_balls(1.0), threshold + 1e-4));
  // More balls collapse sooner; two never do.
  const systems::BallChain five{.balls = 5};
  EXPECT_GT(collapse_threshold(five.impact(five.at_contact(1.0))), threshold + 0.01);
  const systems::BallChain two{.balls = 2};
  EXPECT_EQ(collapse_threshold(two.impact(two.at_contact(1.0))), 0.0);
}

TEST(Termination, NothingApproachesNothingCollapses) {
  ImpactProblem problem = three_balls(0.0);
  problem.velocity.setOnes();
  EXPECT_FALSE(collapses(problem, 0.0));
  EXPECT_EQ(termination(resolve(problem, laws::Binary{})).diagnosis, Diagnosis::NothingToDo);
}

TEST(Termination, OtherLawsCountWhatTheyDo) {
  const Termination once = termination(resolve(three_balls(0.5), laws::Moreau{}));
  EXPECT_EQ(once.diagnosis, Diagnosis::Finite);
  EXPECT_EQ(once.stages, 1);
  const Termination inner = termination(resolve(three_balls(0.5), laws::Lzb{}));
  EXPECT_EQ(inner.diagnosis, Diagnosis::Finite);
  EXPECT_GT(inner.iterations, 10);
  const Termination limited = termination(resolve(three_balls(0.5), laws::Lzb{.max_steps = 3}));
  EXPECT_EQ(limited.diagnosis, Diagnosis::Limit);
  EXPECT_EQ(std::string(name(limited.diagnosis)), "limit");
}

}  // namespace
}  // namespace percute::analysis

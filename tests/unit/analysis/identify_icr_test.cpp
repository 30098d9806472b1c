// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "selftest/random.hpp"
#include "selftest/random_problem.hpp"

#include <percute/analysis/identify_icr.hpp>
#include <percute/laws/complementarity.hpp>
#include <percute/laws/compliant.hpp>
#include <percute/laws/lzb.hpp>
#include <percute/model/invalid_input.hpp>
#include <percute/systems/ball_chain.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace percute::analysis {
namespace {

using Closure = laws::ImpulseRatios::Closure;
using ::testing::HasSubstr;

double velocity_error(const ImpactProblem& problem, const Vector& a, const Vector& b) {
  return (problem.gradients.transpose() * (a - b)).cwiseAbs().maxCoeff() / scales(problem).velocity;
}

ImpactProblem three_balls(const Vector& masses, const Vector& velocity) {
  systems::BallChain chain{.balls = 3};
  chain.masses.assign(masses.begin(), masses.end());
  return chain.impact(chain.at_contact(velocity));
}

/// Any direction, on every kind of random system, by both closures.
TEST(IdentifyIcr, RoundTripOnRandomProblems) {
  constexpr int kCount = 400;
  int compared = 0;
  for (int k = 0; k < kCount; ++k) {
    const ImpactProblem problem =
        selftest::random_problem(71, static_cast<std::uint64_t>(k)).problem;
    selftest::Random random(72, static_cast<std::uint64_t>(k));
    laws::ImpulseRatios law;
    law.direction.resize(static_cast<Eigen::Index>(problem.contacts.size()));
    for (double& a : law.direction) a = random.chance(0.1) ? 0.0 : random.uniform();
    if (law.direction.maxCoeff() == 0.0) continue;
    law.restitution = random.uniform(0.05, 1.0);
    law.options.separating = laws::Separating::IncludeRaw;
    const ImpactResult outcome = resolve(problem, law);
    if (outcome.status != Status::Ok) continue;  // the ray compresses nothing
    ++compared;

    const IcrIdentification found = identify_icr(problem, outcome);
    EXPECT_NEAR(found.restitution, *law.restitution, 1e-9) << k;
    const ImpactResult ray = resolve(problem, found.law());
    // A few roundings of gap rates, which are differences of velocities up to 1e4 times as large.
    EXPECT_LT(velocity_error(problem, ray.velocity, outcome.velocity), 1e-9) << k;
    // KER hides the energy at stake behind that of the common motion: where that is 1e6 times as
    // large, six digits are lost, and half of the rest where the impact ends near e = 0.
    const ImpactResult total = resolve(problem, found.law(Closure::TotalEnergy));
    EXPECT_LT(velocity_error(problem, total.velocity, outcome.velocity), 1e-4) << k;
  }
  EXPECT_GT(compared, kCount / 2);
}

TEST(IdentifyIcr, VelocitiesTellImpulses) {
  int compared = 0;
  for (int k = 0; k < 200; ++k) {
    const ImpactProblem problem =
        selftest::random_problem(73, static_cast<std::uint64_t>(k)).problem;
    const ImpactResult outcome = resolve(problem, laws::Moreau{.restitution = 0.7});
    // Bodies that move together approach each other by roundings: velocities do not show that.
    const double fastest = problem.velocity.cwiseAbs().maxCoeff();
    if (outcome.status != Status::Ok || scales(problem).velocity < 1e-6 * fastest) continue;
    ++compared;
    const IcrIdentification found = identify_icr_from_velocities(problem, outcome.velocity);
    // Roundings of velocities up to 1e6 times as large as the gap rates.
    EXPECT_LT(found.unexplained, 1e-9) << k;
    const ImpactResult again = resolve(problem, found.law());
    EXPECT_LT(velocity_error(problem, again.velocity, outcome.velocity), 1e-9) << k;
  }
  EXPECT_GT(compared, 100);
}

/// Acary, Brogliato 2003: outcomes of three equal balls, printed to twelve decimals.
TEST(IdentifyIcr, ThreeBallsInClosedForm) {
  struct Row {
    double energy_ratio, alpha, v1, v2, v3;
  };
  const std::vector<Row> rows{
      {1.0, 0.5, -1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0},
      {1.0, 0.75, -0.230769230769, 0.307692307692, 0.923076923077},
      {1.0, 1.0, 0.0, 0.0, 1.0},
      {0.8, 0.5, -0.224440017689, 0.612220008845, 0.612220008845},
      {0.8, 0.75, -0.120974668466, 0.280243667117, 0.840731001350},
      {0.8, 1.0, 0.112701665379, 0.0, 0.887298334621},
      {0.5, 0.75, 0.118146029605, 0.220463492599, 0.661390477796},
  };
  const ImpactProblem problem = three_balls(Vector::Ones(3), Vector::Unit(3, 0));
  for (const Row& row : rows) {
    const Vector after{{row.v1, row.v2, row.v3}};
    const IcrIdentification found = identify_icr_from_velocities(problem, after);
    EXPECT_NEAR(found.next_over_previous[0], row.alpha, 1e-11);
    EXPECT_NEAR(found.previous_over_next[0], 1.0 / row.alpha, 1e-11);
    EXPECT_NEAR(found.energy_ratio, row.energy_ratio, 1e-11);
    for (const Closure closure : {Closure::RayEnergetic, Closure::TotalEnergy}) {
      const ImpactResult again = resolve(problem, found.law(closure));
      EXPECT_LT((again.velocity - after).cwiseAbs().maxCoeff(), 1e-11);
    }
  }
  // Unequal masses, all moving.
  const ImpactProblem other = three_balls(Vector{{1.0, 2.0, 3.0}}, Vector{{1.0, 0.2, -0.5}});
  const IcrIdentification found =
      identify_icr_from_velocities(other, Vector{{-1.0490535698757, 0.2, 0.1830178566252}});
  EXPECT_NEAR(found.next_over_previous[0], 1.0, 1e-12);
  EXPECT_NEAR(found.energy_ratio, 0.7, 1e-12);
}

/// Ratios of Hertz chains, to the printed digits, and outcomes given back by the law.
TEST(IdentifyIcr, HertzChains) {
  const auto identify_chain = [](int balls) {
    const systems::BallChain chain{.balls = balls};
    const ImpactProblem problem = chain.impact(chain.at_contact(1.0));
    const ImpactResult outcome = resolve(problem, laws::Compliant{.tolerance = 1e-11});
    const IcrIdentification found = identify_icr(problem, outcome);
    for (const Closure closure : {Closure::RayEnergetic, Closure::TotalEnergy}) {
      const ImpactResult again = resolve(problem, found.law(closure));
      // Energy is conserved to ten tolerances, and clamped to at most all of it.
      EXPECT_LT((again.velocity - outcome.velocity).cwiseAbs().maxCoeff(), 1e-9);
    }
    return found.previous_over_next;
  };
  EXPECT_NEAR(identify_chain(3)[0], 1.076822, 5e-7);
  const Vector eight = identify_chain(8);
  const std::vector<double> printed{0.972512328, 0.985827508, 0.992109165,
                                    0.995468858, 1.000147253, 1.146790281};
  for (std::size_t i = 0; i < printed.size(); ++i) {
    EXPECT_NEAR(eight[static_cast<Eigen::Index>(i)], printed[i], 1e-8);
  }
}

TEST(IdentifyIcr, SeparatingContactsTakePart) {
  // Ball 3 runs ahead and is caught: its contact separates before the impact and gets an impulse.
  const ImpactProblem problem = three_balls(Vector::Ones(3), Vector{{1.0, 0.0, 0.3}});
  const ImpactResult outcome = resolve(problem, laws::Compliant{.tolerance = 1e-11});
  const IcrIdentification found = identify_icr(problem, outcome);
  EXPECT_NEAR(found.impulse[1], 0.69929193094, 1e-9);
  const ImpactResult again = resolve(problem, found.law());
  EXPECT_LT((again.velocity - outcome.velocity).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(IdentifyIcr, RedundantContactsShareEqually) {
  ImpactProblem problem = three_balls(Vector::Ones(3), Vector::Unit(3, 0));
  // The first contact twice.
  const Matrix W = Matrix(problem.gradients)(Eigen::all, std::vector<int>{0, 0, 1});
  problem.gradients = W.sparseView();
  problem.contacts.resize(3);
  const Vector after{{-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0}};
  const IcrIdentification found = identify_icr_from_velocities(problem, after);
  EXPECT_TRUE(found.non_unique);
  EXPECT_NEAR(found.impulse[0], 2.0 / 3.0, 1e-12);
  EXPECT_NEAR(found.impulse[1], 2.0 / 3.0, 1e-12);
  const ImpactResult again = resolve(problem, found.law());
  EXPECT_LT((again.velocity - after).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(IdentifyIcr, MeasuredVelocitiesNeedNotFit) {
  const ImpactProblem problem = three_balls(Vector::Ones(3), Vector::Unit(3, 0));
  // Momentum grew by a tenth: no push between balls does that, and the rest is the best of them.
  const IcrIdentification found = identify_icr_from_velocities(
      problem, Vector{{-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0}} + Vector::Constant(3, 0.1));
  EXPECT_NEAR(found.next_over_previous[0], 0.5, 1e-12);
  EXPECT_NEAR(found.unexplained, std::sqrt(0.03 / (24.0 / 9.0 - 0.0 + 0.03)), 1e-3);
}

TEST(IdentifyIcr, ZeroImpulsesLeaveRatiosOpen) {
  const ImpactProblem problem = three_balls(Vector::Ones(3), Vector{{1.0, 0.0, 5.0}});
  const IcrIdentification found = identify_icr_from_velocities(problem, Vector{{0.0, 1.0, 5.0}});
  EXPECT_EQ(found.impulse[1], 0.0);
  EXPECT_EQ(found.next_over_previous[0], 0.0);
  EXPECT_TRUE(std::isnan(found.previous_over_next[0]));
  EXPECT_NEAR(found.restitution, 1.0, 1e-12);
}

template <class Action>
void expect_refused(const Action& action, const std::string& fragment) {
  try {
    action();
    ADD_FAILURE() << "nothing was refused; expected: " << fragment;
  } catch (const InvalidInput& error) {
    EXPECT_THAT(error.what(), HasSubstr(fragment));
  }
}

TEST(IdentifyIcr, WhatMeansNothingIsRefused) {
  const ImpactProblem problem = three_balls(Vector::Ones(3), Vector::Unit(3, 0));
  expect_refused([&] { identify_icr_from_velocities(problem, problem.velocity); },
                 "all impulses are zero");
  expect_refused([&] { identify_icr_from_velocities(problem, Vector::Zero(2)); },
                 "velocity: has 2");
  expect_refused([&] { identify_icr_from_impulses(problem, Vector{{1.0, -0.5}}); }, "impulse[1]");
  expect_refused([&] { identify_icr_from_impulses(problem, Vector::Ones(3)); }, "impulse: has 3");
  // Twice the elastic impulse creates energy, a tenth of it is not even compression.
  const auto law = [&](double p) {
    return identify_icr_from_impulses(problem, Vector{{p, 0.5 * p}}).law();
  };
  expect_refused([&] { law(2.0); }, "energy was created");
  expect_refused([&] { law(0.1); }, "before the end of compression");
  ImpactResult frictional;
  frictional.impulse = Vector::Ones(2);
  frictional.tangential_impulse = {Vector::Zero(1), Vector::Ones(1)};
  expect_refused([&] { identify_icr(problem, frictional); }, "tangential_impulse[1]");
}

}  // namespace
}  // namespace percute::analysis

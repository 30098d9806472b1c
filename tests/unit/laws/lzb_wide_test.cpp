// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
//
// Masses and stiffnesses that differ by many orders of magnitude.
#include <percute/percute.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace percute::laws {

namespace {

using ::testing::HasSubstr;

/// Balls in a row, each touching the next.
ImpactProblem row(const std::vector<double>& masses, const std::vector<double>& velocities,
                  const std::vector<double>& stiffnesses, double exponent, double e) {
  const auto n = static_cast<Eigen::Index>(masses.size());
  ImpactProblem problem;
  problem.mass = MassMatrix::diagonal(Eigen::Map<const Vector>(masses.data(), n));
  problem.velocity = Eigen::Map<const Vector>(velocities.data(), n);
  Matrix W = Matrix::Zero(n, n - 1);
  for (Eigen::Index i = 0; i + 1 < n; ++i) {
    W(i, i) = -1.0;
    W(i + 1, i) = 1.0;
    problem.contacts.push_back({.material = {.restitution = e,
                                             .stiffness = stiffnesses[static_cast<std::size_t>(i)],
                                             .exponent = exponent}});
  }
  problem.gradients = W.sparseView();
  return problem;
}

Vector three(double a, double b, double c) {
  Vector v(3);
  v << a, b, c;
  return v;
}

void expect_near(const Vector& v, const Vector& expected, double tolerance) {
  for (Eigen::Index i = 0; i < v.size(); ++i) EXPECT_NEAR(v[i], expected[i], tolerance);
}

constexpr double kTolerance = 1e-9;
/// What the tolerance means, see Lzb.
constexpr double kPromise = 100.0 * kTolerance;

}  // namespace

TEST(LzbWide, ALightBallIsSqueezedAndLetGo) {
  // By symmetry it stays where it is, and the heavy ones return with e times their speed, however
  // light it is and whatever the unit of mass.
  for (const double exponent : {1.0, 1.5}) {
    for (const double e : {0.0, 0.8, 1.0}) {
      for (int k = 0; k <= 12; k += 2) {
        const double ratio = std::pow(10.0, k);
        for (const double unit : {1.0, 1.0 / ratio, 1e-7, 1e9}) {
          SCOPED_TRACE(::testing::Message() << "exponent " << exponent << " e " << e << " ratio "
                                            << ratio << " unit " << unit);
          const ImpactProblem problem =
              row({ratio * unit, unit, ratio * unit}, {1.0, 0.0, -1.0}, {1.0, 1.0}, exponent, e);
          const ImpactResult result = resolve(problem, Lzb{.tolerance = kTolerance});
          EXPECT_TRUE(result.ok()) << name(result.status) << " " << result.diagnostics.reason;
          expect_near(result.velocity, three(-e, 0.0, e), kPromise);
        }
      }
    }
  }
}

TEST(LzbWide, ALightBallThatBouncesBetweenHeavyOnes) {
  // An integration of order 16 with 64 bits, in the velocities of the balls, tolerance 1e-15.
  struct Case {
    double ratio;
    double exponent;
    Vector velocity;
  };
  const std::vector<Case> cases{
      {1e2, 1.5, three(-0.003175724677, 0.396855171317, 0.999207172964)},
      {1e4, 1.5, three(-0.000049996649, 0.995824452055, 0.999950414204)},
      {1e6, 1.5, three(-0.000000464775, 0.734577412236, 0.999999730198)},
      {1e8, 1.5, three(-0.000000000059, 0.005925678966, 1.000000000000)},
  };
  for (const Case& c : cases) {
    for (const double unit : {1.0, 1.0 / c.ratio}) {
      SCOPED_TRACE(::testing::Message() << "ratio " << c.ratio << " unit " << unit);
      const ImpactProblem problem =
          row({c.ratio * unit, unit, c.ratio * unit}, {1.0, 0.0, 0.0}, {1.0, 1.0}, c.exponent, 1.0);
      const ImpactResult result = resolve(problem, Lzb{.tolerance = kTolerance});
      EXPECT_EQ(result.status, Status::Ok);
      // 17 000 cycles at a ratio of 1e8, whose errors add up.
      expect_near(result.velocity, c.velocity, 2.0 * kPromise);
    }
  }
}

TEST(LzbWide, ImpulsesAndEnergyFollowFromVelocities) {
  const double ratio = 1e10;
  const ImpactProblem problem = row({ratio, 1.0, ratio}, {1.0, 0.0, -1.0}, {1.0, 1.0}, 1.5, 0.8);
  const ImpactResult result = resolve(problem, Lzb{.tolerance = kTolerance}, Recording{});
  ASSERT_TRUE(result.ok());
  // Each heavy ball changes its velocity by 1 + e, and loses 1 − e² of its energy.
  EXPECT_NEAR(result.impulse[0] / ratio, 1.8, kPromise);
  EXPECT_NEAR(result.impulse[1] / ratio, 1.8, kPromise);
  EXPECT_NEAR(result.dissipated.sum() / ratio, 1.0 - 0.64, kPromise);
  // The history is that of the run that was good enough, and of no other.
  const ImpactHistory& history = result.history;
  for (Eigen::Index k = 1; k < history.time.size(); ++k) {
    ASSERT_GE(history.time[k], history.time[k - 1]);
  }
  EXPECT_NEAR(history.gap_rate(0, history.time.size() - 1), 0.8, kPromise);
}

TEST(LzbWide, AStiffContactIsARigidOne) {
  // The last two of three equal balls act as one, of twice the mass: U⁺ = −e U⁻. What they do
  // against each other vanishes with the stiffness: they follow a force λ₁ ~ K₁ τ^η with
  // ξ₂ ~ (λ₁/K₂)^(1/η), that is with a gap rate of (K₁/K₂)^(1/η).
  for (const double exponent : {1.0, 1.5}) {
    for (const double e : {0.8, 1.0}) {
      for (const int k : {6, 8, 10, 12}) {
        SCOPED_TRACE(::testing::Message()
                     << "exponent " << exponent << " e " << e << " ratio 1e" << k);
        const double ratio = std::pow(10.0, k);
        const ImpactProblem problem =
            row({1.0, 1.0, 1.0}, {1.0, 0.0, 0.0}, {1.0, ratio}, exponent, e);
        const ImpactResult result = resolve(problem, Lzb{.tolerance = kTolerance});
        EXPECT_EQ(result.status, Status::Ok) << result.diagnostics.reason;
        const double pair = (1.0 + e) / 3.0;
        const double left = std::pow(ratio, -1.0 / exponent);
        expect_near(result.velocity, three(1.0 - 2.0 * pair, pair, pair), left + kPromise);
      }
    }
  }
}

TEST(LzbWide, AStiffContactInFrontIsASequence) {
  // Ball 1 hands its velocity to ball 2, and that one to ball 3.
  for (const double exponent : {1.0, 1.5}) {
    const ImpactProblem problem = row({1.0, 1.0, 1.0}, {1.0, 0.0, 0.0}, {1e12, 1.0}, exponent, 1.0);
    const ImpactResult result = resolve(problem, Lzb{.tolerance = kTolerance});
    EXPECT_EQ(result.status, Status::Ok);
    expect_near(result.velocity, three(0.0, 0.0, 1.0), kPromise);
  }
}

TEST(LzbWide, OscillationsBelowTheToleranceCostNothing) {
  // A million cycles of the stiff contact; the load it carries takes a hundred steps.
  const ImpactProblem problem = row({1.0, 1.0, 1.0}, {1.0, 0.0, 0.0}, {1.0, 1e12}, 1.0, 1.0);
  const ImpactResult result = resolve(problem, Lzb{.tolerance = kTolerance});
  EXPECT_EQ(result.status, Status::Ok);
  EXPECT_LT(result.diagnostics.steps, 5000);
  EXPECT_LT(result.diagnostics.events, 1000);
}

TEST(LzbWide, OscillationsAboveTheToleranceAreFollowed) {
  // The stiff contact closes at 0.8 and is loaded at once when it closes again: it oscillates with
  // all its load, half a million times. Elastic: two balls, then one with the pair.
  const ImpactProblem problem = row({1.0, 1.0, 1.0}, {1.0, 0.3, -0.5}, {1.0, 1e12}, 1.0, 1.0);
  const ImpactResult result = resolve(problem, Lzb{.tolerance = kTolerance});
  EXPECT_EQ(result.status, Status::Ok) << result.diagnostics.reason;
  expect_near(result.velocity, three(-0.6, 0.7, 0.7), 1e-6);
}

TEST(LzbWide, WhatIsBeyondTheLimitsSaysSo) {
  const ImpactProblem problem = row({1e12, 1.0, 1e12}, {1.0, 0.3, -0.5}, {1.0, 1.0}, 1.5, 1.0);
  const ImpactResult steps = resolve(problem, Lzb{.max_steps = 20000});
  EXPECT_EQ(steps.status, Status::NotTerminated);
  EXPECT_THAT(steps.diagnostics.reason, HasSubstr("law.max_steps"));
  const ImpactProblem struck = row({1e12, 1.0, 1e12}, {1.0, 0.0, 0.0}, {1.0, 1.0}, 1.5, 1.0);
  const ImpactResult events = resolve(struck, Lzb{.max_events = 500});
  EXPECT_EQ(events.status, Status::NotTerminated);
  EXPECT_THAT(events.diagnostics.reason, HasSubstr("law.max_events"));
}

TEST(LzbWide, AllUnitsAreAlike) {
  // Units of mass, length and time: stiffness has the unit mass · length^(1−η) · time⁻².
  for (const double exponent : {1.0, 1.5}) {
    for (const auto& [heavy, stiff] : {std::pair{1e6, 1.0}, std::pair{1.0, 1e8}}) {
      const std::vector<double> v{1.0, 0.3, -0.5};
      const ImpactProblem problem = row({heavy, 1.0, heavy}, v, {1.0, stiff}, exponent, 0.9);
      const ImpactResult here = resolve(problem, Lzb{.tolerance = kTolerance});
      ASSERT_TRUE(here.ok());
      for (const double mass : {1.0, 1e-9, 1e7}) {
        for (const double length : {1.0, 1e6}) {
          for (const double time : {1.0, 1e-6}) {
            const double speed = length / time;
            const double K = mass * std::pow(length, 1.0 - exponent) / (time * time);
            const ImpactProblem other =
                row({heavy * mass, mass, heavy * mass}, {speed * v[0], speed * v[1], speed * v[2]},
                    {K, stiff * K}, exponent, 0.9);
            const ImpactResult there = resolve(other, Lzb{.tolerance = kTolerance});
            SCOPED_TRACE(::testing::Message()
                         << "exponent " << exponent << " heavy " << heavy << " stiff " << stiff
                         << " units " << mass << " " << length << " " << time);
            EXPECT_EQ(there.status, here.status);
            expect_near(there.velocity / speed, here.velocity, kPromise);
          }
        }
      }
    }
  }
}

}  // namespace percute::laws

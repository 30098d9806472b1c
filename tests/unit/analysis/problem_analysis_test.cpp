// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include <percute/analysis/problem_analysis.hpp>
#include <percute/model/invalid_input.hpp>
#include <percute/systems/ball_chain.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace percute::analysis {
namespace {

using ::testing::ElementsAre;

/// A few roundings of numbers of order one.
constexpr double kRounding = 1e-14;

double degrees(double radians) {
  return radians * 180.0 / std::numbers::pi;
}

ImpactProblem problem_of(const Vector& masses, const Vector& velocity, const Matrix& W) {
  ImpactProblem problem;
  problem.mass = MassMatrix::diagonal(masses);
  problem.velocity = velocity;
  problem.gradients = W.sparseView();
  problem.contacts.resize(static_cast<std::size_t>(W.cols()));
  return problem;
}

TEST(Analyze, ThreeEqualBalls) {
  const systems::BallChain chain{.balls = 3};
  const ProblemAnalysis analysis = analyze(chain.impact(chain.at_contact(1.0)));
  Matrix G(2, 2);
  G << 2.0, -1.0, -1.0, 2.0;
  EXPECT_LT((analysis.delassus - G).cwiseAbs().maxCoeff(), kRounding);
  EXPECT_EQ(analysis.rank, 2);
  EXPECT_FALSE(analysis.redundant);
  // The gradients make 120°, the wedge between the two walls 60°.
  EXPECT_NEAR(degrees(analysis.kinetic_angles(0, 1)), 60.0, 1e-12);
  EXPECT_TRUE(std::isnan(analysis.kinetic_angles(0, 0)));
  EXPECT_THAT(analysis.active, ElementsAre(0, 1));
  // ½ UᵀG⁻¹U with U = (−1, 0), G⁻¹ = [2 1; 1 2]/3.
  EXPECT_NEAR(analysis.reachable_energy, 1.0 / 3.0, kRounding);
  EXPECT_EQ(analysis.kinetic_energy, 0.5);
}

TEST(Analyze, ReachableEnergyDoesNotDependOnTheObserver) {
  const systems::BallChain chain{.balls = 4, .masses = {1.0, 2.0, 0.5, 4.0}};
  ImpactProblem problem = chain.impact(chain.at_contact(1.0));
  const double seen_at_rest = analyze(problem).reachable_energy;
  problem.velocity.array() += 3.0;
  // Gap rates are differences of numbers three times their size.
  EXPECT_NEAR(analyze(problem).reachable_energy, seen_at_rest, 10.0 * kRounding);
  // It is the kinetic energy in the frame of the centre of mass.
  EXPECT_NEAR(seen_at_rest, 0.5 * (1.0 - 1.0 / 7.5), kRounding);
}

TEST(Analyze, FourFeetOfAPlateAreOneTooMany) {
  // Height and two tilts; corners (±1, ±½), ∇h = (1, y, −x); inertia of a 2 × 1 plate of 1 kg.
  Matrix W(3, 4);
  W << 1.0, 1.0, 1.0, 1.0, 0.5, 0.5, -0.5, -0.5, -1.0, 1.0, 1.0, -1.0;
  const ProblemAnalysis analysis = analyze(
      problem_of(Eigen::Vector3d(1.0, 1.0 / 12.0, 1.0 / 3.0), Eigen::Vector3d(-1.0, 0.3, -0.2), W));
  EXPECT_EQ(analysis.rank, 3);
  EXPECT_TRUE(analysis.redundant);
  // 1 + 12 y_i y_j + 3 x_i x_j.
  EXPECT_NEAR(analysis.delassus(0, 0), 7.0, kRounding);
  EXPECT_NEAR(analysis.delassus(0, 1), 1.0, kRounding);
  EXPECT_NEAR(analysis.delassus(0, 2), -5.0, kRounding);
  EXPECT_NEAR(degrees(analysis.kinetic_angles(0, 2)), 180.0 - degrees(std::acos(-5.0 / 7.0)),
              1e-12);
  EXPECT_LT((analysis.gap_rates - Eigen::Vector4d(-0.65, -1.05, -1.35, -0.95)).norm(), kRounding);
  // Every motion of the plate is felt by some foot.
  EXPECT_NEAR(analysis.reachable_energy, analysis.kinetic_energy, kRounding);
  EXPECT_NEAR(analysis.kinetic_energy, 0.5 * (1.0 + 0.09 / 12.0 + 0.04 / 3.0), kRounding);
}

TEST(Analyze, AParticleInAGrooveSeesItsAngle) {
  for (const double angle : {30.0, 60.0, 90.0, 150.0}) {
    // Walls at ± half the angle from the vertical, normals into the groove.
    const double half = 0.5 * angle * std::numbers::pi / 180.0;
    Matrix W(2, 2);
    W << std::cos(half), -std::cos(half), std::sin(half), std::sin(half);
    const ProblemAnalysis analysis =
        analyze(problem_of(Vector::Constant(2, 3.0), Eigen::Vector2d(0.1, -1.0), W));
    EXPECT_NEAR(degrees(analysis.kinetic_angles(0, 1)), angle, 1e-12);
    EXPECT_EQ(analysis.rank, 2);
  }
}

TEST(Analyze, RankDoesNotDependOnUnits) {
  // One contact between light bodies, one between heavy ones, and the first one again.
  Matrix W(3, 3);
  W << -1.0, 0.0, -1.0, 1.0, -1.0, 1.0, 0.0, 1.0, 0.0;
  const ProblemAnalysis analysis =
      analyze(problem_of(Eigen::Vector3d(1e-9, 1.0, 1e9), Eigen::Vector3d(1.0, 0.0, 0.0), W));
  EXPECT_EQ(analysis.rank, 2);
  EXPECT_TRUE(analysis.redundant);
  EXPECT_NEAR(degrees(analysis.kinetic_angles(0, 2)), 180.0, 1e-5);  // arccos near 1: √rounding
  EXPECT_NEAR(analysis.reachable_energy / analysis.kinetic_energy, 1.0, 1e-8);
}

TEST(Analyze, SeparatingContactsAreNotActive) {
  const systems::BallChain chain{.balls = 4};
  Vector v(4);
  v << 1.0, 0.0, 0.0, 2.0;
  const ProblemAnalysis analysis = analyze(chain.impact(chain.at_contact(v)));
  EXPECT_THAT(analysis.active, ElementsAre(0, 1));
}

TEST(Analyze, WithoutContactsNothingIsReachable) {
  const ProblemAnalysis analysis =
      analyze(problem_of(Vector::Ones(2), Vector::Ones(2), Matrix(2, 0)));
  EXPECT_EQ(analysis.rank, 0);
  EXPECT_FALSE(analysis.redundant);
  EXPECT_EQ(analysis.reachable_energy, 0.0);
  EXPECT_EQ(analysis.kinetic_energy, 1.0);
}

TEST(Analyze, RefusesWhatNoLawCouldUse) {
  ImpactProblem problem =
      problem_of(Vector::Ones(2), Vector::Ones(2), (Matrix(2, 1) << -1.0, 1.0).finished());
  problem.velocity[0] = std::nan("");
  EXPECT_THROW(analyze(problem), InvalidInput);
}

}  // namespace
}  // namespace percute::analysis

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include <percute/analysis/problem_analysis.hpp>
#include <percute/model/invalid_input.hpp>
#include <percute/systems/ball_chain.hpp>
#include <percute/systems/multiple_pendulum.hpp>
#include <percute/systems/spinning_spheres.hpp>

#include <Eigen/LU>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
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

TEST(Analyze, BothCornersOfABlockThatSticksAreOneTangentTooMany) {
  Matrix W(3, 2);
  W << 0.0, 0.0, 1.0, 1.0, -1.0, 0.7;
  ImpactProblem block = problem_of(Vector::Ones(3), Vector(Eigen::Vector3d(0.1, -1.0, 0.0)), W);
  set_tangents(block, std::vector<Matrix>(2, Matrix(Eigen::Vector3d(1.0, 0.0, 1.0))));
  EXPECT_FALSE(analyze(block).redundant_sticking);
  for (Contact& contact : block.contacts) contact.material.friction = 0.3;
  EXPECT_FALSE(analyze(block).redundant);
  EXPECT_TRUE(analyze(block).redundant_sticking);
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

// Kane's pendulum: the numbers follow from its mass matrix and the directions at the tip.
TEST(LocalFriction, KanesPendulum) {
  const systems::DoublePendulum pendulum{
      .angles = {20.0 * std::numbers::pi / 180.0, 30.0 * std::numbers::pi / 180.0},
      .material = {.friction = 0.5}};
  const ImpactProblem problem = pendulum.impact(pendulum.at_contact({-0.1, -0.2}));
  const std::vector<LocalFriction> all = analyze(problem).friction;
  ASSERT_EQ(all.size(), 1U);
  EXPECT_NEAR(all[0].A_nn, 1.0095602905, 5e-11);  // digits they are known to
  EXPECT_NEAR(all[0].A_tn[0], 1.5213086580, 5e-11);
  EXPECT_NEAR(all[0].A_tt(0, 0), 2.4403380457, 5e-11);
  EXPECT_NEAR(all[0].sliding_velocity[0], -0.2671743428, 5e-11);
  EXPECT_NEAR(all[0].stick_coefficient, 1.5213086580 / 2.4403380457, 1e-10);
  EXPECT_FALSE(all[0].sticks);
  EXPECT_NEAR(all[0].jam_coefficient.value(), 1.0095602905 / 1.5213086580, 1e-10);
  EXPECT_FALSE(all[0].may_jam);
}

/// One contact with this local matrix, order n, t…: M = A⁻¹ and coordinates U.
ImpactProblem local_problem(const Matrix& A, const Vector& U, double mu) {
  ImpactProblem problem;
  const Matrix inverse = A.inverse();
  problem.mass = MassMatrix::dense(0.5 * (inverse + inverse.transpose()));
  problem.velocity = U;
  problem.gradients = Matrix(Matrix::Identity(A.rows(), 1)).sparseView();
  problem.contacts = {{.material = {.friction = mu}}};
  set_tangents(problem, {Matrix::Identity(A.rows(), A.rows()).rightCols(A.rows() - 1)});
  return problem;
}

// Slip to the right, with U_n falling at first, exactly where μ A_tn > A_nn.
TEST(LocalFriction, JamsInOneDirection) {
  const Matrix A{{1.0, 1.5}, {1.5, 3.0}};
  const auto local = [&](double slip, double mu) {
    return local_friction(local_problem(A, Vector{{-1.0, slip}}, mu)).at(0);
  };
  EXPECT_TRUE(local(0.5, 1.0).jams);
  EXPECT_TRUE(local(0.5, 1.0).sticks);
  EXPECT_FALSE(local(-0.5, 1.0).jams);
  EXPECT_TRUE(local(-0.5, 1.0).may_jam);
  EXPECT_FALSE(local(0.5, 0.66).jams);
  EXPECT_TRUE(local(0.5, 0.67).jams);
  EXPECT_FALSE(local(0.0, 1.0).jams);
  EXPECT_TRUE(local(0.5, std::numeric_limits<double>::infinity()).jams);
  EXPECT_NEAR(local(0.5, 1.0).jam_coefficient.value(), 2.0 / 3.0, 1e-14);
  EXPECT_NEAR(local(0.5, 1.0).stick_coefficient, 0.5, 1e-14);
}

TEST(LocalFriction, InSpaceStickingTakesTheNormOfTheRate) {
  const Matrix A{{1.0, 0.3, -0.2}, {0.3, 2.0, 0.4}, {-0.2, 0.4, 1.5}};
  const LocalFriction local = local_friction(local_problem(A, Vector{{-1.0, 0.1, 0.2}}, 0.5)).at(0);
  // r* = −A_tt⁻¹ A_tn = −(0.53, −0.52)/2.84.
  EXPECT_NEAR(local.stick_coefficient, std::hypot(0.53, 0.52) / 2.84, 1e-14);
  EXPECT_NEAR(local.jam_coefficient.value(), 1.0 / std::hypot(0.3, 0.2), 1e-13);
  EXPECT_TRUE(local.sticks);
  EXPECT_FALSE(local.may_jam);
}

TEST(LocalFriction, ASphereNeverJamsAndAlwaysSticks) {
  const systems::SphereOnPlane sphere{.radius = 0.3, .normal = {1.0, 2.0, 3.0}};
  ImpactProblem problem = sphere.impact(sphere.at_contact({1.0, 0.0, -1.0}));
  problem.contacts[0].material.friction = 1e-6;
  const LocalFriction local = local_friction(problem).at(0);
  EXPECT_EQ(local.stick_coefficient, 0.0);
  EXPECT_TRUE(local.sticks);
  EXPECT_FALSE(local.jam_coefficient.has_value());
  set_tangents(problem, std::vector<Matrix>(problem.contacts.size()));
  EXPECT_TRUE(local_friction(problem).empty());
}

}  // namespace
}  // namespace percute::analysis

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include <percute/analysis/problem_analysis.hpp>
#include <percute/laws/complementarity.hpp>
#include <percute/laws/darboux_keller_single.hpp>
#include <percute/systems/ball_chain.hpp>
#include <percute/systems/multiple_pendulum.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace percute::analysis {
namespace {

/// A few roundings of numbers of order one.
constexpr double kRounding = 1e-14;

std::vector<Body> bodies_of(const Vector& velocity) {
  std::vector<Body> bodies;
  for (int i = 0; i < velocity.size(); ++i) bodies.push_back({.name = "b", .coordinates = {i}});
  return bodies;
}

Indices of_balls(const Vector& velocity, double restitution) {
  const systems::BallChain chain{.balls = static_cast<int>(velocity.size())};
  const ImpactProblem problem = chain.impact(chain.at_contact(velocity));
  const ImpactResult result = resolve(problem, laws::Moreau{.restitution = restitution});
  return indices(problem, result, bodies_of(velocity));
}

TEST(Indices, ThreeBallsUnderMoreausLaw) {
  // e = 1/2: (0, 1/2, 1/2); e = 1: (−1/3, 2/3, 2/3).
  const Vector striker = Eigen::Vector3d(1.0, 0.0, 0.0);
  const Indices half = of_balls(striker, 0.5);
  EXPECT_NEAR(*half.energy_ratio, 0.5, kRounding);
  EXPECT_NEAR(*half.dispersion, std::sqrt(0.5), kRounding);
  EXPECT_NEAR(half.normal_work, -0.25, kRounding);
  EXPECT_EQ(half.tangential_work, 0.0);
  // 1/3 J is within reach; Moreau's law gives e² of it back.
  EXPECT_NEAR(*half.relative_energy_ratio, 0.25, kRounding);
  EXPECT_NEAR(*of_balls(striker, 1.0).dispersion, std::sqrt(2.0) / 3.0, kRounding);
  EXPECT_NEAR(*of_balls(striker, 0.0).dispersion, 0.0, kRounding);
}

TEST(Indices, OnlyTheRelativeRatioIsTheSameForEveryObserver) {
  const Vector striker = Eigen::Vector4d(1.0, 0.3, 0.1, -0.2);
  const Vector moving = striker.array() + 7.0;
  const Indices at_rest = of_balls(striker, 0.5);
  const Indices on_train = of_balls(moving, 0.5);
  EXPECT_GT(std::abs(*at_rest.energy_ratio - *on_train.energy_ratio), 0.1);
  // Gap rates are differences of numbers seven times their size.
  EXPECT_NEAR(*at_rest.relative_energy_ratio, *on_train.relative_energy_ratio, 10.0 * kRounding);
}

TEST(Indices, EnergyInOneBodyIsTheLargestDispersion) {
  const MassMatrix mass = MassMatrix::diagonal(Eigen::Vector4d(1.0, 2.0, 3.0, 4.0));
  const Vector one = Eigen::Vector4d(0.0, 0.0, 1.0, 0.0);
  EXPECT_NEAR(*dispersion(mass, one, bodies_of(one)), std::sqrt(3.0), kRounding);
  // As one body the four coordinates share nothing out.
  const std::vector<Body> together{{.name = "all", .coordinates = {0, 1, 2, 3}}};
  EXPECT_EQ(dispersion(mass, one, together), 0.0);
  EXPECT_EQ(dispersion(mass, Vector::Zero(4), bodies_of(one)), std::nullopt);
}

TEST(Indices, CoupledBodiesHaveNoEnergyOfTheirOwn) {
  Matrix M = Matrix::Identity(5, 5);
  const Vector v = Vector::Ones(5);
  EXPECT_EQ(dispersion(MassMatrix::dense(M), v, bodies_of(v)), 0.0);
  for (const auto& [i, j] : {std::pair{0, 1}, {0, 4}, {2, 3}, {1, 4}}) {
    Matrix coupled = M;
    coupled(i, j) = coupled(j, i) = 1e-3;
    EXPECT_EQ(dispersion(MassMatrix::dense(coupled), v, bodies_of(v)), std::nullopt);
    EXPECT_EQ(dispersion(MassMatrix::sparse(coupled.sparseView()), v, bodies_of(v)), std::nullopt);
    // Rounding couples nothing.
    coupled(i, j) = coupled(j, i) = 1e-16;
    EXPECT_TRUE(dispersion(MassMatrix::dense(coupled), v, bodies_of(v)).has_value());
  }
  // Inside a body coordinates may be coupled.
  M(1, 2) = M(2, 1) = 0.5;
  const std::vector<Body> bodies{{.name = "a", .coordinates = {0}},
                                 {.name = "b", .coordinates = {1, 2}},
                                 {.name = "c", .coordinates = {3}},
                                 {.name = "d", .coordinates = {4}}};
  // Energies ½, 3/2, ½, ½.
  EXPECT_NEAR(*dispersion(MassMatrix::dense(M), v, bodies), std::sqrt(1.0 / 3.0), kRounding);
}

TEST(Indices, FrictionReachesMoreEnergyAndWorks) {
  const systems::DoublePendulum pendulum{.material = {.restitution = 0.5, .friction = 0.5}};
  const ImpactProblem problem = pendulum.impact(pendulum.at_contact({-0.1, -0.2}));
  const ImpactResult result = resolve(problem, laws::Coulomb{.tangential = 0.0});
  const Indices found = indices(problem, result, {{.name = "all", .coordinates = {0, 1}}});
  // Two coordinates, a normal and a tangent: all energy is within reach.
  EXPECT_NEAR(reachable_energy(problem), result.energy.before, kRounding);
  EXPECT_LT(analyze(problem).reachable_energy, 0.9 * result.energy.before);
  EXPECT_NEAR(found.normal_work + found.tangential_work, result.energy.after - result.energy.before,
              kRounding);
  EXPECT_NE(found.tangential_work, 0.0);
  EXPECT_NEAR(*found.relative_energy_ratio, *found.energy_ratio, 1e-12);
  EXPECT_EQ(found.sliding_loss, -found.tangential_work);
}

// The tip slips all through compression, U_n rising at the rate k = A_nn + μ A_tn; the contact
// keeps 1 − e² of the work of compression, ½ U_n²/k, and all else that is lost was lost in sliding.
TEST(Indices, SlidingLossIsWhatTheContactDidNotKeep) {
  const systems::DoublePendulum pendulum{.material = {.restitution = 0.5, .friction = 0.5}};
  const ImpactProblem problem = pendulum.impact(pendulum.at_contact({-0.1, -0.2}));
  const ImpactResult result = resolve(problem, laws::DarbouxKellerSingle{});
  const Indices found = indices(problem, result, {{.name = "all", .coordinates = {0, 1}}});
  const LocalFriction local = local_friction(problem).at(0);
  const double U = problem.gradients.col(0).dot(problem.velocity);
  const double kept = 0.75 * 0.5 * U * U / (local.A_nn + 0.5 * local.A_tn[0]);
  EXPECT_NEAR(found.sliding_loss, result.energy.before - result.energy.after - kept, kRounding);
}

TEST(Indices, LongChainsReachTheEnergyOfTheirCentreOfMassFrame) {
  // Beyond some size another solver takes over; masses of 0.5 and 1.5 kg.
  const int n = 1000;
  std::vector<double> masses;
  for (int i = 0; i < n; ++i) masses.push_back(i % 2 == 0 ? 0.5 : 1.5);
  const systems::BallChain chain{.balls = n, .masses = masses};
  const ImpactProblem problem = chain.impact(chain.at_contact(1.0));
  const double total = 1.0 * n;
  // The smallest eigenvalue of G is about (π/n)² = 1e-5: five digits may go.
  EXPECT_NEAR(reachable_energy(problem), 0.25 * (1.0 - 0.5 / total), 1e-10);
}

TEST(Indices, WithoutAnythingToReachThereIsNoRelativeRatio) {
  const systems::BallChain chain{.balls = 2};
  const ImpactProblem problem = chain.impact(chain.at_contact(Vector(Eigen::Vector2d(1.0, 1.0))));
  const ImpactResult result = resolve(problem, laws::Moreau{.restitution = 0.5});
  const Indices found = indices(problem, result, bodies_of(problem.velocity));
  EXPECT_EQ(found.energy_ratio, 1.0);
  EXPECT_EQ(found.relative_energy_ratio, std::nullopt);
}

}  // namespace
}  // namespace percute::analysis

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "single_contact_testing.hpp"

#include <percute/laws/compliant.hpp>
#include <percute/laws/darboux_keller_single.hpp>
#include <percute/model/invalid_input.hpp>
#include <percute/systems/planar_body.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>

namespace percute::laws {

namespace {

using Force = Compliant::Force;
constexpr double kInfinite = std::numeric_limits<double>::infinity();

ImpactProblem random_contact(std::mt19937& random, int tangents, double e) {
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  const Eigen::Index size = 1 + tangents;
  const Matrix B = Matrix::NullaryExpr(size, size, [&] { return normal(random); });
  Vector U = Vector::NullaryExpr(size, [&] { return normal(random); });
  U[0] = -0.2 - std::abs(U[0]);
  if (uniform(random) < 0.1) U.tail(tangents).setZero();
  return local(B * B.transpose() + 0.1 * Matrix::Identity(size, size), U, 1.2 * uniform(random), e);
}

void expect_mechanics(const ImpactResult& result, double tolerance) {
  EXPECT_EQ(result.status, Status::Ok) << name(result.status);
  EXPECT_TRUE(result.consistency.momentum);
  EXPECT_TRUE(result.consistency.energetic);
  EXPECT_TRUE(result.consistency.kinetic);
  EXPECT_TRUE(result.consistency.friction_cone) << result.consistency.margins.friction_cone;
  EXPECT_NEAR(result.energy.balance_error, 0.0, 10 * tolerance);  // promised
  EXPECT_GE(result.dissipated_by_friction.minCoeff(), -tolerance);
}

/// A block on two corners of equal material.
ImpactProblem block(double b, double h, double mu, double e) {
  ImpactProblem problem;
  problem.mass = MassMatrix::diagonal(Eigen::Vector3d(1, 1, (b * b + h * h) / 12));
  problem.velocity = Eigen::Vector3d(h / 2, -b / 2, -1);
  Matrix W(3, 2);
  W << 0, 0, 1, 1, -b / 2, b / 2;
  problem.gradients = W.sparseView();
  problem.contacts.assign(2, Contact{.material = {.restitution = e, .friction = mu}});
  const Matrix t = Eigen::Vector3d(1, 0, h / 2);
  set_tangents(problem, {t, t});
  return problem;
}

}  // namespace

TEST(CompliantFriction, OneElasticContactIsThatOfDarbouxAndKeller) {
  // Whatever the force law: with one contact time is only another name for the impulse.
  std::mt19937 random(23);
  for (int k = 0; k < 60; ++k) {
    SCOPED_TRACE(k);
    const ImpactProblem problem = random_contact(random, 1 + k % 2, 1.0);
    const ImpactResult exact = resolve(problem, DarbouxKellerSingle{});
    const Force force = k % 3 == 0 ? Force::Linear : k % 3 == 1 ? Force::Hertz : Force::BiStiffness;
    const ImpactResult result = resolve(problem, Compliant{.force = force});
    expect_mechanics(result, 1e-9);
    // Ten tolerances of the law.
    const double unit = problem.velocity.norm();
    EXPECT_LT((result.velocity - exact.velocity).norm(), 1e-8 * unit) << problem.velocity;
    EXPECT_NEAR(result.dissipated_by_friction[0], exact.dissipated_by_friction[0],
                1e-8 * (result.energy.before + unit * unit));
  }
}

TEST(CompliantFriction, BiStiffnessRestitutesEnergyAsDarbouxAndKeller) {
  std::mt19937 random(29);
  std::uniform_real_distribution<double> uniform(0.2, 1.0);
  for (int k = 0; k < 40; ++k) {
    SCOPED_TRACE(k);
    const ImpactProblem problem = random_contact(random, 1 + k % 2, uniform(random));
    const ImpactResult exact = resolve(problem, DarbouxKellerSingle{});
    const ImpactResult result = resolve(problem, Compliant{.force = Force::BiStiffness});
    expect_mechanics(result, 1e-9);
    EXPECT_LT((result.velocity - exact.velocity).norm(), 1e-8 * problem.velocity.norm());
  }
}

TEST(CompliantFriction, KanesPendulumAndTheSpatialContact) {
  Matrix A(3, 3);
  A << 1, .3, -.2, .3, 2, .4, -.2, .4, 1.5;
  const ImpactProblem problem = local(A, Eigen::Vector3d(-1, 0.1, 0.2), 0.5, 0.7);
  const ImpactResult result =
      resolve(problem, Compliant{.force = Force::BiStiffness, .tolerance = 1e-11}, Recording{});
  expect_mechanics(result, 1e-11);
  // Ten decimals of the closed form, slip to stick.
  EXPECT_NEAR(result.impulse[0], 1.8409186153, 2e-10);
  EXPECT_NEAR(result.tangential_impulse[0][0], -0.3681996007, 2e-10);
  EXPECT_NEAR(result.tangential_impulse[0][1], 0.2103090422, 2e-10);
  int sticking = 0;
  for (const ImpactEvent& event : result.history.events) {
    if (event.kind != EventKind::Sticking) continue;
    ++sticking;
    EXPECT_NEAR(event.impulse, 0.2291365467, 1e-9);
  }
  EXPECT_EQ(sticking, 1);
  // Histories follow velocities with friction.
  const Eigen::Index last = result.history.time.size() - 1;
  EXPECT_LT((result.history.velocity.col(last) - result.velocity).norm(), 1e-12);
  EXPECT_EQ(result.history.tangential_impulse.rows(), 2);
}

TEST(CompliantFriction, BlocksOnTwoCorners) {
  // Both corners share their sliding velocity: redundant friction. On one corner only, the outcome
  // is that of the single contact.
  const ImpactResult slides = resolve(block(1, 2, 0.3, 1.0), Compliant{});
  expect_mechanics(slides, 1e-9);
  EXPECT_NEAR(slides.velocity[0], 0.51612903, 1e-8);  // eight printed decimals
  EXPECT_NEAR(slides.velocity[1], 1.11290323, 1e-8);
  EXPECT_NEAR(slides.velocity[2], -0.22580645, 1e-8);
  EXPECT_NEAR(slides.impulse[1], 1.61290323, 1e-8);
  EXPECT_NEAR(slides.tangential_impulse[1][0], -0.48387097, 1e-8);
  // Enough friction: nothing slides at all, and the corners share what holds them.
  const ImpactResult stick = resolve(block(2, 1, 3.0, 1.0), Compliant{});
  expect_mechanics(stick, 1e-9);
  EXPECT_LT(stick.dissipated_by_friction.sum(), 1e-9);
  EXPECT_LT(std::abs(stick.tangential_velocity[0][0]), 1e-9);
  // In between: onset and reversal of slip; gaps are kept here, so only the balances are known.
  for (const double mu : {0.1, 0.3, 0.5, 1.0}) {
    SCOPED_TRACE(mu);
    expect_mechanics(resolve(block(2, 1, mu, 0.8), Compliant{.force = Force::BiStiffness}), 1e-9);
  }
}

TEST(CompliantFriction, InfiniteFrictionStopsAtOnce) {
  Matrix A(3, 3);
  A << 1, .3, -.2, .3, 2, .4, -.2, .4, 1.5;
  const ImpactProblem problem = local(A, Eigen::Vector3d(-1, 0.1, 0.2), kInfinite, 1.0);
  const ImpactResult exact = resolve(problem, DarbouxKellerSingle{});
  const ImpactResult result = resolve(problem, Compliant{});
  expect_mechanics(result, 1e-9);
  EXPECT_LT((result.velocity - exact.velocity).norm(), 1e-8);
  Matrix B(2, 2);
  B << 1, -0.9, -0.9, 1;
  EXPECT_EQ(resolve(local(B, Eigen::Vector2d(-0.1, 1), kInfinite, 1.0), Compliant{}).status,
            Status::NoSlipSolution);
}

TEST(CompliantFriction, RegularisedFrictionTendsToCoulombs) {
  std::mt19937 random(31);
  for (int k = 0; k < 10; ++k) {
    SCOPED_TRACE(k);
    const ImpactProblem problem = random_contact(random, 1 + k % 2, 1.0);
    const ImpactResult exact = resolve(problem, Compliant{});
    const double unit = problem.velocity.norm();
    double last = 1.0;
    for (const double v : {1e-2, 1e-3}) {
      const ImpactResult result = resolve(problem, Compliant{.regularisation_velocity = v * unit});
      expect_mechanics(result, 1e-9);
      last = (result.velocity - exact.velocity).norm() / unit;
      EXPECT_LT(last, 20 * v);  // first order in v_reg, times the condition of the contact
    }
  }
}

TEST(CompliantFriction, PrecompressedContactsReleaseTheirEnergy) {
  // A body of mass 1 held at a wall with E0: it leaves at √(2 E0), with e of that if hysteretic.
  for (const auto& [force, e, expected] :
       {std::tuple{Force::Hertz, 1.0, 1.0}, std::tuple{Force::Linear, 1.0, 1.0},
        std::tuple{Force::BiStiffness, 0.6, 0.6}}) {
    ImpactProblem problem;
    problem.mass = MassMatrix::diagonal(Vector::Ones(1));
    problem.velocity = Vector::Zero(1);
    problem.gradients = Matrix(Matrix::Ones(1, 1)).sparseView();
    problem.contacts = {Contact{.material = {.restitution = e}, .stored_energy = 0.5}};
    const ImpactResult result = resolve(problem, Compliant{.force = force});
    EXPECT_EQ(result.status, Status::Ok);
    EXPECT_NEAR(result.velocity[0], expected, 1e-9);
    EXPECT_NEAR(result.energy.balance_error, 0.0, 1e-8);
    // Struck in addition: E0 + ½ v² come back, elastic.
    problem.velocity[0] = -2.0;
    EXPECT_NEAR(resolve(problem, Compliant{.force = force}).velocity[0], expected * std::sqrt(5.0),
                1e-8);
  }
}

TEST(CompliantFriction, BadInput) {
  const auto field = [](const Compliant& law, const Contact& contact) -> std::string {
    ImpactProblem problem = local(Matrix::Identity(2, 2), Eigen::Vector2d(-1, 1), 0.5, 1.0);
    problem.contacts[0] = contact;
    problem.contacts[0].directions = 1;
    try {
      resolve(problem, law);
    } catch (const InvalidInput& error) {
      return error.field();
    }
    return "";
  };
  EXPECT_EQ(field({.regularisation_velocity = -1.0}, {}), "law.regularisation_velocity");
  EXPECT_EQ(field({.regularisation_velocity = 0.1}, {.material = {.friction = kInfinite}}),
            "contacts[0].friction");
  EXPECT_EQ(field({.force = Force::ExactRestitution}, {.stored_energy = 1.0}),
            "contacts[0].stored_energy");
  EXPECT_EQ(field({}, {.material = {.friction = 0.3}, .stored_energy = 1.0}), "");
}

}  // namespace percute::laws

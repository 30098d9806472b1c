// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "single_contact_testing.hpp"

#include <percute/laws/complementarity.hpp>
#include <percute/laws/darboux_keller_single.hpp>
#include <percute/model/invalid_input.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>

namespace percute::laws {

namespace {

using Motion = ImpactPhase::Motion;
using Termination = DarbouxKellerSingle::Termination;
constexpr double kInfinite = std::numeric_limits<double>::infinity();

Matrix planar(double a, double c, double g) {
  Matrix A(2, 2);
  A << a, c, c, g;
  return A;
}

Matrix spatial() {
  Matrix A(3, 3);
  A << 1, .3, -.2, .3, 2, .4, -.2, .4, 1.5;
  return A;
}

/// Kane's double pendulum: rods of mass and length 1 at 20° and 30°, rates (−0.1, −0.2).
ImpactProblem pendulum(double mu, double e) {
  constexpr double kDegree = 3.14159265358979323846 / 180.0;
  Matrix M(2, 2);
  M << 4.0 / 3.0, 0.5 * std::cos(10 * kDegree), 0.5 * std::cos(10 * kDegree), 1.0 / 3.0;
  Vector n(2);
  n << std::sin(20 * kDegree), std::sin(30 * kDegree);
  Vector t(2);
  t << std::cos(20 * kDegree), std::cos(30 * kDegree);
  ImpactProblem problem;
  problem.mass = MassMatrix::dense(M);
  problem.velocity = Vector(2);
  problem.velocity << -0.1, -0.2;
  problem.gradients = Matrix(n).sparseView();
  problem.contacts = {Contact{.material = {.restitution = e, .friction = mu}}};
  set_tangents(problem, {t});
  return problem;
}

std::string motions(const ImpactResult& result) {
  std::string text;
  for (const ImpactPhase& phase : result.diagnostics.phases) {
    if (!text.empty()) text += ", ";
    text += name(phase.motion);
    text += phase.compression ? " c" : " e";
  }
  return text;
}

/// What must hold of every outcome but that of Newton's termination.
void expect_mechanics(const ImpactProblem& problem, const ImpactResult& result,
                      bool conserves = true) {
  ASSERT_EQ(result.status, Status::Ok) << result.diagnostics.reason;
  EXPECT_TRUE(result.consistency.momentum);
  EXPECT_TRUE(result.consistency.identity);
  EXPECT_TRUE(result.consistency.kinematic);
  EXPECT_TRUE(result.consistency.kinetic);
  EXPECT_TRUE(result.consistency.friction_cone);
  EXPECT_TRUE(result.consistency.energetic || !conserves) << result.energy.after;
  // Losses are integrated along: to the accuracy of that (1e-13 per step).
  EXPECT_NEAR(result.energy.balance_error, 0.0, 1e-11);
  EXPECT_GE(result.dissipated_by_friction.minCoeff(), 0.0);
  // Phases follow each other without gaps from 0 to the whole impulse.
  double last = 0.0;
  for (const ImpactPhase& phase : result.diagnostics.phases) {
    EXPECT_EQ(phase.from, last);
    EXPECT_GT(phase.to, phase.from);
    last = phase.to;
  }
  EXPECT_EQ(last, result.impulse.maxCoeff());
  EXPECT_EQ(problem.contacts.size(), result.tangential_impulse.size());
}

}  // namespace

// Values with ten decimals: half a unit of the last one, and 1e-10 of rounding.
constexpr double kPrinted = 1.5e-10;

TEST(DarbouxKellerSingle, KanesPendulum) {
  struct Row {
    double mu, e, p, p_t, energetic, poisson;
  };
  for (const Row& row : {Row{0.2, 0.5, 0.1554659582, 0.0220923361, 0.6227426386, 0.6177856486},
                         Row{0.2, 1.0, 0.2203414177, 0.0091172442, 0.8127242719, 0.7572985786},
                         Row{0.5, 0.0, 0.0758111547, 0.0379055773, 0.5136034825, 0.5136034825},
                         Row{0.5, 0.5, 0.1183996885, 0.0382564819, 0.5531879852, 0.5450779868},
                         Row{0.5, 1.0, 0.1909842367, 0.0019642077, 0.6907862943, 0.6133943452}}) {
    SCOPED_TRACE(std::to_string(row.mu) + " " + std::to_string(row.e));
    const ImpactProblem problem = pendulum(row.mu, row.e);
    const ImpactResult energetic = resolve(problem, DarbouxKellerSingle{});
    expect_mechanics(problem, energetic);
    EXPECT_NEAR(energetic.impulse[0], row.p, kPrinted);
    EXPECT_NEAR(energetic.tangential_impulse[0][0], row.p_t, kPrinted);
    EXPECT_NEAR(energetic.energy.after / energetic.energy.before, row.energetic, kPrinted);
    const ImpactResult poisson =
        resolve(problem, DarbouxKellerSingle{.termination = Termination::Poisson});
    expect_mechanics(problem, poisson);
    EXPECT_NEAR(poisson.energy.after / poisson.energy.before, row.poisson, kPrinted);
  }
  EXPECT_EQ(motions(resolve(pendulum(0.5, 0.5), DarbouxKellerSingle{})),
            "slip c, slip e, reverse_slip e");
}

TEST(DarbouxKellerSingle, SpatialContact) {
  struct Row {
    Eigen::Vector2d U_t;
    double mu;
    Eigen::Vector3d p, U;
    const char* motions;
  };
  const Row rows[] = {// NOLINT(*-avoid-c-arrays)
                      {.U_t = {1, 0.5},
                       .mu = 0.1,
                       .p = {1.7397094105, -0.1679343136, -0.0396002614},
                       .U = {0.6972491687, 1.1702040914, 0.0254840003},
                       .motions = "slip c, slip e"},
                      {.U_t = {0.1, 0.2},
                       .mu = 0.5,
                       .p = {1.8409186153, -0.3681996007, 0.2103090422},
                       .U = {0.6883969266, 0, 0},
                       .motions = "slip c, stick c, stick e"},
                      {.U_t = {0, 0},
                       .mu = 0.1,
                       .p = {1.7633124697, -0.1371901448, 0.1107771314},
                       .U = {0.7, 0.2989243039, -0.2413728548},
                       .motions = "onset c, onset e"}};
  for (const Row& row : rows) {
    SCOPED_TRACE(row.motions);
    const ImpactProblem problem =
        local(spatial(), Vector(Eigen::Vector3d(-1, row.U_t[0], row.U_t[1])), row.mu, 0.7);
    const ImpactResult result = resolve(problem, DarbouxKellerSingle{});
    expect_mechanics(problem, result);
    EXPECT_NEAR(result.impulse[0], row.p[0], kPrinted);
    EXPECT_NEAR(result.tangential_impulse[0][0], row.p[1], kPrinted);
    EXPECT_NEAR(result.tangential_impulse[0][1], row.p[2], kPrinted);
    EXPECT_NEAR(result.gap_rate[0], row.U[0], kPrinted);
    EXPECT_NEAR(result.tangential_velocity[0][0], row.U[1], kPrinted);
    EXPECT_NEAR(result.tangential_velocity[0][1], row.U[2], kPrinted);
    EXPECT_EQ(motions(result), row.motions);
  }
  const ImpactResult stick = resolve(
      local(spatial(), Vector(Eigen::Vector3d(-1, 0.1, 0.2)), 0.5, 0.7), DarbouxKellerSingle{});
  EXPECT_NEAR(stick.diagnostics.phases[0].to, 0.2291365467, kPrinted);
  EXPECT_NEAR(stick.diagnostics.phases[1].to, 1.0822662010, kPrinted);
}

TEST(DarbouxKellerSingle, JammedContactsStopSlidingAndComeApart) {
  Vector U(2);
  U << -1, 0.5;
  const ImpactProblem problem = local(planar(1, 1.5, 3), U, 1.0, 0.5);
  const ImpactResult result = resolve(problem, DarbouxKellerSingle{});
  expect_mechanics(problem, result);
  EXPECT_NEAR(result.impulse[0], 7.4832774043, kPrinted);
  EXPECT_NEAR(result.tangential_impulse[0][0], -3.9083053688, kPrinted);
  EXPECT_NEAR(result.gap_rate[0], 0.6208193511, kPrinted);
  EXPECT_NEAR(result.tangential_velocity[0][0], 0.0, 1e-14);
  ASSERT_EQ(motions(result), "slip c, stick c, stick e");
  EXPECT_NEAR(result.diagnostics.phases[0].to, 1.0 / 3.0, 1e-15);
  EXPECT_NEAR(result.diagnostics.phases[1].to, 5.0, 1e-14);
}

TEST(DarbouxKellerSingle, ImpactsWithoutCollisionOnlyOnRequest) {
  Vector U(2);
  U << 0, 0.5;
  const ImpactProblem jams = local(planar(1, 1.5, 3), U, 1.0, 0.5);
  EXPECT_EQ(resolve(jams, DarbouxKellerSingle{}).status, Status::NoImpact);
  const DarbouxKellerSingle asked{.impact_without_collision = true};
  const ImpactResult result = resolve(jams, asked);
  expect_mechanics(jams, result);
  // Slip stops at 1/3 with U_n = −1/6, stick opens with slope 1/4: p_c = 1.
  ASSERT_EQ(motions(result), "slip c, stick c, stick e");
  EXPECT_NEAR(result.diagnostics.phases[1].to, 1.0, 1e-14);
  // W_c = −1/36 − 1/18 = −1/12; ½ U²/k = e²/12, k = 1/4
  EXPECT_NEAR(result.gap_rate[0], std::sqrt(2 * 0.25 * 0.25 / 12), 1e-14);
  // Sliding the other way pushes the bodies apart.
  U << 0, -0.5;
  EXPECT_EQ(resolve(local(planar(1, 1.5, 3), U, 1.0, 0.5), asked).status, Status::NoImpact);
  // Nothing slides: nothing starts.
  EXPECT_EQ(resolve(local(planar(1, 1.5, 3), Vector::Zero(2), 1.0, 0.5), asked).status,
            Status::NoImpact);
}

TEST(DarbouxKellerSingle, WithoutFrictionItIsNewton) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  for (int k = 0; k < 20; ++k) {
    const Matrix B = Matrix::NullaryExpr(3, 3, [&] { return normal(random); });
    Vector U = Vector::NullaryExpr(3, [&] { return normal(random); });
    U[0] = -std::abs(U[0]);
    ImpactProblem problem = local(B * B.transpose() + 0.1 * Matrix::Identity(3, 3), U, 0.0, 0.6);
    const ImpactResult newton = resolve(problem, Newton{});
    for (const Termination termination :
         {Termination::Energetic, Termination::Poisson, Termination::Newton}) {
      const ImpactResult result = resolve(problem, DarbouxKellerSingle{.termination = termination});
      expect_mechanics(problem, result);
      EXPECT_LT((result.velocity - newton.velocity).norm(), 1e-13 * (1 + newton.velocity.norm()));
      EXPECT_EQ(motions(result), "frictionless c, frictionless e");
    }
    // Tangents are of no consequence then.
    set_tangents(problem, std::vector<Matrix>(problem.contacts.size()));
    EXPECT_LT((resolve(problem, DarbouxKellerSingle{}).velocity - newton.velocity).norm(),
              1e-13 * (1 + newton.velocity.norm()));
  }
}

TEST(DarbouxKellerSingle, InfiniteFrictionSticksAtOnce) {
  Vector U(3);
  U << -1, 0.1, 0.2;
  const ImpactProblem problem = local(spatial(), U, kInfinite, 0.7);
  const ImpactResult result = resolve(problem, DarbouxKellerSingle{});
  expect_mechanics(problem, result);
  EXPECT_EQ(motions(result), "stick c, stick e");
  EXPECT_LT(result.tangential_velocity[0].norm(), 1e-14);
  // The limit of large coefficients, O(1/μ).
  const ImpactResult large = resolve(local(spatial(), U, 1e7, 0.7), DarbouxKellerSingle{});
  EXPECT_LT((result.velocity - large.velocity).norm(), 1e-6);
  // Stopping the sliding lifts this contact off: there is no pressure to stop it with.
  U << -0.1, 1, 0;
  Matrix A = planar(1, -0.9, 1);
  const ImpactResult lifted = resolve(local(A, U.head(2), kInfinite, 0.7), DarbouxKellerSingle{});
  EXPECT_EQ(lifted.status, Status::NoSlipSolution);
  EXPECT_NE(lifted.diagnostics.reason.find("without pressure"), std::string::npos);
}

TEST(DarbouxKellerSingle, NewtonTerminationGivesTheVelocityAndMayCreateEnergy) {
  const ImpactProblem problem = pendulum(0.5, 0.5);
  const ImpactResult result =
      resolve(problem, DarbouxKellerSingle{.termination = Termination::Newton});
  expect_mechanics(problem, result, false);
  EXPECT_NEAR(result.gap_rate[0], 0.5 * 0.1342020143, 1e-10);
  // Elastic: slip reverses in expansion and draws on energy that is not there.
  const ImpactResult gain =
      resolve(pendulum(0.5, 1.0), DarbouxKellerSingle{.termination = Termination::Newton});
  EXPECT_FALSE(gain.consistency.energetic);
  EXPECT_NEAR(gain.energy.after / gain.energy.before, 1.469142, 1e-6);
}

TEST(DarbouxKellerSingle, SeveralContactsAreNotItsBusiness) {
  // A particle in a corner: both approach.
  ImpactProblem problem;
  problem.mass = MassMatrix::diagonal(Vector::Ones(2));
  problem.velocity = Vector::Constant(2, -1.0);
  problem.gradients = Matrix(Matrix::Identity(2, 2)).sparseView();
  problem.contacts.resize(2);
  const ImpactResult both = resolve(problem, DarbouxKellerSingle{});
  EXPECT_EQ(both.status, Status::NotApplicable);
  EXPECT_EQ(both.velocity, problem.velocity);
  EXPECT_NE(both.diagnostics.reason.find("contacts[0], contacts[1]"), std::string::npos);
  // The second rests and, being square to the first, is not touched: it takes no part.
  problem.velocity << -1, 0;
  const ImpactResult one = resolve(problem, DarbouxKellerSingle{});
  expect_mechanics(problem, one);
  EXPECT_EQ(one.impulse[1], 0.0);
  EXPECT_NEAR(one.velocity[0], 1.0, 1e-15);
  // Friction at the first drives the second together.
  problem.velocity << -1, 0.5;
  problem.contacts[0].material.friction = 1.0;
  set_tangents(problem, {Matrix::Identity(2, 2).rightCols(1), Matrix()});
  EXPECT_EQ(resolve(problem, DarbouxKellerSingle{}).status, Status::Ok);  // stops, no more
  problem.mass = MassMatrix::dense(planar(1, 0.3, 1));
  problem.contacts[0].material.friction = 0.1;
  const ImpactResult driven = resolve(problem, DarbouxKellerSingle{});
  EXPECT_EQ(driven.status, Status::NotApplicable);
  EXPECT_NE(driven.diagnostics.reason.find("drives contacts[1] together"), std::string::npos);
}

TEST(DarbouxKellerSingle, BadInputAndNothingToDo) {
  Vector U(2);
  U << 1, 0.5;
  EXPECT_EQ(resolve(local(planar(1, 0, 3), U, 1.0, 0.5), DarbouxKellerSingle{}).status,
            Status::NoImpact);
  U[0] = -1;
  EXPECT_THROW(resolve(local(planar(1, 0, 3), U, 1.0, 1.5), DarbouxKellerSingle{}), InvalidInput);
  // Stored energy stays where it is.
  ImpactProblem problem = local(planar(1, 0, 3), U, 1.0, 0.5);
  problem.contacts[0].stored_energy = 0.25;
  const ImpactResult result = resolve(problem, DarbouxKellerSingle{});
  EXPECT_EQ(result.energy.stored, 0.25);
  EXPECT_NEAR(result.energy.balance_error, 0.0, 1e-15);
}

TEST(DarbouxKellerSingle, OneRodHasNowhereToGoOnceItSticks) {
  // One coordinate: normal and tangent are the same motion, A has rank 1. Stuck, nothing moves.
  ImpactProblem problem;
  problem.mass = MassMatrix::diagonal(Vector::Ones(1));
  problem.velocity = Vector::Constant(1, -1.0);
  problem.gradients = Matrix(Matrix::Constant(1, 1, 0.5)).sparseView();
  problem.contacts = {Contact{.material = {.restitution = 0.8, .friction = 1.0}}};
  set_tangents(problem, {Matrix::Constant(1, 1, 0.7)});
  const ImpactResult stuck = resolve(problem, DarbouxKellerSingle{});
  EXPECT_EQ(stuck.status, Status::Ok);
  EXPECT_NEAR(stuck.velocity[0], 0.0, 1e-15);
  EXPECT_TRUE(stuck.consistency.all());
  problem.contacts[0].material.friction = 0.3;
  const ImpactResult slips = resolve(problem, DarbouxKellerSingle{});
  EXPECT_GT(slips.velocity[0], 0.1);
  EXPECT_TRUE(slips.consistency.all());
}

namespace {

struct RandomContact {
  Matrix A;
  Vector U;
  double mu = 0.0;
  double e = 0.0;
};

RandomContact random_contact(std::mt19937& random, int tangents) {
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  const Eigen::Index size = 1 + tangents;
  const Matrix B = Matrix::NullaryExpr(size, size, [&] { return normal(random); });
  RandomContact c;
  c.A = B * B.transpose() + 0.02 * Matrix::Identity(size, size);
  c.U = Vector::NullaryExpr(size, [&] { return normal(random); });
  c.U[0] = -std::abs(c.U[0]);
  if (uniform(random) < 0.1) c.U.tail(tangents).setZero();
  c.mu = 1.5 * uniform(random);
  c.e = uniform(random) < 0.2 ? 1.0 : uniform(random);
  return c;
}

}  // namespace

TEST(DarbouxKellerSingle, RandomContactsObeyMechanics) {
  std::mt19937 random(7);
  int restarts = 0;
  int jams = 0;
  for (int k = 0; k < 3000; ++k) {
    SCOPED_TRACE(k);
    const RandomContact c = random_contact(random, 1 + k % 2);
    const ImpactProblem problem = local(c.A, c.U, c.mu, c.e);
    for (const Termination termination :
         {Termination::Energetic, Termination::Poisson, Termination::Newton}) {
      const ImpactResult result = resolve(problem, DarbouxKellerSingle{.termination = termination});
      expect_mechanics(problem, result, termination != Termination::Newton);
      const double p_c = [&] {
        double last = 0.0;
        for (const ImpactPhase& phase : result.diagnostics.phases) {
          if (phase.compression) last = phase.to;
        }
        return last;
      }();
      if (termination == Termination::Poisson) {
        EXPECT_NEAR(result.impulse[0], (1 + c.e) * p_c, 1e-12 * p_c);
      }
      if (termination == Termination::Newton) {
        EXPECT_NEAR(result.gap_rate[0], -c.e * c.U[0], 1e-11 * c.U.norm());
      }
      for (const ImpactPhase& phase : result.diagnostics.phases) {
        restarts += phase.motion == Motion::IsoclinicRestart ? 1 : 0;
      }
      jams += result.diagnostics.contacts[0].compressions > 1 ? 1 : 0;
    }
    // Elastic and energetic: friction alone dissipates.
    const ImpactResult elastic = resolve(local(c.A, c.U, c.mu, 1.0), DarbouxKellerSingle{});
    EXPECT_NEAR(elastic.dissipated[0], elastic.dissipated_by_friction[0],
                1e-11 * elastic.energy.before);
  }
  EXPECT_GT(restarts, 10);  // the random contacts do not leave them out
  RecordProperty("recompressions", jams);
}

TEST(DarbouxKellerSingle, TangentsUnitsAndScalesDoNotMatter) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> angle(0.0, 6.28);
  for (int k = 0; k < 200; ++k) {
    SCOPED_TRACE(k);
    const RandomContact c = random_contact(random, 2);
    const ImpactResult result = resolve(local(c.A, c.U, c.mu, c.e), DarbouxKellerSingle{});
    // Turned tangents, with and without reflection.
    const double phi = angle(random);
    Matrix R = Matrix::Identity(3, 3);
    R.bottomRightCorner(2, 2) << std::cos(phi), -std::sin(phi), std::sin(phi), std::cos(phi);
    if (k % 2 == 0) R.col(2) *= -1.0;
    const ImpactResult turned = resolve(
        local(R.transpose() * c.A * R, R.transpose() * c.U, c.mu, c.e), DarbouxKellerSingle{});
    // Amplified by the condition of the contact; tolerance of the integration 1e-13 per step.
    EXPECT_LT((R * turned.velocity - result.velocity).norm(), 1e-9 * c.U.norm());
    // Twice the speed, four times the mass.
    const ImpactResult scaled =
        resolve(local(0.25 * c.A, 2.0 * c.U, c.mu, c.e), DarbouxKellerSingle{});
    EXPECT_LT((0.5 * scaled.velocity - result.velocity).norm(), 1e-12 * c.U.norm());
    EXPECT_NEAR(scaled.impulse[0], 8.0 * result.impulse[0], 1e-11 * result.impulse[0]);
  }
}

TEST(DarbouxKellerSingle, SpatialContactsThatDoNotTurnArePlanar) {
  std::mt19937 random(13);
  for (int k = 0; k < 200; ++k) {
    SCOPED_TRACE(k);
    const RandomContact c = random_contact(random, 1);
    const ImpactResult plane = resolve(local(c.A, c.U, c.mu, c.e), DarbouxKellerSingle{});
    Matrix A = Matrix::Identity(3, 3);
    A.topLeftCorner(2, 2) = c.A;
    Vector U = Vector::Zero(3);
    U.head(2) = c.U;
    const ImpactResult space = resolve(local(A, U, c.mu, c.e), DarbouxKellerSingle{});
    EXPECT_LT((space.velocity.head(2) - plane.velocity).norm(), 1e-12 * c.U.norm());
    // The same with a little sliding across, which must not matter much: 1e-7 of it.
    U[2] = 1e-7;
    const ImpactResult near = resolve(local(A, U, c.mu, c.e), DarbouxKellerSingle{});
    EXPECT_LT((near.velocity.head(2) - plane.velocity).norm(), 1e-4 * c.U.norm());
  }
}

TEST(DarbouxKellerSingle, FrictionNeedsTangentsToActAlong) {
  ImpactProblem problem = local(Matrix::Identity(2, 2), Vector::Constant(2, -1.0), 0.5, 0.8);
  set_tangents(problem, std::vector<Matrix>(problem.contacts.size()));
  const ImpactResult result = resolve(problem, DarbouxKellerSingle{});
  EXPECT_EQ(result.status, Status::Ok);
  EXPECT_TRUE(result.consistency.friction_ignored);
  EXPECT_NEAR(result.gap_rate[0], 0.8, 1e-15);
  EXPECT_DOUBLE_EQ(result.velocity[1], problem.velocity[1]);
}

TEST(DarbouxKellerSingle, PlasticImpactsThatOnlySlipOneWayAreThoseOfCoulomb) {
  // e = 0 and no change of sliding: impulse and velocity level say the same (planar).
  std::mt19937 random(17);
  int compared = 0;
  for (int k = 0; k < 300; ++k) {
    const RandomContact c = random_contact(random, 1);
    const ImpactProblem problem = local(c.A, c.U, c.mu, 0.0);
    const ImpactResult result = resolve(problem, DarbouxKellerSingle{});
    if (motions(result) != "slip c" && motions(result) != "onset c") continue;
    const ImpactResult coulomb = resolve(problem, Coulomb{.tangential = 0.0});
    if (coulomb.diagnostics.algebraic->multiple_solutions) continue;
    ++compared;
    EXPECT_LT((result.velocity - coulomb.velocity).norm(), 1e-10 * c.U.norm()) << k;
  }
  EXPECT_GT(compared, 50);
}

}  // namespace percute::laws

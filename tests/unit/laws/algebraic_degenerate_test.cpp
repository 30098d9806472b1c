// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "unit/laws/algebraic_testing.hpp"

#include <percute/laws/compliant.hpp>
#include <percute/laws/lzb.hpp>

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

namespace percute {
namespace {

using testing::numbers;
using testing::particle;
using testing::row;

// Closed forms of few operations: all that is lost is rounding.
constexpr double kRounding = 1e-14;

TEST(AlgebraicDegenerate, NothingTouches) {
  ImpactProblem problem;
  problem.mass = MassMatrix::diagonal(Vector::Ones(2));
  problem.velocity = numbers({1.0, -1.0});
  problem.gradients.resize(2, 0);
  // Laws with a parameter per contact have none to give.
  const auto check = [&](const auto& law) {
    const ImpactResult result = resolve(problem, law);
    EXPECT_EQ(result.status, Status::NoImpact);
    EXPECT_EQ(result.velocity, problem.velocity);
    EXPECT_EQ(result.impulse.size(), 0);
    EXPECT_TRUE(result.consistency.all());
  };
  using namespace laws;
  check(Moreau{.restitution = 0.5});
  check(Moreau{});
  check(Newton{});
  check(Poisson{});
  check(FremondQuadratic{.kappa = Matrix::Ones(1, 1)});
  check(Binary{});
  check(SimultaneousSet{});
  check(ScalarRestitution{});
  check(CradleSort{});
  check(Coulomb{});
}

TEST(AlgebraicDegenerate, NothingApproaches) {
  for (const auto& velocities : {numbers({0.0, 0.0, 1.0}), numbers({2.0, 2.0, 2.0})}) {
    const ImpactProblem problem = row(velocities, 1.0);
    testing::for_each_law(2, [&](const auto& law) {
      const ImpactResult result = resolve(problem, law);
      EXPECT_EQ(result.status, Status::NoImpact);
      EXPECT_EQ(result.velocity, velocities);
      EXPECT_EQ(result.impulse, Vector(Vector::Zero(2)));
    });
  }
}

TEST(AlgebraicDegenerate, ApproachWithinRoundingIsNone) {
  // Balls that move together at 1 m/s and differ in the last bit.
  const double next = std::nextafter(1.0, 2.0);
  const Vector velocities = numbers({next, 1.0, 1.0});
  const ImpactProblem problem = row(velocities, 1.0);
  testing::for_each_law(
      2, [&](const auto& law) { EXPECT_EQ(resolve(problem, law).status, Status::NoImpact); });
}

TEST(AlgebraicDegenerate, OkMeansThatPromisesAreKept) {
  // Neighbours with masses up to 1e13 apart: rounding may leave an approach, but not with ok.
  using namespace laws;
  int answers = 0;
  for (const double ratio : {1e-3, 1e-7, 1e-9, 1e-11, 1e-13, 1e7, 1e9, 1e11, 1e13}) {
    for (const double e : {0.0, 0.5, 1.0}) {
      const Vector masses = numbers({1.0, ratio, 1.0, ratio, 1.0});
      const ImpactProblem problem =
          row(masses, numbers({1.0, 0.0, 0.0, 0.0, -0.3}), Vector::Constant(4, e));
      const auto check = [&](const auto& law) {
        const ImpactResult result = resolve(problem, law);
        if (result.status != Status::Ok) return;
        ++answers;
        EXPECT_TRUE(result.consistency.kinematic) << ratio << " " << e;
        EXPECT_TRUE(result.consistency.kinetic) << ratio << " " << e;
      };
      check(Moreau{});
      check(Newton{});
      check(Poisson{});
      check(FremondQuadratic{.kappa = Matrix::Ones(1, 1)});
      check(ScalarRestitution{});
      check(Coulomb{});
    }
  }
  EXPECT_GT(answers, 54);  // a third of them at least: it is no excuse to answer nothing
}

TEST(AlgebraicDegenerate, NearlyDependentContactsAreSingular) {
  // A particle in a wedge so flat that G⁻¹ has entries of 1e13.
  const auto wedge = [](double angle) {
    ImpactProblem problem;
    problem.mass = MassMatrix::diagonal(Vector::Ones(2));
    problem.velocity = numbers({0.3, -1.0});
    Matrix W(2, 2);
    W << std::sin(angle), -std::sin(angle), std::cos(angle), std::cos(angle);
    problem.gradients = W.sparseView();
    problem.contacts.resize(2, {.material = {.restitution = 0.5}});
    return problem;
  };
  const Matrix R = (Matrix(2, 2) << 0.5, 0.2, 0.0, 0.5).finished();
  const laws::RestitutionMatrix law{.matrix = R};
  EXPECT_EQ(resolve(wedge(1e-5), law).status, Status::Singular);
  const ImpactProblem open = wedge(1e-2);
  const ImpactResult result = resolve(open, law);
  ASSERT_EQ(result.status, Status::Ok);
  const Vector before = open.gradients.transpose() * open.velocity;
  // p is of order 1e3, U⁺ the sum of such terms.
  EXPECT_LT((result.gap_rate + R * before).norm(), 1e-12);
}

TEST(AlgebraicDegenerate, EqualApproachesAreToldApartByTheirIndex) {
  // Two balls strike the middle one equally fast, but for rounding.
  const laws::Binary law{.order = laws::Binary::Order::LargestApproach};
  const double next = std::nextafter(1.0, 2.0);
  const Vector e = numbers({0.5, 0.5});
  const ImpactResult a = resolve(row(numbers({1, 1, 1}), numbers({1.0, 0.0, -1.0}), e), law);
  const ImpactResult b = resolve(row(numbers({1, 1, 1}), numbers({1.0, 0.0, -next}), e), law);
  EXPECT_LT((a.velocity - b.velocity).norm(), kRounding);
}

TEST(AlgebraicDegenerate, OneContactIsTheSameForAll) {
  for (const double e : {0.0, 0.5, 1.0}) {
    // m* = 2/3, p = (1 + e) m* · 1.5
    const ImpactProblem problem = row(numbers({1.0, 2.0}), numbers({1.0, -0.5}), numbers({e}));
    const double p = (1.0 + e);
    const auto check = [&](const auto& law) {
      const ImpactResult result = resolve(problem, law);
      EXPECT_EQ(result.status, Status::Ok);
      testing::expect_near(result.velocity, {1.0 - p, -0.5 + p / 2.0}, kRounding);
      EXPECT_NEAR(result.gap_rate[0], 1.5 * e, kRounding);
      EXPECT_TRUE(result.consistency.all());
    };
    using namespace laws;
    check(Moreau{});
    check(Newton{});
    check(Newton{.form = Newton::Form::Equality});
    check(Poisson{});
    check(RestitutionMatrix{.matrix = Matrix::Constant(1, 1, e)});
    check(FremondCone{.patterns = Matrix::Constant(1, 1, 2.0)});
    check(ImpulseRatios{.direction = numbers({0.3})});
    check(Binary{});
    check(SimultaneousSet{});
    check(ScalarRestitution{});
    check(Coulomb{});
    check(FremondQuadratic{.kappa = Matrix::Constant(1, 1, fremond_kappa(e, 1.5))});
  }
}

TEST(AlgebraicDegenerate, ElasticAndPlasticLimitsAreExact) {
  const ImpactProblem elastic = row(numbers({1.0, 0.0, 0.0}), 1.0);
  for (const ImpactResult& result :
       {resolve(elastic, laws::Moreau{}), resolve(elastic, laws::Newton{}),
        resolve(elastic, laws::Poisson{}), resolve(elastic, laws::Binary{}),
        resolve(elastic, laws::Coulomb{})}) {
    EXPECT_EQ(result.status, Status::Ok);
    EXPECT_NEAR(result.energy.after, 0.5, kRounding);
  }
  const ImpactProblem plastic = row(numbers({1.0, 0.0, 0.0}), 0.0);
  for (const ImpactResult& result :
       {resolve(plastic, laws::Moreau{}), resolve(plastic, laws::Newton{}),
        resolve(plastic, laws::Poisson{}), resolve(plastic, laws::ScalarRestitution{}),
        resolve(plastic, laws::Coulomb{})}) {
    EXPECT_EQ(result.status, Status::Ok);
    testing::expect_near(result.velocity, {1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0}, 1e-12);
  }
}

TEST(AlgebraicDegenerate, AVeryLightBallBetweenOthersLeavesNoContactClosing) {
  // Its two contacts nearly depend on one another, but have no choice of impulses.
  const ImpactProblem problem =
      row(numbers({1.0, 1e-12, 1.0}), numbers({1.0, 0.0, 0.0}), numbers({0.5, 0.5}));
  const ImpactResult result = resolve(problem, laws::Moreau{});
  EXPECT_EQ(result.status, Status::Ok);
  EXPECT_TRUE(result.consistency.kinematic);
  // v = (1 − (1+e)/2, (1+e)/2, (1+e)/2) for a massless middle ball; G p loses 12 of 16 digits.
  EXPECT_NEAR(result.velocity[0], 0.25, 1e-3);
  EXPECT_NEAR(result.velocity[2], 0.75, 1e-3);
}

TEST(AlgebraicDegenerate, FrictionNoneAndInfinite) {
  const double infinite = std::numeric_limits<double>::infinity();
  for (const double theta : {0.0, 1.0}) {
    const laws::Coulomb law{.tangential = theta};
    const ImpactResult smooth = resolve(particle(1.0, -1.0, 0.5, 0.0), law);
    testing::expect_near(smooth.velocity, {1.0, 0.5}, kRounding);
    // θ = 0: stops; θ = 1: the mean sliding velocity vanishes, it is turned round.
    const ImpactResult stuck = resolve(particle(1.0, -1.0, 0.5, infinite), law);
    EXPECT_EQ(stuck.status, Status::Ok);
    testing::expect_near(stuck.velocity, {-theta, 0.5}, 1e-12);
    EXPECT_TRUE(stuck.consistency.all());
    // In between: p_n = 1.5, friction takes μ p_n.
    const ImpactResult slides = resolve(particle(1.0, -1.0, 0.5, 0.2), law);
    testing::expect_near(slides.velocity, {1.0 - 0.3, 0.5}, 1e-12);
  }
}

TEST(AlgebraicDegenerate, RedundantContactsShareTheLeastImpulse) {
  // The same contact three times.
  ImpactProblem problem = row(numbers({1.0, 0.0}), 0.5);
  problem.contacts.resize(3, problem.contacts[0]);
  Matrix W(2, 3);
  W << -1.0, -1.0, -1.0, 1.0, 1.0, 1.0;
  problem.gradients = W.sparseView();
  const auto check = [&](const auto& law) {
    const ImpactResult result = resolve(problem, law);
    EXPECT_EQ(result.status, Status::Ok);
    EXPECT_TRUE(result.non_unique_impulse);
    testing::expect_near(result.velocity, {0.25, 0.75}, 1e-12);
    testing::expect_near(result.impulse, {0.25, 0.25, 0.25}, 1e-12);
  };
  check(laws::Moreau{});
  check(laws::Newton{});
  check(laws::Poisson{});
  const laws::AlgebraicOptions raw{.impulse_selection = laws::ImpulseSelection::Raw};
  const ImpactResult any = resolve(problem, laws::Moreau{.options = raw});
  EXPECT_TRUE(any.non_unique_impulse);
  EXPECT_NEAR(any.impulse.sum(), 0.75, 1e-12);
  testing::expect_near(any.velocity, {0.25, 0.75}, 1e-12);
}

/// A block of mass 1 over its corners (x, −1), friction μ, falling and sliding.
ImpactProblem block(const std::vector<double>& corners, double friction, double sliding) {
  ImpactProblem problem;
  problem.mass = MassMatrix::diagonal(numbers({1.0, 1.0, 0.5}));
  problem.velocity = numbers({sliding, -1.0, 0.0});
  Matrix W(3, static_cast<Eigen::Index>(corners.size()));
  std::vector<Matrix> tangents;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    W.col(static_cast<Eigen::Index>(i)) = numbers({0.0, 1.0, corners[i]});
    tangents.emplace_back(numbers({1.0, 0.0, 1.0}));
  }
  problem.gradients = W.sparseView();
  problem.contacts.resize(corners.size(), {.material = {.friction = friction}});
  set_tangents(problem, tangents);
  return problem;
}

TEST(Redundancy, ImpulsesOfContactsThatStickAreNotUnique) {
  const double infinite = std::numeric_limits<double>::infinity();
  const auto check = [&](const auto& law) {
    const auto unique = [&](const ImpactProblem& problem) {
      const ImpactResult result = resolve(problem, law);
      EXPECT_EQ(result.status, Status::Ok);
      return !result.non_unique_impulse;
    };
    const std::vector<double> feet{-1.0, 0.7};
    EXPECT_TRUE(unique(block(feet, 0.0, 0.1)));
    // They slide: the normal impulses, known, say what friction is.
    EXPECT_TRUE(unique(block(feet, 0.1, 5.0)));
    EXPECT_FALSE(unique(block(feet, 0.9, 0.01)));
    EXPECT_FALSE(unique(block(feet, 0.9, 0.0)));
    EXPECT_FALSE(unique(block(feet, infinite, 0.01)));
    EXPECT_TRUE(unique(block({0.7}, 0.9, 0.01)));
    EXPECT_FALSE(unique(block({-1.0, 0.2, 0.7}, 0.1, 5.0)));
  };
  check(laws::Lzb{});
  check(laws::Compliant{});
  check(laws::Coulomb{});
  // Without friction only the normals count.
  EXPECT_FALSE(resolve(block({-1.0, 0.7}, 0.9, 0.01), laws::Moreau{}).non_unique_impulse);
}

TEST(Redundancy, OfManyContactsIsTheSame) {
  // Balls on a ring that shrinks, each pushed by both neighbours.
  constexpr int kBalls = 300;
  ImpactProblem ring;
  ring.mass = MassMatrix::diagonal(Vector::Ones(2 * kBalls));
  ring.velocity.resize(2 * kBalls);
  std::vector<Eigen::Triplet<double>> entries;
  const auto angle = [](int i) { return 2.0 * std::numbers::pi * i / kBalls; };
  for (int i = 0; i < kBalls; ++i) {
    const int j = (i + 1) % kBalls;
    ring.velocity.segment(2 * i, 2) = -numbers({std::cos(angle(i)), std::sin(angle(i))});
    const Vector n =
        numbers({-std::sin(angle(i) + angle(1) / 2), std::cos(angle(i) + angle(1) / 2)});
    for (int d = 0; d < 2; ++d) {
      entries.emplace_back(2 * i + d, i, -n[d]);
      entries.emplace_back(2 * j + d, i, n[d]);
    }
  }
  ring.gradients.resize(2 * kBalls, kBalls);
  ring.gradients.setFromTriplets(entries.begin(), entries.end());
  ring.contacts.resize(kBalls);
  EXPECT_FALSE(resolve(ring, laws::Compliant{}).non_unique_impulse);
  // The same contacts twice.
  entries.clear();
  for (int k = 0; k < kBalls; ++k) {
    for (SparseMatrix::InnerIterator entry(ring.gradients, k); entry; ++entry) {
      entries.emplace_back(static_cast<int>(entry.row()), k, entry.value());
      if (k < 20) entries.emplace_back(static_cast<int>(entry.row()), kBalls + k, entry.value());
    }
  }
  ring.gradients.resize(2 * kBalls, kBalls + 20);
  ring.gradients.setFromTriplets(entries.begin(), entries.end());
  ring.contacts.resize(kBalls + 20);
  EXPECT_TRUE(resolve(ring, laws::Compliant{}).non_unique_impulse);
}

TEST(AlgebraicDegenerate, ABodyBetweenTwoWallsStops) {
  // Opposite normals: G is singular and one contact separates as fast as the other approaches.
  ImpactProblem problem;
  problem.mass = MassMatrix::diagonal(Vector::Ones(1));
  problem.velocity = numbers({1.0});
  Matrix W(1, 2);
  W << 1.0, -1.0;
  problem.gradients = W.sparseView();
  problem.contacts.resize(2, Contact{.material = {.restitution = 0.0}});
  EXPECT_NEAR(resolve(problem, laws::Moreau{}).velocity[0], 0.0, kRounding);
  // e = 1: to and fro for ever; the limit on stages is reached and said so.
  for (Contact& contact : problem.contacts) contact.material.restitution = 1.0;
  const ImpactResult caught = resolve(problem, laws::Moreau{.options = {.max_stages = 7}});
  EXPECT_EQ(caught.status, Status::NotTerminated);
  EXPECT_EQ(caught.diagnostics.algebraic->stages, 7);
  EXPECT_NEAR(std::abs(caught.velocity[0]), 1.0, kRounding);
  EXPECT_EQ(resolve(problem, laws::Binary{}).status, Status::Cycle);
}

}  // namespace
}  // namespace percute

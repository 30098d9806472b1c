// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "unit/laws/algebraic_testing.hpp"

#include <array>
#include <limits>

namespace percute {
namespace {

using testing::expect_refused;
using testing::numbers;
using testing::row;

const double kNan = std::numeric_limits<double>::quiet_NaN();

ImpactProblem three_balls(double e1 = 0.5, double e2 = 0.5) {
  return row(Vector::Ones(3), numbers({1.0, 0.0, 0.0}), numbers({e1, e2}));
}

TEST(AlgebraicOptions, StagesAreAtLeastOne) {
  const laws::AlgebraicOptions none{.max_stages = 0};
  expect_refused([&] { resolve(three_balls(), laws::Moreau{.options = none}); }, "law.max_stages",
                 {"0 is not >= 1"});
  expect_refused([&] { resolve(three_balls(), laws::Poisson{.options = none}); }, "law.max_stages",
                 {"0 is not >= 1"});
  expect_refused([&] { validate(laws::Coulomb{.options = none}); }, "law.max_stages", {">= 1"});
}

TEST(AlgebraicOptions, RestitutionInRange) {
  for (const double e : {-0.1, 1.1, kNan}) {
    expect_refused([&] { validate(laws::Moreau{.restitution = e}); }, "law.restitution",
                   {"in [0, 1]"});
    expect_refused([&] { laws::Newton{}(three_balls(0.5, e)); }, "contacts[1].restitution",
                   {"in [0, 1]"});
    expect_refused(
        [&] { validate(laws::FremondCone{.patterns = Matrix::Identity(2, 2), .restitution = e}); },
        "law.restitution", {"in [0, 1]"});
    expect_refused(
        [&] { validate(laws::ImpulseRatios{.direction = Vector::Ones(2), .restitution = e}); },
        "law.restitution", {"in [0, 1]"});
  }
  // Kinetic coefficients reach to 2: e = (½, 2) sends the last ball off alone.
  const ImpactResult result = resolve(three_balls(0.5, 2.0), laws::Poisson{});
  testing::expect_near(result.velocity, {0.0, 0.0, 1.0}, 1e-12);
  expect_refused([&] { laws::Poisson{}(three_balls(0.5, 2.1)); }, "contacts[1].restitution",
                 {"2.1 is not in [0, 2]"});
}

TEST(AlgebraicOptions, OneCoefficientOrNone) {
  // Laws with one coefficient take that of the contacts where they agree.
  EXPECT_EQ(resolve(three_balls(), laws::Moreau{}).velocity,
            resolve(three_balls(), laws::Moreau{.restitution = 0.5}).velocity);
  const auto different = [](const auto& law) {
    expect_refused([&] { law(three_balls(0.5, 0.2)); }, "law.restitution",
                   {"is missing", "0.5 at contacts[0]", "0.2 at contacts[1]"});
  };
  different(laws::Moreau{});
  different(laws::FremondCone{.patterns = Matrix::Identity(2, 2)});
  different(laws::ImpulseRatios{.direction = Vector::Ones(2)});
}

TEST(AlgebraicOptions, Kappa) {
  expect_refused([] { validate(laws::FremondQuadratic{}); }, "law.kappa", {"is missing"});
  expect_refused([] { validate(laws::FremondQuadratic{.kappa = Matrix::Constant(1, 1, 0.0)}); },
                 "law.kappa", {"0 is not > 0"});
  expect_refused([] { laws::FremondQuadratic{.kappa = Matrix::Ones(3, 1)}(three_balls()); },
                 "law.kappa", {"is 3 x 1", "2 contacts"});
  Matrix indefinite(2, 2);
  indefinite << 1.0, 2.0, 2.0, 1.0;
  expect_refused([&] { validate(laws::FremondQuadratic{.kappa = indefinite}); }, "law.kappa",
                 {"positive definite"});
  Matrix crooked(2, 2);
  crooked << 2.0, 1.0, 0.0, 2.0;
  expect_refused([&] { validate(laws::FremondQuadratic{.kappa = crooked}); }, "law.kappa",
                 {"symmetric"});
  // A diagonal matrix is a number per contact.
  const Vector kappa = numbers({2.0, 5.0});
  const ImpactResult by_matrix =
      resolve(three_balls(), laws::FremondQuadratic{.kappa = kappa.asDiagonal()});
  const ImpactResult by_numbers = resolve(three_balls(), laws::FremondQuadratic{.kappa = kappa});
  EXPECT_LE((by_matrix.velocity - by_numbers.velocity).cwiseAbs().maxCoeff(), 1e-14);
}

TEST(AlgebraicOptions, KappaOfAContact) {
  // e ↦ κ ↦ e, with G = 3: e = (G κ − 2)/(G κ + 2).
  for (const double e : {0.0, 0.25, 0.5, 0.9}) {
    const double x = 3.0 * laws::fremond_kappa(e, 3.0);
    EXPECT_NEAR((x - 2.0) / (x + 2.0), e, 1e-15);
  }
  EXPECT_EQ(laws::fremond_kappa(1.0, 3.0), std::numeric_limits<double>::infinity());
  expect_refused([] { laws::fremond_kappa(1.5, 1.0); }, "law.restitution", {"1.5 is not in"});
}

TEST(AlgebraicOptions, Patterns) {
  expect_refused([] { validate(laws::FremondCone{}); }, "law.patterns", {"is missing"});
  expect_refused([] { validate(laws::FremondCone{.patterns = Matrix::Constant(2, 1, -1.0)}); },
                 "law.patterns", {"-1 is not a finite number >= 0"});
  expect_refused([] { validate(laws::FremondCone{.patterns = Matrix::Zero(2, 1)}); },
                 "law.patterns", {"column 0 is zero"});
  expect_refused([] { laws::FremondCone{.patterns = Matrix::Ones(3, 1)}(three_balls()); },
                 "law.patterns", {"has 3 rows", "2 contacts"});
}

TEST(AlgebraicOptions, Directions) {
  using laws::ImpulseRatios;
  expect_refused([] { validate(ImpulseRatios{}); }, "law.direction",
                 {"is missing", "p_next_over_p_prev"});
  expect_refused([] { validate(ImpulseRatios{.direction = numbers({1.0, -1.0})}); },
                 "law.direction", {"-1 is not"});
  expect_refused([] { validate(ImpulseRatios{.direction = Vector::Zero(2)}); }, "law.direction",
                 {"is zero"});
  expect_refused([] { ImpulseRatios{.direction = Vector::Ones(3)}(three_balls()); },
                 "law.direction", {"has 3 numbers", "2 contacts"});
  expect_refused([] { validate(ImpulseRatios{.direction = Vector::Ones(2), .energy_ratio = 1.5}); },
                 "law.energy_ratio", {"1.5 is not in [0, 1]"});
  expect_refused(
      [] {
        validate(ImpulseRatios{.direction = Vector::Ones(2),
                               .closure = ImpulseRatios::Closure::TotalEnergy,
                               .terminate = ImpulseRatios::Terminate::Primary});
      },
      "law.terminate", {"ray_energetic only"});
}

TEST(AlgebraicOptions, BothConventionsOfRatios) {
  const std::array<double, 2> next{2.0, 0.5};
  EXPECT_EQ(laws::from_next_over_previous(next), numbers({1.0, 2.0, 1.0}));
  EXPECT_EQ(laws::from_previous_over_next(next), numbers({1.0, 0.5, 1.0}));
  const std::array<double, 2> inverse{0.5, 2.0};
  EXPECT_EQ(laws::from_previous_over_next(inverse), laws::from_next_over_previous(next));
  const std::array<double, 1> zero{0.0};
  EXPECT_EQ(laws::from_next_over_previous(zero), numbers({1.0, 0.0}));
  expect_refused([&] { laws::from_previous_over_next(zero); }, "law.p_prev_over_p_next",
                 {"0 is not a finite number > 0"});
  const std::array<double, 1> negative{-1.0};
  expect_refused([&] { laws::from_next_over_previous(negative); }, "law.p_next_over_p_prev",
                 {"-1 is not"});
}

TEST(AlgebraicOptions, Matrices) {
  using laws::RestitutionMatrix;
  expect_refused([] { validate(RestitutionMatrix{}); }, "law.matrix", {"is missing"});
  expect_refused(
      [] {
        validate(RestitutionMatrix{.matrix = Matrix::Identity(2, 2),
                                   .quasi_velocity_matrix = Matrix::Identity(3, 3)});
      },
      "law.matrix", {"exclude each other"});
  expect_refused([] { validate(RestitutionMatrix{.matrix = Matrix::Constant(1, 1, kNan)}); },
                 "law.matrix", {"must be finite"});
  expect_refused([] { RestitutionMatrix{.matrix = Matrix::Identity(3, 3)}(three_balls()); },
                 "law.matrix", {"is 3 x 3", "2 contacts need 2 x 2"});
  expect_refused(
      [] { RestitutionMatrix{.quasi_velocity_matrix = Matrix::Identity(2, 2)}(three_balls()); },
      "law.quasi_velocity_matrix", {"is 2 x 2", "3 coordinates need 3 x 3"});
}

TEST(AlgebraicOptions, Sequences) {
  expect_refused([] { validate(laws::Binary{.max_collisions = 0}); }, "law.max_collisions",
                 {"0 is not >= 1"});
  expect_refused([] { validate(laws::SimultaneousSet{.max_collisions = -3}); },
                 "law.max_collisions", {"-3 is not >= 1"});
  expect_refused([] { validate(laws::Binary{.order = laws::Binary::Order::User}); }, "law.choose",
                 {"is missing"});
  const laws::Binary wrong{.order = laws::Binary::Order::User,
                           .choose = [](const Vector&) { return 1; }};
  expect_refused([&] { wrong(three_balls()); }, "law.choose",
                 {"returned 1", "no contact that approaches"});
}

TEST(AlgebraicOptions, TooManyAtOnce) {
  // 17 approaching contacts have 131 072 subsets.
  Vector velocities(18);
  for (int i = 0; i < 18; ++i) velocities[i] = -i;
  expect_refused([&] { laws::SimultaneousSet{}(row(velocities, 0.5)); }, "law.kind",
                 {"at most 16", "there are 17"});
}

TEST(AlgebraicOptions, TangentialAndGamma) {
  for (const double theta : {-1.1, 1.1, kNan}) {
    expect_refused([&] { validate(laws::Coulomb{.tangential = theta}); }, "law.tangential",
                   {"in [-1, 1]"});
  }
  for (const double gamma : {-1.0, std::numeric_limits<double>::infinity()}) {
    expect_refused([&] { validate(laws::ScalarRestitution{.gamma = gamma}); }, "law.gamma",
                   {"a finite number >= 0"});
  }
}

TEST(AlgebraicOptions, ContactsWithoutMobilityAreRefused) {
  ImpactProblem problem = three_balls();
  problem.gradients.coeffRef(1, 1) = 0.0;
  problem.gradients.coeffRef(2, 1) = 0.0;
  testing::for_each_law(
      2, [&](const auto& law) { EXPECT_THROW(resolve(problem, law), InvalidInput); });
}

}  // namespace
}  // namespace percute

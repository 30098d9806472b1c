// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "unit/laws/algebraic_testing.hpp"

#include <gmock/gmock.h>

#include <cmath>

namespace percute {
namespace {

using ::testing::HasSubstr;
using testing::numbers;
using testing::row;

TEST(AlgebraicStatus, ACollapseIsFinishedPlastically) {
  // Three equal balls collapse below e = 7 − 4√3 = 0.0718.
  const ImpactProblem problem = row(numbers({1.0, 0.0, 0.0}), 0.05);
  const ImpactResult finished = resolve(problem, laws::Binary{});
  EXPECT_EQ(finished.status, Status::Zeno);
  EXPECT_TRUE(finished.consistency.all());
  ASSERT_TRUE(finished.diagnostics.residual_velocity);
  EXPECT_GT(*finished.diagnostics.residual_velocity, 0.0);
  testing::expect_near(finished.velocity, {1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0}, 1e-9);

  // Cut after one collision and not finished: nothing is claimed.
  const ImpactResult cut =
      resolve(problem, laws::Binary{.finish = laws::Binary::Finish::None, .max_collisions = 1});
  EXPECT_EQ(cut.status, Status::NotTerminated);
  EXPECT_FALSE(cut.consistency.kinematic);
  EXPECT_EQ(cut.diagnostics.algebraic->sequence.size(), 1U);
}

TEST(AlgebraicStatus, DependentContactsHaveNoMatrix) {
  ImpactProblem problem = row(numbers({1.0, 0.0}), 0.5);
  problem.contacts.resize(2, problem.contacts[0]);
  Matrix W(2, 2);
  W << -1.0, -1.0, 1.0, 1.0;
  problem.gradients = W.sparseView();
  const laws::RestitutionMatrix law{.matrix = 0.5 * Matrix::Identity(2, 2)};
  EXPECT_EQ(resolve(problem, law).status, Status::Singular);
  EXPECT_EQ(resolve(problem, laws::Newton{.form = laws::Newton::Form::Equality}).status,
            Status::Singular);
  const laws::RestitutionMatrix quasi{.quasi_velocity_matrix = -Matrix::Identity(2, 2)};
  EXPECT_EQ(resolve(problem, quasi).status, Status::Singular);
}

TEST(AlgebraicStatus, EnergyOutOfReachComesWithTheBound) {
  // T⁻ = ½; a = (1, 0): b = −1, c = 2, the least ratio is 1 − b²/(2 c T⁻) = ½.
  const ImpactProblem problem = row(numbers({1.0, 0.0, 0.0}), 1.0);
  const laws::ImpulseRatios law{.direction = numbers({1.0, 0.0}),
                                .closure = laws::ImpulseRatios::Closure::TotalEnergy,
                                .energy_ratio = 0.4};
  const ImpactResult result = resolve(problem, law);
  EXPECT_EQ(result.status, Status::EnergyUnreachable);
  ASSERT_TRUE(result.diagnostics.algebraic->energy_bound);
  EXPECT_NEAR(*result.diagnostics.algebraic->energy_bound, 0.5, 1e-14);
  EXPECT_EQ(result.velocity, problem.velocity);
  // The bound itself is reachable: the plastic impact of the first two.
  laws::ImpulseRatios bound = law;
  bound.energy_ratio = 0.5;
  const ImpactResult reached = resolve(problem, bound);
  EXPECT_EQ(reached.status, Status::Ok);
  testing::expect_near(reached.velocity, {0.5, 0.5, 0.0}, 1e-7);  // √ of rounding at a double root
}

TEST(AlgebraicStatus, ARayMustCompress) {
  // The second contact alone does not approach.
  const ImpactProblem problem = row(numbers({1.0, 0.0, 0.0}), 1.0);
  EXPECT_EQ(resolve(problem, laws::ImpulseRatios{.direction = numbers({0.0, 1.0})}).status,
            Status::RayNotCompressive);
  // A pattern that touches only a contact left out because it separates.
  const ImpactProblem opening = row(numbers({1.0, 0.0, 1.0}), 1.0);
  Matrix pattern(2, 1);
  pattern << 0.0, 1.0;
  EXPECT_EQ(resolve(opening, laws::FremondCone{.patterns = pattern}).status,
            Status::RayNotCompressive);
}

TEST(AlgebraicStatus, SortingIsForEqualElasticBallsInARow) {
  EXPECT_EQ(resolve(row(numbers({1.0, 0.0, 0.0}), 1.0), laws::CradleSort{}).status, Status::Ok);
  const auto refused = [](const ImpactProblem& problem) {
    const ImpactResult result = resolve(problem, laws::CradleSort{});
    EXPECT_EQ(result.status, Status::NotApplicable);
    return result.diagnostics.reason;
  };
  EXPECT_THAT(refused(row(numbers({1.0, 0.0, 0.0}), 0.9)), HasSubstr("contacts[0] has a restit"));
  const ImpactProblem unequal =
      row(numbers({1.0, 1.0, 2.0}), numbers({1.0, 0.0, 0.0}), numbers({1.0, 1.0}));
  EXPECT_THAT(refused(unequal), HasSubstr("contacts[1] is between unequal masses"));
  EXPECT_THAT(refused(testing::particle(0.0, -1.0, 1.0, 0.0)), HasSubstr("not between two balls"));
}

TEST(AlgebraicStatus, QuasiVelocitiesNobodyCanImpart) {
  // Without friction the common motion of the balls must be kept: −1 in its place.
  const ImpactProblem problem = row(numbers({1.0, 0.0}), 1.0);
  Matrix E(2, 2);
  E << 1.0, 0.0, 0.0, -1.0;
  const ImpactResult good = resolve(problem, laws::RestitutionMatrix{.quasi_velocity_matrix = E});
  EXPECT_EQ(good.status, Status::Ok);
  testing::expect_near(good.velocity, {0.0, 1.0}, 1e-14);
  E(1, 1) = 1.0;
  EXPECT_EQ(resolve(problem, laws::RestitutionMatrix{.quasi_velocity_matrix = E}).status,
            Status::Infeasible);
}

TEST(AlgebraicStatus, SequencesAreRecorded) {
  const ImpactResult result = resolve(row(numbers({1.0, 0.0, 0.0}), 0.5), laws::Binary{});
  std::vector<int> contacts;
  for (const Collision& collision : result.diagnostics.algebraic->sequence) {
    contacts.push_back(collision.contact);
  }
  EXPECT_EQ(contacts, (std::vector<int>{0, 1, 0}));
  EXPECT_NEAR(result.diagnostics.algebraic->sequence.back().energy_ratio, 0.41259765625, 1e-14);
  testing::expect_near(result.velocity, {0.203125, 0.234375, 0.5625}, 1e-14);
}

TEST(AlgebraicStatus, SeparatingContactsByPolicy) {
  // v = (1, 0, 0.1): the second contact separates. Kept with e = 1 at the first, Newton's law
  // creates energy, 0.505 → 0.535; left out it does not.
  const ImpactProblem problem =
      row(numbers({1.0, 1.0, 1.0}), numbers({1.0, 0.0, 0.1}), numbers({1.0, 0.0}));
  using laws::Separating;
  const ImpactResult kept =
      resolve(problem, laws::Newton{.options = {.separating = Separating::Include}});
  testing::expect_near(kept.velocity, {-0.3, 0.7, 0.7}, 1e-12);
  EXPECT_FALSE(kept.consistency.energetic);
  EXPECT_NEAR(kept.energy.after, 0.535, 1e-12);
  const ImpactResult left_out = resolve(problem, laws::Newton{});
  EXPECT_TRUE(left_out.consistency.all());
  EXPECT_GT(left_out.diagnostics.algebraic->stages, 1);
  // Moreau's law with the separating velocity as it is: U₂⁺ = −0.1 approaches.
  const ImpactResult raw = resolve(
      problem, laws::Moreau{.restitution = 1.0, .options = {.separating = Separating::IncludeRaw}});
  EXPECT_FALSE(raw.consistency.kinematic);
  testing::expect_near(raw.gap_rate, {1.0, -0.1}, 1e-12);
}

}  // namespace
}  // namespace percute

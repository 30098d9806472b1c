// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include <percute/analysis/law_family.hpp>
#include <percute/laws/complementarity.hpp>
#include <percute/model/invalid_input.hpp>
#include <percute/systems/ball_chain.hpp>
#include <percute/systems/spatial_body.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace percute::analysis {
namespace {

FamilyMaker maker(std::string_view kind, std::size_t place = 0) {
  return family_makers(kind).at(place);
}

/// Three equal balls, the first at 2 m/s, so that V is not 1.
class Coverage3 : public ::testing::Test {
 protected:
  const systems::BallChain chain{.balls = 3};
  const ImpactProblem problem = chain.impact(chain.at_contact(2.0));

  Coverage of(const FamilyMaker& family, long samples, int cells = 20) const {
    return coverage(problem, family(problem), {.samples = samples, .cells_per_axis = cells});
  }
};

/// x² + x y + y² for an outcome.
double form(const Vector& u) {
  return u[0] * u[0] + u[0] * u[1] + u[1] * u[1];
}

TEST_F(Coverage3, TheSetOfOutcomesIsAPieceOfAnEllipse) {
  const OutcomeSet set = outcome_set(problem);
  EXPECT_DOUBLE_EQ(set.speed, 2.0);
  for (const double x : {-0.01, 0.0, 0.3, 0.6, 0.99, 1.01}) {
    for (const double y : {-0.01, 0.0, 0.3, 0.6, 0.99, 1.01}) {
      const Vector u = Eigen::Vector2d(x, y);
      EXPECT_EQ(set.contains(2.0 * u), x >= 0.0 && y >= 0.0 && form(u) <= 1.0) << x << " " << y;
      EXPECT_NEAR(set.energy_ratio(2.0 * u), (1.0 + 2.0 * form(u)) / 3.0, 1e-14);
    }
  }
  EXPECT_TRUE(set.contains(Eigen::Vector2d(0.0, 2.0)));  // (0, 0, 1): one collision after another
  EXPECT_FALSE(set.contains(Eigen::Vector2d(std::nan(""), 0.0)));
}

TEST_F(Coverage3, MoreauReachesALine) {
  const Coverage found = of(maker("moreau"), 200);
  for (const OutcomeSample& sample : found.samples) {
    EXPECT_TRUE(sample.admissible);
    EXPECT_NEAR(sample.outcome[0], sample.parameters[0], 1e-12);
    EXPECT_NEAR(sample.outcome[1], 0.0, 1e-12);
  }
  // The lowest row of cells, up to x = 1 of 1.1547.
  EXPECT_GE(found.covered, 17);
  EXPECT_LE(found.covered, 18);
}

TEST_F(Coverage3, PoissonReachesATriangle) {
  const Coverage found = of(maker("poisson"), 4000);
  double furthest = 0.0;
  for (const OutcomeSample& sample : found.samples) {
    EXPECT_TRUE(sample.admissible);
    furthest = std::max(furthest, sample.outcome[0] + 2.0 * sample.outcome[1]);
    EXPECT_NEAR(sample.energy_ratio, (1.0 + 2.0 * form(sample.outcome)) / 3.0, 1e-12);
  }
  EXPECT_NEAR(furthest, 1.0, 1e-12);
  // All of it, by e₁ = x + y/2 and e₂ = x + 2y.
  const LawFamily family = maker("poisson")(problem);
  for (const double x : {0.0, 0.2, 0.5, 0.8, 1.0}) {
    for (double y = 0.0; x + 2.0 * y <= 1.0; y += 0.05) {
      const Vector reached =
          family.resolve(problem, Eigen::Vector2d(x + 0.5 * y, std::min(x + 2.0 * y, 1.0)))
              .gap_rate;
      EXPECT_LT((reached / 2.0 - Eigen::Vector2d(x, y)).norm(), 1e-12) << x << " " << y;
    }
  }
  // 1/4 of the area π/(3√3) of the set, and half the cells on its border, 13 of 181.
  const double area = 0.25 / (std::numbers::pi / (3.0 * std::sqrt(3.0)));
  EXPECT_GT(found.fraction(), area - 0.02);
  EXPECT_LT(found.fraction(), area + 0.1);
}

TEST_F(Coverage3, LargerCoefficientsReachTheRest) {
  EXPECT_GT(of(maker("poisson", 1), 8000).fraction(), 0.99);
  EXPECT_GT(of(maker("restitution_matrix"), 8000).fraction(), 0.99);
  // One ray in nine leads to an admissible outcome.
  EXPECT_GT(of(maker("icr"), 40'000).fraction(), 0.99);
}

TEST_F(Coverage3, OtherLawsReachPartOfIt) {
  // Newton's law lets only the contact that approaches restitute: Moreau's line.
  EXPECT_LE(of(maker("newton"), 500).covered, 18);
  for (const FamilyMaker& family : {maker("fremond_quadratic"), maker("binary"),
                                    maker("simultaneous_set"), maker("scalar_restitution")}) {
    const Coverage found = of(family, 1000);
    for (const OutcomeSample& sample : found.samples) {
      EXPECT_TRUE(sample.admissible)
          << family(problem).name << " " << sample.parameters.transpose();
    }
    EXPECT_GT(found.covered, 0);
    EXPECT_LT(found.fraction(), 0.9) << family(problem).name;
  }
}

TEST_F(Coverage3, StiffnessRatiosAndLossesReachMuch) {
  const Coverage found = of(maker("lzb"), 600, 10);
  EXPECT_GT(found.fraction(), 0.5);
  for (const OutcomeSample& sample : found.samples) EXPECT_TRUE(sample.admissible);
}

TEST_F(Coverage3, InadmissibleOutcomesCoverNothing) {
  const LawFamily growing{.name = "growing",
                          .parameters = {{.name = "e", .lowest = 1.01, .highest = 2.0}},
                          .resolve = [](const ImpactProblem& given, const Vector&) {
                            ImpactResult result;
                            result.velocity = 2.0 * given.velocity;
                            result.impulse = Vector::Zero(2);
                            complete(given, result);
                            return result;
                          }};
  const Coverage found = coverage(problem, growing, {.samples = 10});
  EXPECT_EQ(found.covered, 0);
  EXPECT_EQ(found.samples.size(), 12U);  // and two corners
  for (const OutcomeSample& sample : found.samples) EXPECT_FALSE(sample.admissible);
}

TEST_F(Coverage3, SamplesStayInTheBoxAndFillIt) {
  LawFamily plain{.name = "plain",
                  .parameters = {{.name = "a", .lowest = -1.0, .highest = 3.0},
                                 {.name = "b", .lowest = 5.0, .highest = 5.5}},
                  .resolve = [](const ImpactProblem& given, const Vector&) {
                    return resolve(given, laws::Moreau{.restitution = 0.5});
                  }};
  const Coverage found = coverage(problem, plain, {.samples = 400});
  ASSERT_EQ(found.samples.size(), 404U);
  int quarter = 0;
  for (const OutcomeSample& sample : found.samples) {
    const Vector& point = sample.parameters;
    EXPECT_GE(point[0], -1.0);
    EXPECT_LE(point[0], 3.0);
    EXPECT_GE(point[1], 5.0);
    EXPECT_LE(point[1], 5.5);
    quarter += point[0] < 1.0 && point[1] < 5.25 ? 1 : 0;
  }
  EXPECT_NEAR(quarter, 101, 26);  // three standard deviations
  plain.parameters.clear();
  EXPECT_EQ(coverage(problem, plain, {.samples = 100}).samples.size(), 1U);
}

TEST_F(Coverage3, RefusesWhatHasNoSuchSet) {
  const auto refused = [](ImpactProblem changed, const std::string& field) {
    try {
      outcome_set(changed);
      ADD_FAILURE() << field;
    } catch (const InvalidInput& error) {
      EXPECT_EQ(error.field(), field);
    }
  };
  ImpactProblem changed = problem;
  changed.contacts[1].stored_energy = 1.0;
  refused(changed, "contacts[1].stored_energy");
  changed = problem;
  changed.contacts[0].material.friction = 0.5;
  set_tangents(changed, {Matrix::Ones(3, 1), Matrix()});
  refused(changed, "contacts[0].friction");
  changed = problem;
  changed.velocity.setZero();
  refused(changed, "velocity");
  const systems::FourFootPlate plate;
  refused(plate.impact(plate.at_contact(Eigen::Vector3d(-1.0, 0.0, 0.0))), "contacts");
}

}  // namespace
}  // namespace percute::analysis

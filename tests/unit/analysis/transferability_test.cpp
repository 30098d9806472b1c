// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include <percute/analysis/law_family.hpp>
#include <percute/laws/complementarity.hpp>
#include <percute/laws/lzb.hpp>
#include <percute/model/invalid_input.hpp>
#include <percute/systems/ball_chain.hpp>

#include <gtest/gtest.h>

namespace percute::analysis {
namespace {

FamilyMaker maker(std::string_view kind, std::size_t place = 0) {
  return family_makers(kind).at(place);
}

ImpactProblem balls(int count, std::vector<Material> materials = {}) {
  const systems::BallChain chain{.balls = count, .materials = std::move(materials)};
  return chain.impact(chain.at_contact(1.0));
}

ImpactResult elastic_hertz(const ImpactProblem& problem) {
  return resolve(problem, laws::Lzb{.tolerance = 1e-9});
}

TEST(Transferability, FindsTheParametersOfItsOwnLaw) {
  const ImpactProblem problem = balls(3);
  const Vector wanted =
      maker("poisson")(problem).resolve(problem, Eigen::Vector2d(0.3, 0.7)).velocity;
  const Identification found = identify(problem, maker("poisson")(problem), wanted);
  EXPECT_LT(found.misfit, 1e-9);
  EXPECT_NEAR(found.parameters[0], 0.3, 1e-8);
  EXPECT_NEAR(found.parameters[1], 0.7, 1e-8);
}

TEST(Transferability, SaysWhereALawCannotFollow) {
  // Moreau's law moves balls 2 and 3 alike, whatever e: half their difference remains.
  const ImpactProblem problem = balls(3);
  const Vector hertz = elastic_hertz(problem).velocity;
  const Identification found = identify(problem, maker("moreau")(problem), hertz);
  EXPECT_GT(found.misfit, 0.45 * (hertz[2] - hertz[1]));
}

TEST(Transferability, RestitutionIsCarriedToAPart) {
  const ImpactProblem problem = balls(4);
  const Reference nature = [](const ImpactProblem& given) {
    return resolve(given, laws::Moreau{.restitution = 0.6});
  };
  const Transfer found = transferability(problem, maker("moreau"), nature, {0, 1});
  EXPECT_NEAR(found.whole.parameters[0], 0.6, 1e-9);
  EXPECT_LT(found.error, 1e-9);
  EXPECT_LT(found.change, 1e-9);
}

TEST(Transferability, RatiosOfImpulsesAreNoConstantsOfTheMaterial) {
  // p1/p2 is 0.9731 in a row of four Hertzian balls and 1.0768 in a row of three: shares p2/(p1+p2)
  // of 0.5068 and 0.4815.
  const Transfer found = transferability(balls(4), maker("icr"), elastic_hertz, {0, 1});
  EXPECT_LT(found.whole.misfit, 1e-6);
  EXPECT_LT(found.part.misfit, 1e-6);
  EXPECT_NEAR(found.whole.parameters[0], 0.5068, 1e-3);
  EXPECT_NEAR(found.part.parameters[0], 0.4815, 1e-3);
  EXPECT_GT(found.error, 0.01);
  EXPECT_NEAR(found.change, 0.0253, 1e-3);
}

TEST(Transferability, APartKeepsItsContactsInTheOrderGiven) {
  const ImpactProblem problem =
      balls(4, {{.restitution = 0.1}, {.restitution = 0.2}, {.restitution = 0.3}});
  const ImpactProblem part = part_of(problem, {2, 0});
  ASSERT_EQ(part.contacts.size(), 2U);
  EXPECT_EQ(part.contacts[0].material.restitution, 0.3);
  EXPECT_EQ(part.contacts[1].material.restitution, 0.1);
  EXPECT_EQ(Vector(part.gradients.col(0)), Vector(problem.gradients.col(2)));
  EXPECT_NO_THROW(validate(part));
  EXPECT_THROW(part_of(problem, {3}), InvalidInput);
}

TEST(Transferability, RatiosOfStrangersAreRefused) {
  EXPECT_THROW(transferability(balls(4), maker("icr"), elastic_hertz, {0, 2}, 10), InvalidInput);
}

}  // namespace
}  // namespace percute::analysis

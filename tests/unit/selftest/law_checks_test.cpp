// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "selftest/law_checks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace percute::selftest {
namespace {

/// Three equal balls, the first strikes; e = ½.
RandomLaws three_balls() {
  RandomLaws out;
  out.kind = "chain";
  out.problem.mass = MassMatrix::diagonal(Vector::Ones(3));
  out.problem.velocity = Vector::Unit(3, 0);
  Matrix W(3, 2);
  W << -1.0, 0.0, 1.0, -1.0, 0.0, 1.0;
  out.problem.gradients = W.sparseView();
  out.problem.contacts.resize(2, Contact{.material = {.restitution = 0.5}});
  out.translation = Vector::Ones(3);
  out.restitution = 0.5;
  return out;
}

std::vector<std::string> failing(const std::vector<LawReport>& reports) {
  std::vector<std::string> out;
  for (const LawReport& report : reports) {
    for (const Check& check : report.checks) {
      if (!check.holds()) out.push_back(report.name + ": " + check.name);
    }
  }
  return out;
}

TEST(LawChecks, GoodLawsPass) {
  RandomLaws random = three_balls();
  random.trials.push_back({"moreau", laws::Moreau{.restitution = 0.5}, true, true, true});
  random.trials.push_back({"poisson", laws::Poisson{}, true, true, true});
  laws::AlgebraicWorkspace workspace;
  EXPECT_THAT(failing(check_laws(random, workspace)), ::testing::IsEmpty());
  EXPECT_THAT(failing({check_relations(random)}), ::testing::IsEmpty());
  const std::vector<LawReport> solvers = check_solvers(random);
  EXPECT_EQ(solvers.size(), 6U);
  EXPECT_THAT(failing(solvers), ::testing::IsEmpty());
}

TEST(LawChecks, BrokenPromisesAreNoticed) {
  // One impulse pattern (1, 1) leaves the first two balls approaching each other.
  RandomLaws random = three_balls();
  random.trials.push_back({"cone",
                           laws::FremondCone{.patterns = Matrix::Ones(2, 1), .restitution = 0.5},
                           true, true, true});
  // R = 2 I creates energy.
  random.trials.push_back({"matrix",
                           laws::RestitutionMatrix{.matrix = 2.0 * Matrix::Identity(2, 2)}, true,
                           true, true});
  // It has no answer to a ray that does not compress.
  random.trials.push_back({"ray",
                           laws::ImpulseRatios{.direction = Vector::Unit(2, 1), .restitution = 0.5},
                           true, true, false});
  laws::AlgebraicWorkspace workspace;
  EXPECT_THAT(failing(check_laws(random, workspace)),
              ::testing::UnorderedElementsAre("cone: separation", "matrix: energy", "ray: status"));
}

TEST(RandomLaws, EveryKindAndEveryLaw) {
  std::set<std::string> kinds;
  std::set<std::string> names;
  bool infinite_friction = false;
  for (std::uint64_t index = 0; index < 400; ++index) {
    const RandomLaws random = random_laws(1, index);
    EXPECT_NO_THROW(validate(random.problem)) << index;
    EXPECT_LE(random.problem.contacts.size(), 12U) << index;
    kinds.insert(random.kind);
    for (const LawTrial& trial : random.trials) names.insert(trial.name);
    for (const Contact& contact : random.problem.contacts) {
      infinite_friction = infinite_friction || std::isinf(contact.material.friction);
    }
  }
  EXPECT_EQ(kinds.size(), 10U);
  EXPECT_EQ(names.size(), 18U);
  EXPECT_TRUE(infinite_friction);
}

TEST(RandomLaws, DrawnAgainItIsTheSame) {
  for (std::uint64_t index = 0; index < 50; ++index) {
    const RandomLaws a = random_laws(3, index);
    const RandomLaws b = random_laws(3, index);
    EXPECT_EQ(a.problem.velocity, b.problem.velocity);
    EXPECT_EQ(Matrix(a.problem.gradients), Matrix(b.problem.gradients));
    ASSERT_EQ(a.trials.size(), b.trials.size());
    for (std::size_t k = 0; k < a.trials.size(); ++k) {
      EXPECT_EQ(fingerprint(resolve(a.problem, a.trials[k].law)),
                fingerprint(resolve(b.problem, b.trials[k].law)));
    }
  }
}

}  // namespace
}  // namespace percute::selftest

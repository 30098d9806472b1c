// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include <percute/model/impact_problem.hpp>
#include <percute/model/invalid_input.hpp>

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace percute {

namespace {

ImpactProblem two_balls() {
  ImpactProblem problem;
  problem.mass = MassMatrix::diagonal(Vector{{1.0, 3.0}});
  problem.velocity = Vector{{2.0, 0.0}};
  problem.gradients = Matrix{{-1.0}, {1.0}}.sparseView();
  problem.contacts.resize(1);
  return problem;
}

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

struct BadInput {
  std::string field;
  std::function<void(ImpactProblem&)> spoil;
};

class BadInputTest : public ::testing::TestWithParam<BadInput> {};

}  // namespace

TEST_P(BadInputTest, IsRefusedByName) {
  ImpactProblem problem = two_balls();
  ASSERT_NO_THROW(validate(problem));
  GetParam().spoil(problem);
  try {
    validate(problem);
    FAIL() << "accepted";
  } catch (const InvalidInput& error) {
    EXPECT_EQ(error.field(), GetParam().field) << error.what();
  }
}

INSTANTIATE_TEST_SUITE_P(
    Problem, BadInputTest,
    ::testing::Values(
        BadInput{"velocity", [](ImpactProblem& p) { p.velocity = Vector{{1.0}}; }},
        BadInput{"velocity[0]", [](ImpactProblem& p) { p.velocity[0] = kNan; }},
        BadInput{"contacts", [](ImpactProblem& p) { p.contacts.resize(2); }},
        BadInput{"contacts[0].gradient", [](ImpactProblem& p) { p.gradients *= 0.0; }},
        BadInput{"contacts[0].gradient", [](ImpactProblem& p) { p.gradients *= kNan; }},
        BadInput{"contacts[0].restitution",
                 [](ImpactProblem& p) { p.contacts[0].material.restitution = 2.01; }},
        BadInput{"contacts[0].restitution",
                 [](ImpactProblem& p) { p.contacts[0].material.restitution = kNan; }},
        BadInput{"contacts[0].exponent",
                 [](ImpactProblem& p) { p.contacts[0].material.exponent = 0.99; }},
        BadInput{"contacts[0].stiffness",
                 [](ImpactProblem& p) { p.contacts[0].material.stiffness = 0.0; }},
        BadInput{"contacts[0].friction",
                 [](ImpactProblem& p) { p.contacts[0].material.friction = -0.1; }},
        BadInput{"contacts[0].stored_energy",
                 [](ImpactProblem& p) { p.contacts[0].stored_energy = -1.0; }},
        BadInput{"velocity", [](ImpactProblem& p) { p.velocity[0] = 1e200; }},
        BadInput{"contacts[0].gradient",
                 [](ImpactProblem& p) { p.gradients.coeffRef(0, 0) = -1e308; }},
        BadInput{"contacts[0].tangents", [](ImpactProblem& p) { p.contacts[0].directions = 1; }},
        BadInput{"contacts[0].directions", [](ImpactProblem& p) { p.contacts[0].directions = 3; }},
        BadInput{"contacts[0].directions",
                 [](ImpactProblem& p) {
                   set_tangents(p, {Matrix::Ones(2, 2)});
                   p.contacts[0].directions = 1;
                 }},
        BadInput{"contacts[0].tangents[0]",
                 [](ImpactProblem& p) { set_tangents(p, {Matrix::Zero(2, 1)}); }},
        BadInput{"contacts[0].tri_stiffness",
                 [](ImpactProblem& p) {
                   p.contacts[0].material.contact_model = ContactModel::TriStiffness;
                 }},
        BadInput{"contacts[0].tri_stiffness.unloading_stiffness", [](ImpactProblem& p) {
                   p.contacts[0].material.tri_stiffness = TriStiffness{0.1, 0.5, 0.9};
                 }}));

TEST(Tangents, AreOneMatrixPerContactAndRowsOfAllCoordinates) {
  const auto refused = [](const std::vector<Matrix>& tangents) -> std::string {
    ImpactProblem problem = two_balls();
    try {
      set_tangents(problem, tangents);
    } catch (const InvalidInput& error) {
      return error.field();
    }
    return "";
  };
  EXPECT_EQ(refused({Matrix::Ones(3, 1)}), "contacts[0].tangents");
  EXPECT_EQ(refused({Matrix::Ones(2, 3)}), "contacts[0].tangents");
  EXPECT_EQ(refused({}), "tangents");
  EXPECT_EQ(refused({Matrix()}), "");
  ImpactProblem problem = two_balls();
  set_tangents(problem, {Matrix{{1.0, 0.0}, {2.0, 3.0}}});
  EXPECT_EQ(problem.contacts[0].directions, 2);
  EXPECT_EQ(problem.tangents.nonZeros(), 3);
  EXPECT_EQ(Matrix(tangents_of(problem, 0)), (Matrix{{1.0, 0.0}, {2.0, 3.0}}));
}

TEST(ImpactScales, FollowTheirDefinitions) {
  const ImpactProblem problem = two_balls();
  const ImpactScales s = scales(problem);
  EXPECT_DOUBLE_EQ(s.velocity, 2.0);
  EXPECT_DOUBLE_EQ(s.gap_rate_tol, 2e-10);
  EXPECT_DOUBLE_EQ(s.effective_mass[0], 0.75);  // 1/(1/1 + 1/3)
  EXPECT_DOUBLE_EQ(s.energy, 0.5 * 4.0 * 0.75);
}

TEST(ImpactScales, PrecompressionCountsAsMotion) {
  ImpactProblem problem = two_balls();
  problem.velocity.setZero();
  problem.contacts[0].stored_energy = 6.0;
  const ImpactScales s = scales(problem);
  EXPECT_DOUBLE_EQ(s.velocity, 4.0);  // √(2·6/0.75)
}

}  // namespace percute

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "systems_testing.hpp"

#include <percute/systems/multiple_pendulum.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace percute::systems {
namespace {

using Eigen::Vector2d;
using std::numbers::pi;
using testing::field_refused;
using Wall = DoublePendulum::Wall;

using Names = std::vector<std::string>;

/// Kane's: rods of mass 1 and length 1 at 20° and 30°.
DoublePendulum kane() {
  return {.angles = {20.0 * pi / 180.0, 30.0 * pi / 180.0}};
}

DoublePendulum uneven() {
  return {.masses = {1.5, 0.7}, .lengths = {0.8, 1.3}, .angles = {0.4, -0.9}, .wall = Wall::Left};
}

TEST(DoublePendulum, KanesNumbers) {
  const DoublePendulum pendulum = kane();
  const ImpactProblem problem = pendulum.impact(pendulum.at_contact({-0.1, -0.2}));
  EXPECT_NO_THROW(validate(problem));
  EXPECT_NEAR(problem.mass(0, 0), 4.0 / 3.0, 1e-15);
  EXPECT_NEAR(problem.mass(0, 1), 0.5 * std::cos(10.0 * pi / 180.0), 1e-15);
  EXPECT_NEAR(problem.mass(1, 1), 1.0 / 3.0, 1e-15);
  const Matrix H = testing::directions(problem);
  const Vector U = H.transpose() * problem.velocity;
  const Matrix G = testing::delassus(problem);
  // Ten digits are known.
  EXPECT_NEAR(U[0], -0.1342020143, 1e-10);
  EXPECT_NEAR(U[1], -0.2671743428, 1e-10);
  EXPECT_NEAR(G(0, 0), 1.0095602905, 1e-10);
  EXPECT_NEAR(G(1, 0), 1.5213086580, 1e-10);
  EXPECT_NEAR(G(1, 1), 2.4403380457, 1e-10);
  EXPECT_NEAR(problem.mass.kinetic_energy(problem.velocity), 0.0231814109, 1e-10);
}

TEST(DoublePendulum, DirectionsAreDerivativesOfThePlaceOfTheTip) {
  const DoublePendulum pendulum = uneven();
  const State state = pendulum.at_contact({0.0, 0.0});
  const ImpactProblem problem = pendulum.impact(state);
  ASSERT_EQ(problem.contacts.size(), 2U);
  const auto tip = [&](const Vector& q) {
    return Vector2d(0.8 * std::sin(q[0]) + 1.3 * std::sin(q[1]),
                    -0.8 * std::cos(q[0]) - 1.3 * std::cos(q[1]));
  };
  constexpr double kStep = 1e-6;
  for (int k = 0; k < 2; ++k) {
    const Vector step = kStep * Vector::Unit(2, k);
    const Vector2d slope =
        (tip(state.position + step) - tip(state.position - step)) / (2.0 * kStep);
    // Rounding 1e-15/1e-6 and curvature 1e-12 leave 1e-9.
    EXPECT_NEAR(problem.gradients.coeff(k, 0), slope.y(), 1e-9);
    EXPECT_NEAR(Matrix(tangents_of(problem, 0))(k, 0), slope.x(), 1e-9);
    EXPECT_NEAR(problem.gradients.coeff(k, 1), slope.x(), 1e-9);
    EXPECT_NEAR(Matrix(tangents_of(problem, 1))(k, 0), -slope.y(), 1e-9);
  }
}

TEST(DoublePendulum, TheMassMatrixGivesTheEnergyOfTheRods) {
  // ½ ∫ |velocity|² dm along both rods, by the midpoint rule.
  const DoublePendulum pendulum = uneven();
  const Vector2d rates(0.6, -1.1);
  const ImpactProblem problem = pendulum.impact(pendulum.at_contact(rates));
  const auto& [a, b] = pendulum.angles;
  const Vector2d joint = 0.8 * rates[0] * Vector2d(std::cos(a), std::sin(a));
  constexpr int kPieces = 2000;
  double energy = 0.0;
  for (int k = 0; k < kPieces; ++k) {
    const double part = (k + 0.5) / kPieces;
    const Vector2d lower = joint + 1.3 * part * rates[1] * Vector2d(std::cos(b), std::sin(b));
    energy += 0.5 * (1.5 * part * part * joint.squaredNorm() + 0.7 * lower.squaredNorm()) / kPieces;
  }
  // The rule errs by (1/2000)²/24 of the quadratic part.
  EXPECT_NEAR(problem.mass.kinetic_energy(rates), energy, 1e-7);
}

TEST(DoublePendulum, WallsPushTheirWay) {
  DoublePendulum pendulum = uneven();
  const State state = pendulum.at_contact({0.1, 0.1});
  EXPECT_EQ(AnySystem(pendulum).contact_names(state), (Names{"tip–floor", "tip–wall"}));
  const ImpactProblem left = pendulum.impact(state);
  pendulum.wall = Wall::Right;
  const ImpactProblem right = pendulum.impact(state);
  EXPECT_EQ(Vector(left.gradients.col(1)), -Vector(right.gradients.col(1)));
  EXPECT_EQ(Matrix(tangents_of(left, 1)), -Matrix(tangents_of(right, 1)));
  pendulum.wall = Wall::None;
  EXPECT_EQ(AnySystem(pendulum).contact_names(state), Names{"tip–floor"});
}

TEST(DoublePendulum, AboveTheFloorNothingTouches) {
  const DoublePendulum pendulum = kane();
  State state = pendulum.at_contact({-0.1, -0.2});
  state.position[0] += 1e-6;  // the tip rises with both angles
  EXPECT_TRUE(AnySystem(pendulum).contact_names(state).empty());
  EXPECT_TRUE(pendulum.impact(state).contacts.empty());
}

TEST(DoublePendulum, RodsHaveNamesAndUnits) {
  const std::vector<Body> bodies = AnySystem(kane()).bodies();
  ASSERT_EQ(bodies.size(), 2U);
  EXPECT_EQ(bodies[1].coordinate_name(0), "rod 2");
  EXPECT_EQ(bodies[1].unit(0), "rad/s");
}

TEST(DoublePendulum, RefusesWhatCannotBeBuilt) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto refused = [](auto change) {
    DoublePendulum pendulum = kane();
    change(pendulum);
    return field_refused([&] { validate(pendulum); });
  };
  EXPECT_EQ(refused([](auto& p) { p.masses[1] = 0.0; }), "masses[1]");
  EXPECT_EQ(refused([](auto& p) { p.lengths[0] = -1.0; }), "lengths[0]");
  EXPECT_EQ(refused([&](auto& p) { p.angles[1] = nan; }), "angles[1]");
  EXPECT_EQ(refused([](auto& p) { p.angles = {0.0, 0.0}; }), "angles");
  EXPECT_EQ(refused([](auto& p) { p.angles = {0.0, pi}; }), "angles");
  EXPECT_EQ(refused([](auto& p) {
              p.angles = {0.5 * pi, -0.5 * pi};
              p.wall = Wall::Right;
            }),
            "angles");
  EXPECT_EQ(refused([](auto& p) { p.materials = {{}, {}}; }), "materials");
  EXPECT_EQ(field_refused([&] { kane().at_contact({nan, 0.0}); }), "velocity");
}

}  // namespace
}  // namespace percute::systems

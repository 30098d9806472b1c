// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "systems_testing.hpp"

#include <percute/laws/complementarity.hpp>
#include <percute/laws/darboux_keller_single.hpp>
#include <percute/systems/planar_body.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace percute::systems {
namespace {

using Eigen::Vector3d;
using testing::field_refused;

using Names = std::vector<std::string>;

BallRod uneven() {
  return {.places = {1.0, 1.5, 2.2}, .masses = {0.3, 0.1, 0.6}, .radii = {0.1, 0.05, 0.2}};
}

TEST(BallRod, DirectionsAreThoseOfGapAndSliding) {
  const BallRod rod = uneven();
  const double centre = 0.3 * 1.0 + 0.1 * 1.5 + 0.6 * 2.2;  // of mass, along the rod
  State state = rod.at_contact({0.0, 0.0, 0.0});
  state.position = Vector3d(0.4, -0.3, 0.2);  // into the floor, so that all contacts are closed
  const ImpactProblem problem = rod.impact(state);
  ASSERT_EQ(problem.contacts.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    const double a = rod.places[i] - centre;
    const auto gap = [&](const Vector& q) { return q[1] + a * std::sin(q[2]) - rod.radii[i]; };
    const Vector gradient = problem.gradients.col(static_cast<Eigen::Index>(i));
    EXPECT_LE((testing::difference_gradient(state.position, gap) - gradient).cwiseAbs().maxCoeff(),
              1e-9);
    // The material point that is lowest now: ẋ = v_x − ω (a sin φ − r).
    const Vector3d tangent(1.0, 0.0, -a * std::sin(0.2) + rod.radii[i]);
    EXPECT_TRUE(Matrix(tangents_of(problem, i)).col(0).isApprox(Vector(tangent), 1e-14));
  }
  double inertia = 0.0;
  for (std::size_t i = 0; i < 3; ++i) {
    inertia +=
        rod.masses[i] * (std::pow(rod.places[i] - centre, 2) + 0.4 * rod.radii[i] * rod.radii[i]);
  }
  EXPECT_NEAR(problem.mass(2, 2), inertia, 1e-15);
  EXPECT_NEAR(problem.mass(0, 0), 1.0, 1e-15);
}

TEST(BallRod, LiesOnItsEnds) {
  const BallRod rod = uneven();
  const State state = rod.at_contact({0.0, -1.0, 0.0});
  EXPECT_NEAR(std::sin(state.position[2]), 0.1 / 1.2, 1e-15);
  EXPECT_EQ(AnySystem(rod).contact_names(state), (Names{"ball 1–floor", "ball 3–floor"}));
}

TEST(BallRod, TiltedItTouchesWithItsLowestBall) {
  BallRod dimer = ball_dimer(0.1, 0.01, 0.02);
  dimer.angle = 0.3;
  EXPECT_EQ(AnySystem(dimer).contact_names(dimer.at_contact({0.0, -1.0, 0.0})),
            Names{"ball 1–floor"});
  dimer.angle = -0.3;
  EXPECT_EQ(AnySystem(dimer).contact_names(dimer.at_contact({0.0, -1.0, 0.0})),
            Names{"ball 2–floor"});
  State above = dimer.at_contact({0.0, -1.0, 0.0});
  above.position[1] += 0.1;
  EXPECT_TRUE(AnySystem(dimer).contact_names(above).empty());
  EXPECT_EQ(dimer.impact(above).mass(2, 2), dimer.impact(dimer.at_contact({0, -1, 0})).mass(2, 2));
}

// Flat, I = M a² of point masses would make the ends indifferent to each other; balls have more
// inertia, so pressing one end down lifts the other less than it is pressed by its weight.
TEST(BallRod, EndsOfADimer) {
  const double a = 0.05;
  const double M = 0.04;
  BallRod dimer = ball_dimer(2.0 * a, 0.01, 0.5 * M);
  const auto coupling = [&] {
    return testing::delassus(dimer.impact(dimer.at_contact({0.0, -1.0, 0.0})))(0, 1);
  };
  EXPECT_NEAR(coupling(), 1.0 / M - a * a / (M * (a * a + 0.4e-4)), 1e-12);
  dimer.inertia = M * a * a;
  EXPECT_NEAR(coupling(), 0.0, 1e-13);
}

TEST(BallRod, ASymmetricDimerStaysSymmetric) {
  BallRod dimer = ball_dimer(0.1, 0.01, 0.02);
  dimer.material = {.restitution = 0.7, .friction = 0.4};
  const ImpactResult result =
      resolve(dimer.impact(dimer.at_contact({0.0, -1.0, 0.0})), laws::Coulomb{});
  ASSERT_TRUE(result.ok());
  EXPECT_NEAR(result.velocity[1], 0.7, 1e-14);
  EXPECT_NEAR(result.velocity[2], 0.0, 1e-12);
  EXPECT_NEAR(result.impulse[0], result.impulse[1], 1e-14);

  // Mirrored about the vertical, all of it is mirrored.
  const auto tilted = [&](double side) {
    dimer.angle = side * 0.3;
    return resolve(dimer.impact(dimer.at_contact({side * 0.5, -1.0, side * 2.0})),
                   laws::DarbouxKellerSingle{});
  };
  const ImpactResult left = tilted(1.0);
  const ImpactResult right = tilted(-1.0);
  ASSERT_TRUE(left.ok());
  EXPECT_NEAR(left.velocity[0], -right.velocity[0], 1e-14);
  EXPECT_NEAR(left.velocity[1], right.velocity[1], 1e-14);
  EXPECT_NEAR(left.velocity[2], -right.velocity[2], 1e-12);
}

TEST(BallRod, ThreeEqualBallsAreOneContactTooMany) {
  const BallRod rod = three_ball_rod(0.2, 0.01, 0.1);
  const ImpactProblem problem = rod.impact(rod.at_contact({0.0, -1.0, 0.0}));
  ASSERT_EQ(problem.contacts.size(), 3U);
  const Matrix W = Matrix(problem.gradients);
  EXPECT_LE((W.col(0) - 2.0 * W.col(1) + W.col(2)).cwiseAbs().maxCoeff(), 1e-16);
}

TEST(BallRod, RefusesWhatCannotBeBuilt) {
  const auto refused = [](auto change) {
    BallRod rod = uneven();
    change(rod);
    return field_refused([&] { validate(rod); });
  };
  EXPECT_EQ(refused([](BallRod&) {}), "nothing thrown");
  EXPECT_EQ(refused([](BallRod& r) { r.places = {0.0}; }), "places");
  EXPECT_EQ(refused([](BallRod& r) { r.places[1] = 0.5; }), "places[1]");
  EXPECT_EQ(refused([](BallRod& r) { r.masses = {1.0, 1.0}; }), "masses");
  EXPECT_EQ(refused([](BallRod& r) { r.radii[2] = 0.0; }), "radii[2]");
  EXPECT_EQ(refused([](BallRod& r) { r.radii[2] = 1.4; }), "radii");
  EXPECT_EQ(refused([](BallRod& r) { r.radii[1] = 0.3; }), "radii[1]");
  EXPECT_EQ(refused([](BallRod& r) { r.radii[1] = 0.3, r.angle = 0.0; }), "nothing thrown");
  EXPECT_EQ(refused([](BallRod& r) { r.inertia = -1.0; }), "inertia");
  EXPECT_EQ(refused([](BallRod& r) { r.materials.resize(2); }), "materials");
  EXPECT_EQ(refused([](BallRod& r) { r.angle = std::numeric_limits<double>::infinity(); }),
            "angle");
}

}  // namespace
}  // namespace percute::systems

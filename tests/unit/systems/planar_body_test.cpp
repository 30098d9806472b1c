// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "systems_testing.hpp"

#include <percute/systems/planar_body.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace percute::systems {
namespace {

using Eigen::Vector3d;
using testing::field_refused;

using Names = std::vector<std::string>;

/// A body with three points on three different obstacles, turned and away from the origin.
PlanarBody body() {
  return {.mass = 2.0,
          .inertia = 0.3,
          .points = {{.at = Point(-0.5, -0.2), .normal = Point(0.0, 2.0)},
                     {.at = Point(0.4, -0.3), .normal = Point(-3.0, 4.0), .name = "edge"},
                     {.at = Point(0.1, 0.6), .normal = Point(1.0, 0.0)}},
          .position = Point(3.0, -1.0),
          .angle = 0.7};
}

/// Where point i is when the coordinates are q.
Point place(const PlanarBody& body, std::size_t i, const Vector& q) {
  const Point& r = body.points[i].at;
  return {q[0] + std::cos(q[2]) * r.x() - std::sin(q[2]) * r.y(),
          q[1] + std::sin(q[2]) * r.x() + std::cos(q[2]) * r.y()};
}

TEST(PlanarBody, DirectionsAreDerivativesOfThePlaceOfThePoint) {
  const PlanarBody b = body();
  const State state = b.at_contact({0.0, 0.0, 0.0});
  const ImpactProblem problem = b.impact(state);
  EXPECT_NO_THROW(validate(problem));
  ASSERT_EQ(problem.contacts.size(), 3U);
  constexpr double kStep = 1e-6;
  for (std::size_t i = 0; i < 3; ++i) {
    const Point n = b.points[i].normal.normalized();
    const Point t(n.y(), -n.x());
    for (int k = 0; k < 3; ++k) {
      const Vector step = kStep * Vector::Unit(3, k);
      const Point slope =
          (place(b, i, state.position + step) - place(b, i, state.position - step)) / (2.0 * kStep);
      // Rounding 1e-15/1e-6 and curvature 1e-12 leave 1e-9.
      EXPECT_NEAR(problem.gradients.coeff(k, static_cast<int>(i)), n.dot(slope), 1e-9);
      EXPECT_NEAR(Matrix(tangents_of(problem, i))(k, 0), t.dot(slope), 1e-9);
    }
  }
}

TEST(PlanarBody, TheFrameDoesNotMatter) {
  // Everything turned by the same angle: the Delassus matrix is that of the body alone.
  const PlanarBody b = body();
  PlanarBody turned = b;
  constexpr double kTurn = 1.1;
  const auto turn = [](const Point& p) {
    return Point(std::cos(kTurn) * p.x() - std::sin(kTurn) * p.y(),
                 std::sin(kTurn) * p.x() + std::cos(kTurn) * p.y());
  };
  turned.angle += kTurn;
  turned.position = Point(7.0, 8.0);
  for (BodyPoint& point : turned.points) point.normal = turn(point.normal);
  const Vector3d still = Vector3d::Zero();
  const Matrix first = testing::delassus(b.impact(b.at_contact(still)));
  const Matrix second = testing::delassus(turned.impact(turned.at_contact(still)));
  EXPECT_TRUE(first.isApprox(second, 1e-14));  // rounding of sines and cosines
}

TEST(PlanarBody, OnlyTouchingPointsShareAContact) {
  const PlanarBody b{.points = {{.at = Point(-1.0, 0.0)}, {.at = Point(1.0, 0.0)}}};
  const auto names = [&](double y, double angle) {
    State state = b.at_contact({0.0, -1.0, 0.0});
    state.position[1] = y;
    state.position[2] = angle;
    EXPECT_EQ(b.impact(state).contacts.size(), AnySystem(b).contact_names(state).size());
    return AnySystem(b).contact_names(state);
  };
  EXPECT_EQ(names(0.0, 0.0), (Names{"point 1", "point 2"}));
  EXPECT_EQ(names(0.9e-9, 0.0), (Names{"point 1", "point 2"}));
  EXPECT_EQ(names(1.1e-9, 0.0), Names{});
  EXPECT_EQ(names(std::sin(0.1), 0.1), Names{"point 1"});
  EXPECT_EQ(names(std::sin(0.1), -0.1), Names{"point 2"});
}

TEST(PlanarBody, ATiltedBodyHasTheGradientOfItsTilt) {
  const PlanarBody b{.points = {{.at = Point(-1.0, 0.0)}, {.at = Point(1.0, 0.0)}}};
  State state = b.at_contact({0.0, -1.0, 0.0});
  state.position = Vector3d(0.0, std::sin(0.1), 0.1);
  const ImpactProblem problem = b.impact(state);
  ASSERT_EQ(problem.contacts.size(), 1U);
  // The left end is lower: lever arm −cos φ to the side, −sin φ up.
  EXPECT_NEAR(problem.gradients.coeff(2, 0), -std::cos(0.1), 1e-15);
  EXPECT_NEAR(Matrix(tangents_of(problem, 0))(2, 0), std::sin(0.1), 1e-15);
}

TEST(PlanarBody, MaterialsGoToTheirPoints) {
  PlanarBody b = body();
  b.materials = {{.stiffness = 1.0}, {.stiffness = 2.0}, {.stiffness = 3.0}};
  State state = b.at_contact({0.0, 0.0, 0.0});
  EXPECT_EQ(AnySystem(b).contact_names(state), (Names{"point 1", "edge", "point 3"}));
  EXPECT_EQ(b.impact(state).contacts[1].material.stiffness, 2.0);
  // Away from the floor and the edge, the third point is on its obstacle still.
  state.position[1] += 0.1;
  EXPECT_EQ(AnySystem(b).contact_names(state), Names{"point 3"});
  EXPECT_EQ(b.impact(state).contacts[0].material.stiffness, 3.0);
}

TEST(PlanarBody, ItsComponentsHaveNamesAndUnits) {
  const std::vector<Body> bodies = AnySystem(body()).bodies();
  ASSERT_EQ(bodies.size(), 1U);
  EXPECT_EQ(bodies[0].coordinate_name(2), "body angle");
  EXPECT_EQ(bodies[0].unit(1), "m/s");
  EXPECT_EQ(bodies[0].unit(2), "rad/s");
}

TEST(PlanarBody, RefusesWhatCannotBeBuilt) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto refused = [](auto change) {
    PlanarBody b = body();
    change(b);
    return field_refused([&] { validate(b); });
  };
  EXPECT_EQ(refused([](auto& b) { b.mass = 0.0; }), "mass");
  EXPECT_EQ(refused([](auto& b) { b.inertia = -1.0; }), "inertia");
  EXPECT_EQ(refused([](auto& b) { b.points.clear(); }), "points");
  EXPECT_EQ(refused([&](auto& b) { b.points[1].at.x() = nan; }), "points[1].at");
  EXPECT_EQ(refused([](auto& b) { b.points[2].normal.setZero(); }), "points[2].normal");
  EXPECT_EQ(refused([](auto& b) { b.points[2].name = "edge"; }), "points[2].name");
  EXPECT_EQ(refused([](auto& b) { b.points[1].name = "point 1"; }), "points[1].name");
  EXPECT_EQ(refused([&](auto& b) { b.position.y() = nan; }), "position[1]");
  EXPECT_EQ(refused([&](auto& b) { b.angle = nan; }), "angle");
  EXPECT_EQ(refused([](auto& b) { b.materials = {{}}; }), "materials");
  EXPECT_EQ(field_refused([&] { body().at_contact({0.0, nan, 0.0}); }), "velocity[1]");
  EXPECT_EQ(field_refused([] {
              State state = body().at_contact({0.0, 0.0, 0.0});
              state.position.conservativeResize(2);
              body().impact(state);
            }),
            "position");
}

}  // namespace
}  // namespace percute::systems

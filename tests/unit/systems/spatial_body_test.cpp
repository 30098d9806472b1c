// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "systems_testing.hpp"

#include <percute/laws/complementarity.hpp>
#include <percute/systems/spatial_body.hpp>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <limits>

namespace percute::systems {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using testing::field_refused;

Matrix3d turn(const Vector3d& rotation) {
  return Eigen::AngleAxisd(rotation.norm(), rotation.stableNormalized()).toRotationMatrix();
}

/// A body without any symmetry, turned, on obstacles in several directions.
SpatialBody odd_body() {
  return {.mass = 2.0,
          .inertia = Matrix3d{{0.7, 0.1, -0.05}, {0.1, 0.9, 0.02}, {-0.05, 0.02, 1.1}},
          .points = {{.at = {0.3, -0.2, -0.5}},
                     {.at = {-0.4, 0.1, -0.3}, .normal = {1.0, 0.0, 2.0}, .name = "ramp"},
                     {.at = {0.1, 0.5, 0.2}, .normal = {0.0, -3.0, 0.0}}},
          .position = {1.0, 2.0, 3.0},
          .rotation = {0.3, -0.4, 0.2}};
}

TEST(SpatialBody, GradientsAreThoseOfTheGaps) {
  const SpatialBody body = odd_body();
  State state = body.at_contact(Vector::Zero(6));
  // Turned further and moved into all obstacles, so that the contacts stay closed.
  state.position << 1.0, 2.0 + 1.0, 3.0 - 2.0, 0.1, 0.05, -0.15;
  const ImpactProblem problem = body.impact(state);
  ASSERT_EQ(problem.contacts.size(), 3U);
  const Matrix3d R = turn(state.position.tail<3>()) * turn(body.rotation);
  for (std::size_t i = 0; i < 3; ++i) {
    const SpatialPoint& point = body.points[i];
    // The last three are small rotations about fixed axes from where the body is now.
    const auto place = [&](const Vector& q) -> Vector3d {
      const Vector3d rho = q.tail<3>();
      return q.head<3>() + (rho.isZero(0.0) ? R : turn(rho) * R) * point.at;
    };
    Vector q = Vector::Zero(6);
    q.head<3>() = state.position.head<3>();
    const auto along = [&](const Vector3d& d) {
      return testing::difference_gradient(q, [&](const Vector& at) { return d.dot(place(at)); });
    };
    const Vector3d n = point.normal.normalized();
    const auto column = static_cast<Eigen::Index>(i);
    EXPECT_LE((along(n) - Vector(problem.gradients.col(column))).cwiseAbs().maxCoeff(), 1e-9) << i;
    // Tangents: two rows of a point that moves along orthonormal directions of the obstacle.
    const Matrix T = tangents_of(problem, i);
    ASSERT_EQ(T.cols(), 2);
    const Eigen::Matrix<double, 3, 2> t = T.topRows<3>();
    EXPECT_TRUE((t.transpose() * t).isIdentity(1e-14)) << i;
    EXPECT_LE((t.transpose() * n).cwiseAbs().maxCoeff(), 1e-15) << i;
    for (int k = 0; k < 2; ++k) {
      EXPECT_LE((along(t.col(k)) - T.col(k)).cwiseAbs().maxCoeff(), 1e-9) << i;
    }
  }
}

TEST(SpatialBody, InertiaTurnsWithTheBody) {
  const SpatialBody body = odd_body();
  const ImpactProblem problem = body.impact(body.at_contact(Vector::Zero(6)));
  const Matrix3d R = turn(body.rotation);
  const Matrix3d expected = R * body.inertia * R.transpose();
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(problem.mass(i, i), 2.0);
    for (int j = 0; j < 3; ++j) {
      EXPECT_NEAR(problem.mass(3 + i, 3 + j), expected(i, j), 1e-15);
      EXPECT_EQ(problem.mass(i, 3 + j), 0.0);
    }
  }
  // Kinetic energy does not depend on the axes: ω along a principal axis of the turned body.
  const Vector3d omega = R * Vector3d(0.2, 0.5, -0.3);
  Vector v = Vector::Zero(6);
  v.tail<3>() = omega;
  EXPECT_NEAR(problem.mass.kinetic_energy(v),
              0.5 * Vector3d(0.2, 0.5, -0.3).dot(body.inertia * Vector3d(0.2, 0.5, -0.3)), 1e-15);
}

TEST(SpatialBody, ABlockOnItsCornersIsAPlateThatSlides) {
  const SpatialBody block = block_on_corners({2.0, 1.0, 0.6}, 3.0);
  const FourFootPlate plate{.length = 2.0,
                            .width = 1.0,
                            .mass = 3.0,
                            .inertias = {3.0 / 12.0 * 1.36, 3.0 / 12.0 * 4.36, 3.0 / 12.0 * 5.0},
                            .sliding = true,
                            .height = 0.3};
  const Vector v{{0.3, -0.2, -1.0, 0.1, 0.4, 0.5}};
  const ImpactProblem a = block.impact(block.at_contact(v));
  const ImpactProblem b = plate.impact(plate.at_contact(v));
  EXPECT_TRUE(testing::directions(a).isApprox(testing::directions(b), 1e-15));
  EXPECT_TRUE(testing::delassus(a).isApprox(testing::delassus(b), 1e-14));
  EXPECT_EQ(AnySystem(block).contact_names(block.at_contact(v))[2], "corner 3–floor");
  EXPECT_EQ(AnySystem(block).bodies()[0].coordinate_name(5), "block rz");
}

TEST(SpatialBody, OneCornerStrikes) {
  const SpatialBody block = block_on_corners({1.0, 1.0, 1.0}, 1.0);
  State state = block.at_contact(Vector{{0, 0, -1, 0, 0, 0}});
  // Lifted, and turned so that corner 1 is lowest.
  const Vector3d rotation(-0.1, 0.1, 0.0);
  const double drop = (turn(rotation) * block.points[0].at - block.points[0].at).z();
  state.position << 0.0, 0.0, 0.5 - drop, rotation;
  EXPECT_EQ(AnySystem(block).contact_names(state), std::vector<std::string>{"corner 1–floor"});
}

// Angular momentum about the corner that strikes is not changed by what acts there.
TEST(SpatialBody, ImpulsesActAtThePoint) {
  SpatialBody body = odd_body();
  body.points.resize(1);
  body.material = {.restitution = 0.5, .friction = 0.3};
  const Vector v{{0.4, -0.7, -1.0, 0.5, 0.2, -0.3}};
  const ImpactProblem problem = body.impact(body.at_contact(v));
  const ImpactResult result = resolve(problem, laws::Coulomb{});
  ASSERT_TRUE(result.ok());
  const Vector change = problem.mass * Vector(result.velocity - v);
  const Vector3d arm = turn(body.rotation) * body.points[0].at;
  const Vector3d about_corner = Vector3d(change.tail<3>()) - arm.cross(Vector3d(change.head<3>()));
  EXPECT_LE(about_corner.cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_GT(change[2], 0.1);
  EXPECT_GT(Vector(change.head<2>()).norm(), 0.01);  // friction did act
}

TEST(SpatialBody, RefusesWhatCannotBeBuilt) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto refused = [](auto change) {
    SpatialBody body = odd_body();
    change(body);
    return field_refused([&] { validate(body); });
  };
  EXPECT_EQ(refused([](SpatialBody&) {}), "nothing thrown");
  EXPECT_EQ(refused([](SpatialBody& b) { b.mass = 0.0; }), "mass");
  EXPECT_EQ(refused([&](SpatialBody& b) { b.inertia(1, 2) = nan; }), "inertia[7]");
  EXPECT_EQ(refused([](SpatialBody& b) { b.inertia(0, 1) = 0.2; }), "inertia");
  EXPECT_EQ(refused([](SpatialBody& b) { b.inertia(2, 2) = -1.0; }), "inertia");
  EXPECT_EQ(refused([](SpatialBody& b) { b.inertia(2, 2) = 5.0; }), "inertia");
  EXPECT_EQ(refused([](SpatialBody& b) { b.points.clear(); }), "points");
  EXPECT_EQ(refused([](SpatialBody& b) { b.points[1].normal.setZero(); }), "points[1].normal");
  EXPECT_EQ(refused([&](SpatialBody& b) { b.points[1].at[2] = nan; }), "points[1].at[2]");
  EXPECT_EQ(refused([](SpatialBody& b) { b.points[2].name = "ramp"; }), "points[2].name");
  EXPECT_EQ(refused([](SpatialBody& b) { b.materials.resize(2); }), "materials");
  EXPECT_EQ(refused([&](SpatialBody& b) { b.rotation[0] = nan; }), "rotation[0]");
  EXPECT_EQ(field_refused([] { odd_body().at_contact(Vector::Zero(3)); }), "velocity");
  EXPECT_EQ(field_refused([] { block_on_corners({1.0, 0.0, 1.0}, 1.0); }), "sides[1]");
}

}  // namespace
}  // namespace percute::systems

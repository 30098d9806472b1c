// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "unit/simulation/stepping_testing.hpp"

#include <percute/simulation/compliant_motion.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

// A run that cannot go on says why, where, and by which contact.

namespace percute::simulation {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::Rod;
using testing::start_at;
using Force = laws::Compliant::Force;

/// Two points of unit mass over a floor that touches both, with a mass and a force of the test's
/// choice for the first one.
struct TwoPoints {
  std::function<double(double)> mass_at = [](double) { return 1.0; };
  std::function<double(double, double)> force_at = [](double, double) { return 0.0; };  // t, q
  Material material = {.stiffness = 1e4};

  int coordinates() const { return 2; }
  int contacts() const { return 2; }
  void mass(const Vector& q, Matrix& M) const {
    M = Eigen::Vector2d(mass_at(q[0]), 1.0).asDiagonal();
  }
  void force(double t, const Vector& q, const Vector&, Vector& f) const {
    f << force_at(t, q[0]), -9.81;
  }
  void gaps(const Vector& q, Vector& h) const { h = q; }
  void gradient(int i, const Vector&, Vector& column) const { column = Vector::Unit(2, i); }
  double gap_curvature(int, const Vector&, const Vector&) const { return 0.0; }
  Contact contact(int, const Vector&) const { return {.material = material}; }
  double potential_energy(const Vector& q) const { return 9.81 * q[1]; }
  std::vector<std::string> contact_names() const { return {"left", "right"}; }
};

std::string reason(const systems::AnySystem& system, const Vector& q, const Vector& v,
                   Force force = Force::Linear) {
  const CompliantMotion method{.law = {.force = force}, .run = {.duration = 1.0}};
  const simulation::Run run = method(system, start_at(q, v));
  EXPECT_EQ(run.status, RunStatus::NotConverged);
  return run.reason;
}

constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();
const Eigen::Vector2d kApart(2.0, 2.0);
const Eigen::Vector2d kFalling(-1.0, 0.0);

TEST(CompliantFailure, ForcesThatAreNotFinite) {
  TwoPoints points;
  points.force_at = [](double t, double) { return t < 0.25 ? 0.0 : kNotANumber; };
  EXPECT_THAT(reason(points, kApart, kFalling),
              AllOf(HasSubstr("forces are not finite"), HasSubstr("at t = 0.25 s")));
  points.force_at = [](double, double) { return kNotANumber; };
  EXPECT_EQ(reason(points, kApart, kFalling), "forces are not finite at t = 0 s");
}

TEST(CompliantFailure, MassesThatAreNotPositive) {
  TwoPoints points;
  points.mass_at = [](double q) { return q > 1.5 ? 1.0 : -1.0; };
  EXPECT_THAT(
      reason(points, kApart, kFalling),
      AllOf(HasSubstr("the mass matrix is not positive definite"), HasSubstr("at t = 0.5 s")));
}

TEST(CompliantFailure, TheForceOfAContactThatIsNotFinite) {
  TwoPoints points;
  points.material.damping = 1e308;
  EXPECT_THAT(
      reason(points, Eigen::Vector2d(2.0, 10.0), Eigen::Vector2d(-100.0, 0.0), Force::KelvinVoigt),
      AllOf(HasSubstr("the force of contact left is not finite"), HasSubstr("at t = 0.02 s")));
}

// q″ = −1/q² falls into 0 in a finite time, ever faster.
TEST(CompliantFailure, StepsThatBecomeTooShort) {
  TwoPoints points;
  points.force_at = [](double, double q) { return -1.0 / ((q - 1.0) * (q - 1.0)); };
  const Eigen::Vector2d near(1.1, 10.0);
  EXPECT_THAT(reason(points, near, kFalling),
              HasSubstr("steps became too short in flight at t = "));
  const Eigen::Vector2d pressed(1.1, 0.0);
  const std::string why = reason(points, pressed, Eigen::Vector2d(-1.0, -1.0));
  EXPECT_THAT(why, HasSubstr("steps became too short under the load of contact right at t = "));
  EXPECT_THAT(why, Not(HasSubstr("left")));
}

// Infinite friction stops the lower end of a leaning rod at once. Slid one way it is pressed down
// by that, the other way it is lifted, faster than it falls: then it does not touch, and what does
// not touch is not stopped.
TEST(CompliantFailure, AContactThatInfiniteFrictionParts) {
  const Rod rod{
      .material = {.stiffness = 1e6, .friction = std::numeric_limits<double>::infinity()}};
  const double angle = 1.0;
  const Vector q = Eigen::Vector3d(0.0, 0.5 * std::sin(angle), angle);
  const auto slide = [&](double speed) {
    const CompliantMotion method{.run = {.duration = 0.1}};
    return method(rod, start_at(q, Eigen::Vector3d(speed, -0.1, 0.0)));
  };
  const simulation::Run pressed = slide(-5.0);
  EXPECT_EQ(pressed.status, RunStatus::Ok) << pressed.reason;
  const simulation::Run lifted = slide(5.0);
  EXPECT_EQ(lifted.status, RunStatus::NotConverged);
  EXPECT_EQ(lifted.reason, "infinite friction parts contact 1 as it touches at t = 0 s");
}

}  // namespace
}  // namespace percute::simulation

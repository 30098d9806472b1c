// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "systems_testing.hpp"

#include <percute/analysis/problem_analysis.hpp>
#include <percute/laws/lzb.hpp>
#include <percute/systems/spatial_body.hpp>

#include <gtest/gtest.h>

#include <limits>

namespace percute::systems {
namespace {

using testing::field_refused;
using testing::message_of;

using Names = std::vector<std::string>;

FourFootPlate two_by_one() {
  return {.length = 2.0, .width = 1.0};
}

const Vector kVelocity{{-1.0, 0.3, -0.2}};

TEST(FourFootPlate, StandsOnItsCorners) {
  const FourFootPlate plate = two_by_one();
  const State state = plate.at_contact(kVelocity);
  const ImpactProblem problem = plate.impact(state);
  EXPECT_NO_THROW(validate(problem));
  // ∇h = (1, y, −x) at (1, ½), (−1, ½), (−1, −½), (1, −½).
  const Matrix W{{1.0, 1.0, 1.0, 1.0}, {0.5, 0.5, -0.5, -0.5}, {-1.0, 1.0, 1.0, -1.0}};
  EXPECT_EQ(testing::directions(problem), W);
  const Vector masses{{1.0, 1.0 / 12.0, 1.0 / 3.0}};
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(problem.mass(k, k), masses[k], 1e-15);
  EXPECT_EQ(AnySystem(plate).contact_names(state),
            (Names{"foot 1–floor", "foot 2–floor", "foot 3–floor", "foot 4–floor"}));
}

TEST(FourFootPlate, IsRedundant) {
  const FourFootPlate plate = two_by_one();
  const auto result = analysis::analyze(plate.impact(plate.at_contact(kVelocity)));
  EXPECT_EQ(result.rank, 3);
  EXPECT_TRUE(result.redundant);
}

TEST(FourFootPlate, FallsFlatAndRisesFlat) {
  // By symmetry all feet do the same, and share the impulse (1 + e) m |v⁻| alike: v⁺ = −e v⁻.
  FourFootPlate plate = two_by_one();
  plate.material.restitution = 0.5;
  const ImpactResult result =
      resolve(plate.impact(plate.at_contact(Vector{{-1.0, 0.0, 0.0}})), laws::Lzb{});
  ASSERT_TRUE(result.ok());
  EXPECT_LE((result.impulse - Vector::Constant(4, 0.375)).cwiseAbs().maxCoeff(), 1e-7);
  EXPECT_LE((result.velocity - Vector{{0.5, 0.0, 0.0}}).cwiseAbs().maxCoeff(), 1e-7);
}

TEST(FourFootPlate, SlidingFeetMoveWithTheirPlace) {
  FourFootPlate plate{.length = 2.0, .width = 1.0, .mass = 3.0, .sliding = true, .height = 0.4};
  const Vector velocity{{0.2, -0.3, -1.0, 0.5, 0.7, -0.9}};
  const ImpactProblem problem = plate.impact(plate.at_contact(velocity));
  EXPECT_NO_THROW(validate(problem));
  const Eigen::Vector3d v = velocity.head<3>();
  const Eigen::Vector3d omega = velocity.tail<3>();
  const std::vector<Point> corners{{1.0, 0.5}, {-1.0, 0.5}, {-1.0, -0.5}, {1.0, -0.5}};
  for (std::size_t i = 0; i < 4; ++i) {
    const Eigen::Vector3d r(corners[i].x(), corners[i].y(), -0.4);
    // v + ω × r, written out.
    const double x = v[0] + omega[1] * r[2] - omega[2] * r[1];
    const double y = v[1] + omega[2] * r[0] - omega[0] * r[2];
    const double z = v[2] + omega[0] * r[1] - omega[1] * r[0];
    const Vector sliding = Matrix(tangents_of(problem, i)).transpose() * velocity;
    const Vector gap_rates = problem.gradients.transpose() * velocity;
    EXPECT_NEAR(sliding[0], x, 1e-15);
    EXPECT_NEAR(sliding[1], y, 1e-15);
    EXPECT_NEAR(gap_rates[static_cast<Eigen::Index>(i)], z, 1e-15);
  }
  EXPECT_NEAR(problem.mass(5, 5), 3.0 * 5.0 / 12.0, 1e-15);
  EXPECT_EQ(AnySystem(plate).bodies()[0].coordinate_name(5), "plate rz");
  EXPECT_EQ(AnySystem(plate).bodies()[0].unit(5), "rad/s");
}

TEST(FourFootPlate, WithoutFrictionSlidingChangesNothing) {
  FourFootPlate plate = two_by_one();
  plate.material.restitution = 0.7;
  const laws::Lzb law{.tolerance = 1e-10};
  const Vector level = resolve(plate.impact(plate.at_contact(kVelocity)), law).velocity;
  plate.sliding = true;
  plate.height = 0.3;
  const Vector free =
      resolve(plate.impact(plate.at_contact(Vector{{0.5, 0.1, -1.0, 0.3, -0.2, 0.4}})), law)
          .velocity;
  // Scales may differ with the sliding velocity; results by what the tolerance allows.
  EXPECT_LE((free.segment<3>(2) - level).cwiseAbs().maxCoeff(), 1e-8);
  EXPECT_EQ(Vector(free.head<2>()), Vector({{0.5, 0.1}}));
}

TEST(FourFootPlate, FeetAnywhere) {
  FourFootPlate plate = two_by_one();
  plate.feet = {Point(0.0, 0.4), Point(-0.3, -0.2), Point(0.3, -0.2)};
  plate.inertias = {0.1, 0.2, 0.25};
  plate.materials = {{.stiffness = 1.0}, {.stiffness = 2.0}, {.stiffness = 3.0}};
  const State state = plate.at_contact(kVelocity);
  const ImpactProblem problem = plate.impact(state);
  EXPECT_EQ(problem.contacts.size(), 3U);
  EXPECT_EQ(problem.contacts[2].material.stiffness, 3.0);
  EXPECT_EQ(problem.gradients.coeff(2, 1), 0.3);
  EXPECT_EQ(problem.mass(1, 1), 0.1);
  EXPECT_FALSE(analysis::analyze(problem).redundant);
  // Tilted a little about x, foot 1 leaves the floor.
  State tilted = state;
  tilted.position = Vector{{0.2e-3, 1e-3, 0.0}};
  EXPECT_EQ(AnySystem(plate).contact_names(tilted), (Names{"foot 2–floor", "foot 3–floor"}));
}

TEST(FourFootPlate, RefusesWhatCannotBeBuilt) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto refused = [](auto change) {
    FourFootPlate plate = two_by_one();
    change(plate);
    return field_refused([&] { validate(plate); });
  };
  EXPECT_EQ(refused([](auto& p) { p.length = 0.0; }), "length");
  EXPECT_EQ(refused([](auto& p) { p.width = -1.0; }), "width");
  EXPECT_EQ(refused([&](auto& p) { p.mass = nan; }), "mass");
  EXPECT_EQ(refused([](auto& p) { p.inertias = {1.0, 1.0}; }), "inertias");
  EXPECT_EQ(refused([](auto& p) { p.inertias = {1.0, 1.0, 0.0}; }), "inertias[2]");
  EXPECT_EQ(refused([&](auto& p) { p.feet = {Point(0.0, 0.0), Point(nan, 0.0)}; }), "feet[1]");
  EXPECT_EQ(refused([](auto& p) { p.height = -0.1; }), "height");
  EXPECT_EQ(refused([](auto& p) { p.materials = {{}}; }), "materials");
  EXPECT_EQ(message_of([] { two_by_one().at_contact(Vector(6)); }),
            "velocity: has 6 entries; the system needs 3, one per coordinate");
  EXPECT_EQ(field_refused([&] { two_by_one().at_contact(Vector{{0.0, nan, 0.0}}); }),
            "velocity[1]");
}

}  // namespace
}  // namespace percute::systems

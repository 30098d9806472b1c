// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "systems_testing.hpp"

#include <percute/laws/lzb.hpp>
#include <percute/systems/planar_body.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace percute::systems {
namespace {

using Eigen::Vector3d;
using testing::field_refused;

using Names = std::vector<std::string>;

constexpr auto kLeft = RockingBlock::Corner::Left;
constexpr auto kRight = RockingBlock::Corner::Right;

TEST(RockingBlock, DirectionsOfTheUprightBlock) {
  const RockingBlock block{.width = 0.6, .height = 2.0, .mass = 3.0};
  const State state = block.rotating_about(kLeft, -1.0);
  EXPECT_TRUE(state.velocity.isApprox(Vector3d(1.0, -0.3, -1.0), 1e-15));  // (h/2, −b/2, −1)
  EXPECT_EQ(state.position, Vector(Vector3d(0.0, 1.0, 0.0)));
  const ImpactProblem problem = block.impact(state);
  EXPECT_NO_THROW(validate(problem));
  const Matrix expected{{0.0, 0.0, 1.0, 1.0}, {1.0, 1.0, 0.0, 0.0}, {-0.3, 0.3, 1.0, 1.0}};
  EXPECT_TRUE(testing::directions(problem).isApprox(expected, 1e-15));
  EXPECT_NEAR(problem.mass(2, 2), 3.0 * (0.36 + 4.0) / 12.0, 1e-15);
  EXPECT_EQ(AnySystem(block).contact_names(state), (Names{"left–floor", "right–floor"}));
}

TEST(RockingBlock, DelassusMatrices) {
  const auto normal = [](double width, double height) {
    const RockingBlock block{.width = width, .height = height};
    const Matrix G = testing::delassus(block.impact(block.at_contact({0.0, -1.0, 0.0})));
    return Matrix(G.topLeftCorner(2, 2));
  };
  // 1/m ± (b/2)²/I, with I = 5/12 and 1/6.
  EXPECT_TRUE(normal(1.0, 2.0).isApprox(Matrix{{1.6, 0.4}, {0.4, 1.6}}, 1e-15));
  EXPECT_TRUE(normal(1.0, 1.0).isApprox(Matrix{{2.5, -0.5}, {-0.5, 2.5}}, 1e-15));
}

TEST(RockingBlock, TheKineticAngleFollowsFromItsShape) {
  for (const double ratio : {0.2, 0.7, 1.0, std::sqrt(2.0), 3.0, 10.0}) {
    const double b = 0.4;
    const double h = ratio * b;
    const RockingBlock block{.width = b, .height = h, .mass = 7.0};
    EXPECT_NEAR(testing::kinetic_cosine(block.impact(block.at_contact({0.0, -1.0, 0.0}))),
                (2.0 * b * b - h * h) / (4.0 * b * b + h * h), 1e-15)
        << ratio;
  }
}

TEST(RockingBlock, TheCornerItTurnsAboutIsAtRest) {
  const RockingBlock block{.width = 0.6, .height = 2.0, .mass = 3.0};
  const auto rates = [&](RockingBlock::Corner corner, double omega) -> Vector {
    const ImpactProblem problem = block.impact(block.rotating_about(corner, omega));
    return testing::directions(problem).transpose() * problem.velocity;
  };
  // Gap rates, then sliding velocities: the other corner comes down at b |ω|.
  EXPECT_TRUE(rates(kLeft, -2.0).isApprox(Vector{{0.0, -1.2, 0.0, 0.0}}, 1e-15));
  EXPECT_TRUE(rates(kRight, 2.0).isApprox(Vector{{-1.2, 0.0, 0.0, 0.0}}, 1e-15));
}

TEST(RockingBlock, AGivenInertiaReplacesTheUniformOne) {
  const RockingBlock block{.inertia = 0.25};
  EXPECT_EQ(block.impact(block.at_contact({0.0, -1.0, 0.0})).mass(2, 2), 0.25);
}

TEST(RockingBlock, TiltedItStandsOnOneCorner) {
  const RockingBlock block{.width = 1.0, .height = 2.0};
  State state = block.at_contact({0.0, 0.0, -1.0});
  // Turned by φ < 0 about the right corner: its arm to the centre turns with it.
  const double phi = -0.1;
  state.position = Vector3d(0.5 - 0.5 * std::cos(phi) - std::sin(phi),
                            -0.5 * std::sin(phi) + std::cos(phi), phi);
  EXPECT_EQ(AnySystem(block).contact_names(state), Names{"right–floor"});
}

// Slender: striking the right corner opens the left one, so the law sees one contact with
// restitution e. v⁺ of the centre is (1 ± …) in closed form: p = (1 + e)/1.6 on the right corner.
TEST(RockingBlock, SlenderBlockBouncesOffTheOtherCorner) {
  for (const double e : {0.0, 0.5, 1.0}) {
    const RockingBlock block{.width = 1.0, .height = 2.0, .material = {.restitution = e}};
    const ImpactResult result =
        resolve(block.impact(block.rotating_about(kLeft, -1.0)), laws::Lzb{.tolerance = 1e-11});
    const double p = (1.0 + e) / 1.6;
    const Vector3d expected(1.0, -0.5 + p, -1.0 + 0.5 * p * 12.0 / 5.0);
    ASSERT_TRUE(result.ok());
    // The accuracy asked for, times the hundred that the law allows itself.
    EXPECT_LE((result.velocity - expected).cwiseAbs().maxCoeff(), 1e-9) << e;
    EXPECT_NEAR(result.impulse[0], 0.0, 1e-12) << e;
  }
}

TEST(RockingBlock, TangentsDoNotChangeAnImpactWithoutFriction) {
  const RockingBlock block{.width = 2.0, .height = 1.0, .material = {.restitution = 0.8}};
  ImpactProblem problem = block.impact(block.at_contact({0.7, -1.0, -0.4}));
  const laws::Lzb law{.tolerance = 1e-10};
  const Vector with = resolve(problem, law).velocity;
  set_tangents(problem, std::vector<Matrix>(problem.contacts.size()));
  const Vector without = resolve(problem, law).velocity;
  // Scales differ where sliding is fast, results by no more than the tolerance asks for.
  EXPECT_LE((with - without).cwiseAbs().maxCoeff(), 1e-8);
  EXPECT_EQ(with[0], 0.7);
}

TEST(RockingBlock, RefusesWhatCannotBeBuilt) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(field_refused([] { validate(RockingBlock{.width = 0.0}); }), "width");
  EXPECT_EQ(field_refused([] { validate(RockingBlock{.height = -1.0}); }), "height");
  EXPECT_EQ(field_refused([&] { validate(RockingBlock{.mass = nan}); }), "mass");
  EXPECT_EQ(field_refused([] { validate(RockingBlock{.inertia = 0.0}); }), "inertia");
  EXPECT_EQ(field_refused([] { validate(RockingBlock{.materials = {{}}}); }), "materials");
  EXPECT_EQ(field_refused([&] { RockingBlock{}.rotating_about(kLeft, nan); }), "angular_velocity");
  EXPECT_EQ(field_refused([&] { RockingBlock{}.at_contact({nan, 0.0, 0.0}); }), "velocity[0]");
}

}  // namespace
}  // namespace percute::systems

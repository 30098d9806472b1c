// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "systems_testing.hpp"

#include <percute/laws/lzb.hpp>
#include <percute/systems/planar_body.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace percute::systems {
namespace {

using std::numbers::pi;
using testing::field_refused;
using testing::message_of;

using Names = std::vector<std::string>;

TEST(VGroove, NormalsPointOutOfTheWalls) {
  const VGroove groove{.mass = 2.0, .opening = 2.0 * pi / 3.0};  // walls at 30° from the horizontal
  const State state = groove.at_contact({0.3, -1.0});
  const ImpactProblem problem = groove.impact(state);
  EXPECT_NO_THROW(validate(problem));
  const double s = 0.5;
  const double c = 0.5 * std::numbers::sqrt3;
  const Matrix expected{{s, -s, c, c}, {c, c, -s, s}};
  EXPECT_TRUE(testing::directions(problem).isApprox(expected, 1e-15));
  EXPECT_EQ(problem.mass(1, 1), 2.0);
  EXPECT_EQ(AnySystem(groove).contact_names(state),
            (Names{"particle–left wall", "particle–right wall"}));
}

TEST(VGroove, TheOpeningIsTheKineticAngle) {
  for (const double degrees : {1.0, 60.0, 90.0, 120.0, 179.0}) {
    const VGroove groove{.opening = degrees * pi / 180.0};
    EXPECT_NEAR(testing::kinetic_cosine(groove.impact(groove.at_contact({0.0, -1.0}))),
                std::cos(groove.opening), 1e-15)
        << degrees;
  }
}

TEST(VGroove, ARightAngleDecouplesTheWalls) {
  // Each wall reflects its own component, whichever comes first: v⁺ = −e v⁻.
  const VGroove groove{.opening = 0.5 * pi, .material = {.restitution = 0.5}};
  const ImpactResult result =
      resolve(groove.impact(groove.at_contact({0.3, -1.0})), laws::Lzb{.tolerance = 1e-11});
  ASSERT_TRUE(result.ok());
  EXPECT_LE((result.velocity - Vector{{-0.15, 0.5}}).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(VGroove, UpAWallOnlyThatOneTouches) {
  const VGroove groove;
  State state = groove.at_contact({0.0, -1.0});
  state.position = Vector{{-0.1, 0.1}};
  EXPECT_EQ(AnySystem(groove).contact_names(state), Names{"particle–left wall"});
  state.position = Vector{{0.1, 0.1}};
  EXPECT_EQ(AnySystem(groove).contact_names(state), Names{"particle–right wall"});
  state.position = Vector{{0.0, 0.1}};
  EXPECT_TRUE(groove.impact(state).contacts.empty());
}

TEST(VGroove, RefusesWhatCannotBeBuilt) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(field_refused([] { validate(VGroove{.mass = -1.0}); }), "mass");
  EXPECT_EQ(message_of([] { validate(VGroove{.opening = 0.0}); }),
            "opening: 0 is not in (0, 180) degrees");
  EXPECT_EQ(field_refused([] { validate(VGroove{.opening = pi}); }), "opening");
  EXPECT_EQ(field_refused([&] { validate(VGroove{.opening = nan}); }), "opening");
  EXPECT_EQ(field_refused([] { validate(VGroove{.materials = {{}, {}, {}}}); }), "materials");
  EXPECT_EQ(field_refused([&] { VGroove{}.at_contact({0.0, nan}); }), "velocity");
  EXPECT_EQ(field_refused([] { VGroove{}.impact({.position = Vector(2), .velocity = Vector(3)}); }),
            "velocity");
}

}  // namespace
}  // namespace percute::systems

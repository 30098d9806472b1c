// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "systems_testing.hpp"

#include <percute/laws/lzb.hpp>
#include <percute/systems/ball_chain.hpp>
#include <percute/systems/cradle.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace percute::systems {
namespace {

using testing::field_refused;

double gap_of(const Cradle& cradle, const Vector& angles) {
  const AnySystem moving = cradle;
  Vector h(moving.contacts());
  moving.gaps(angles, h);
  return h[0];
}

TEST(Cradle, AtTheBottomIsAChain) {
  // Rates of strings are velocities over the length, and so are impulses over it: the same impact.
  const Cradle cradle{.balls = 4, .length = 0.7, .masses = {1.0, 2.0, 0.5, 1.0}};
  const BallChain chain{.balls = 4, .masses = cradle.masses};
  const Vector v{{1.0, 0.0, 0.0, 0.0}};
  const State state = cradle.at_contact(v);
  const laws::Lzb law{.tolerance = 1e-11};
  const ImpactResult swung = resolve(cradle.impact(state), law);
  const ImpactResult straight = resolve(chain.impact(chain.at_contact(v)), law);
  ASSERT_TRUE(swung.ok());
  // Two integrations, each to its tolerance of 1e-11, with room for its growth along the chain.
  EXPECT_LE((swung.velocity * cradle.length - straight.velocity).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_EQ(AnySystem(cradle).contact_names(state),
            (std::vector<std::string>{"1–2", "2–3", "3–4"}));
}

TEST(Cradle, GapsAreDistancesOfCentres) {
  const Cradle cradle{.balls = 2, .radius = 0.05, .length = 0.5, .spacing = 0.01};
  const double a = -0.7;
  const double b = 0.4;
  const double across = 0.11 + 0.5 * (std::sin(b) - std::sin(a));
  const double upwards = 0.5 * (std::cos(a) - std::cos(b));
  EXPECT_NEAR(gap_of(cradle, Vector{{a, b}}), std::hypot(across, upwards) - 0.1, 1e-15);
}

TEST(Cradle, EnergyIsThatOfItsBalls) {
  const Cradle cradle{.balls = 2, .mass = 3.0, .length = 0.5, .gravity = 9.81};
  const AnySystem moving = cradle;
  const Vector angles{{-0.7, 0.0}};
  // Raised by L (1 − cos θ), moving at L θ′.
  EXPECT_NEAR(moving.potential_energy(angles), 3.0 * 9.81 * 0.5 * (1.0 - std::cos(0.7)), 1e-14);
  EXPECT_NEAR(moving.solver()->kinetic_energy(angles, Vector{{2.0, 0.0}}), 1.5, 1e-15);
}

TEST(Cradle, SmallGapsKeepTheirDigits) {
  // h = L b (1 + O(b)) with the first string at rest; a difference of distances would keep 17 − 15
  // digits of the smallest.
  const Cradle cradle{.balls = 2, .radius = 0.05, .length = 0.5};
  for (const double angle : {1e-6, 1e-9, 1e-12, 1e-15, -1e-12}) {
    const double h = gap_of(cradle, Vector{{0.0, angle}});
    EXPECT_NEAR(h / (0.5 * angle), 1.0, 1e-14 + 5.0 * std::abs(angle)) << angle;
  }
}

TEST(Cradle, BallsThatSwingTogetherKeepTouching) {
  // Parallel strings: centres are 2R apart, whatever the angle.
  const Cradle cradle{.balls = 2};
  for (const double angle : {-1.0, -0.1, 0.3, 1.5}) {
    EXPECT_EQ(gap_of(cradle, Vector{{angle, angle}}), 0.0) << angle;
  }
}

TEST(Cradle, RefusesWhatCannotBeBuilt) {
  const auto refused = [](const Cradle& cradle) {
    return field_refused([&] { validate(cradle); });
  };
  EXPECT_EQ(refused({.balls = 0}), "balls");
  EXPECT_EQ(refused({.mass = 0.0}), "mass");
  EXPECT_EQ(refused({.masses = {1.0, 2.0}}), "masses");
  EXPECT_EQ(refused({.radius = -1.0}), "radius");
  EXPECT_EQ(refused({.length = 0.0}), "length");
  EXPECT_EQ(refused({.spacing = -1e-6}), "spacing");
  EXPECT_EQ(refused({.gravity = -9.81}), "gravity");
  EXPECT_EQ(refused({.materials = {Material{}}}), "materials");
  const Cradle cradle{.balls = 2};
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(field_refused([&] { cradle.at(Vector{{0.0, nan}}, Vector::Zero(2)); }), "angles[1]");
  EXPECT_EQ(field_refused([&] { cradle.at(Vector::Zero(2), Vector::Zero(1)); }), "rates");
  EXPECT_EQ(field_refused([&] { cradle.at_contact(Vector::Zero(3)); }), "velocity");
}

}  // namespace
}  // namespace percute::systems

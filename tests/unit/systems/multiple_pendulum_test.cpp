// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "systems_testing.hpp"

#include <percute/systems/multiple_pendulum.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace percute::systems {
namespace {

using testing::field_refused;

TEST(MultiplePendulum, OfTwoRodsIsTheDoublePendulum) {
  const DoublePendulum two{.masses = {1.0, 3.0},
                           .lengths = {0.5, 0.8},
                           .angles = {0.4, -0.3},
                           .wall = DoublePendulum::Wall::Left};
  const Point tip(0.5 * std::sin(0.4) + 0.8 * std::sin(-0.3),
                  -0.5 * std::cos(0.4) - 0.8 * std::cos(-0.3));
  const MultiplePendulum many{.masses = {1.0, 3.0},
                              .lengths = {0.5, 0.8},
                              .obstacles = {{.rod = 2, .through = tip, .name = "floor"},
                                            {.rod = 2, .normal = {2.0, 0.0}, .through = tip}}};
  const Eigen::Vector2d rates(1.0, -2.0);
  const State state = two.at_contact(rates);
  const ImpactProblem one = two.impact(state);
  const ImpactProblem other = many.impact(many.at(state.position, rates));
  ASSERT_EQ(other.contacts.size(), 2U);
  EXPECT_LE((testing::delassus(one) - testing::delassus(other)).cwiseAbs().maxCoeff(), 1e-13);
  EXPECT_EQ(AnySystem(many).contact_names(state),
            (std::vector<std::string>{"floor", "rod 2–obstacle 2"}));
}

TEST(MultiplePendulum, ARodAloneHasItsInertiaAboutTheHinge) {
  const MultiplePendulum one{
      .masses = {3.0}, .lengths = {2.0}, .obstacles = {{.through = {0, -9}}}};
  const State state = one.at(Vector{{0.1}}, Vector{{1.0}});
  EXPECT_DOUBLE_EQ(one.impact(state).mass(0, 0), 4.0);       // m l²/3
  EXPECT_TRUE(AnySystem(one).contact_names(state).empty());  // it is above the floor
}

TEST(MultiplePendulum, ItsEnergyIsThatOfItsRods) {
  // Each rod by itself: its centre moves, and it turns about it with m l²/12.
  const MultiplePendulum three{.masses = {1.0, 3.0, 0.5},
                               .lengths = {0.5, 0.8, 0.6},
                               .obstacles = {{.through = {0.0, -9.0}}},
                               .gravity = 9.81};
  const Vector angles{{0.4, -1.3, 2.0}};
  const Vector rates{{1.0, -2.0, 3.0}};
  double kinetic = 0.0;
  double potential = 0.0;
  Point hinge = Point::Zero();
  Point hinge_velocity = Point::Zero();
  for (Eigen::Index k = 0; k < 3; ++k) {
    const auto i = static_cast<std::size_t>(k);
    const double m = three.masses[i];
    const double l = three.lengths[i];
    const Point rod = l * Point(std::sin(angles[k]), -std::cos(angles[k]));
    const Point way = l * rates[k] * Point(std::cos(angles[k]), std::sin(angles[k]));
    kinetic += 0.5 * m * (hinge_velocity + 0.5 * way).squaredNorm() +
               m * l * l / 24.0 * rates[k] * rates[k];
    // Above where it hangs straight down.
    potential += m * 9.81 * (hinge.y() + 0.5 * rod.y());
    hinge += rod;
    hinge_velocity += way;
  }
  potential += 9.81 * (1.0 * 0.25 + 3.0 * (0.5 + 0.4) + 0.5 * (0.5 + 0.8 + 0.3));
  const AnySystem moving = three;
  EXPECT_NEAR(moving.solver()->kinetic_energy(angles, rates), kinetic, 1e-14);
  EXPECT_NEAR(moving.potential_energy(angles), potential, 1e-13);
}

TEST(MultiplePendulum, HangingDownItCannotSlideAlongAWall) {
  const MultiplePendulum two{
      .masses = {1.0, 1.0}, .lengths = {1.0, 1.0}, .obstacles = {{.rod = 2, .normal = {1.0, 0.0}}}};
  const ImpactProblem problem = two.impact(two.at(Vector::Zero(2), Vector{{-1.0, -1.0}}));
  ASSERT_EQ(problem.contacts.size(), 1U);
  EXPECT_EQ(problem.contacts[0].directions, 0);
  EXPECT_NO_THROW(validate(problem));
}

TEST(MultiplePendulum, RefusesWhatCannotBeBuilt) {
  const auto refused = [](const MultiplePendulum& pendulum) {
    return field_refused([&] { validate(pendulum); });
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(refused({}), "obstacles");
  EXPECT_EQ(refused({.masses = {}, .lengths = {}}), "lengths");
  EXPECT_EQ(refused({.masses = {1.0, 1.0}}), "masses");
  EXPECT_EQ(refused({.masses = {-1.0}}), "masses[0]");
  EXPECT_EQ(refused({.obstacles = {{.rod = 2}}}), "obstacles[0].rod");
  EXPECT_EQ(refused({.obstacles = {{.normal = {0.0, 0.0}}}}), "obstacles[0].normal");
  EXPECT_EQ(refused({.obstacles = {{.through = {nan, 0.0}}}}), "obstacles[0].through");
  EXPECT_EQ(refused({.obstacles = {{.name = "a"}, {.name = "a"}}}), "obstacles[1].name");
  EXPECT_EQ(refused({.obstacles = {{}}, .gravity = -1.0}), "gravity");
  EXPECT_EQ(refused({.obstacles = {{}}, .materials = {{}, {}}}), "materials");
  const MultiplePendulum one{.obstacles = {{}}};
  EXPECT_EQ(field_refused([&] { one.at(Vector::Zero(2), Vector::Zero(1)); }), "angles");
  EXPECT_EQ(field_refused([&] { one.at(Vector::Zero(1), Vector{{nan}}); }), "rates[0]");
}

}  // namespace
}  // namespace percute::systems

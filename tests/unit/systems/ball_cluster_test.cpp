// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "systems_testing.hpp"

#include <percute/systems/ball_cluster.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <string>

namespace percute::systems {
namespace {

using testing::field_refused;
using ::testing::HasSubstr;
using testing::message_of;

using Names = std::vector<std::string>;

/// A 3-4-5 triangle: ball 1 is at distance 0.1 from ball 2, which is at the origin.
BallCluster pair() {
  return {.positions = {Point(0.08, 0.06), Point(0.0, 0.0)}, .radius = 0.05};
}

Names names_of(const BallCluster& cluster) {
  return cluster.contact_names(cluster.at_contact(0, Point(1.0, 0.0)));
}

TEST(BallCluster, GradientsAlongTheLineOfCentres) {
  const BallCluster cluster = pair();
  const ImpactProblem problem = cluster.impact(cluster.at_contact(1, Point(1.0, 0.0)));
  EXPECT_NO_THROW(validate(problem));
  // The normal from ball 1 to ball 2 is (−0.8, −0.6): minus it for the first, plus for the second.
  const Vector expected{{0.8, 0.6, -0.8, -0.6}};
  ASSERT_EQ(problem.gradients.cols(), 1);
  EXPECT_TRUE(Vector(problem.gradients.col(0)).isApprox(expected, 1e-15));
  // Ball 2 moves towards ball 1: the gap closes.
  EXPECT_NEAR((problem.gradients.transpose() * problem.velocity)(0), -0.8, 1e-15);
}

TEST(BallCluster, GradientIsTheDerivativeOfTheDistance) {
  const BallCluster cluster{.positions = {Point(0.3, -0.2), Point(0.3, 0.3), Point(-0.2, -0.2)},
                            .radii = {0.2, 0.3, 0.3}};
  const State state = cluster.at_contact(0, Point(0.0, 0.0));
  const ImpactProblem problem = cluster.impact(state);
  ASSERT_EQ(cluster.contact_names(state), (Names{"1–2", "1–3"}));
  const auto distance = [](const Vector& q, int i, int j) {
    return (q.segment<2>(2 * j) - q.segment<2>(2 * i)).norm();
  };
  constexpr double kStep = 1e-6;
  for (int contact = 0; contact < 2; ++contact) {
    for (int k = 0; k < 6; ++k) {
      Vector forward = state.position;
      Vector backward = state.position;
      forward[k] += kStep;
      backward[k] -= kStep;
      const double slope =
          (distance(forward, 0, contact + 1) - distance(backward, 0, contact + 1)) / (2.0 * kStep);
      // Rounding 1e-16/1e-6 and curvature 1e-12 leave 1e-9.
      EXPECT_NEAR(problem.gradients.coeff(k, contact), slope, 1e-9) << contact << " " << k;
    }
  }
}

TEST(BallCluster, ImpulsesBetweenBallsKeepTheMomentum) {
  const BallCluster cluster = rack(4, 0.03);
  const ImpactProblem problem = cluster.impact(cluster.at_contact(0, Point(1.0, 0.2)));
  // Every gradient sums to zero over the balls, in x and in y: W p adds no momentum.
  for (int contact = 0; contact < problem.gradients.cols(); ++contact) {
    const Vector column = problem.gradients.col(contact);
    const Point sum =
        Eigen::Map<const Eigen::Matrix2Xd>(column.data(), 2, cluster.balls()).rowwise().sum();
    EXPECT_EQ(sum, Point(0.0, 0.0)) << contact;
    EXPECT_NEAR(column.squaredNorm(), 2.0, 1e-14) << contact;  // unit normals
  }
}

TEST(BallCluster, MassesGoToBothCoordinates) {
  BallCluster cluster = pair();
  cluster.masses = {2.0, 3.0};
  const ImpactProblem problem = cluster.impact(cluster.at_contact(0, Point(1.0, 0.0)));
  for (int k = 0; k < 4; ++k) EXPECT_EQ(problem.mass(k, k), k < 2 ? 2.0 : 3.0);
}

TEST(BallCluster, MaterialsGoToTheirContacts) {
  BallCluster cluster = bernoulli(std::numbers::pi / 4.0, 0.05, 0.05);
  cluster.materials = {{.stiffness = 1.0}, {.stiffness = 2.0}};
  const State state = cluster.at_contact(1, Point(1.0, 0.0));
  const ImpactProblem problem = cluster.impact(state);
  ASSERT_EQ(cluster.contact_names(state), (Names{"1–2", "2–3"}));
  EXPECT_EQ(problem.contacts[0].material.stiffness, 1.0);
  EXPECT_EQ(problem.contacts[1].material.stiffness, 2.0);
}

TEST(BallCluster, TouchesWithinItsTolerance) {
  const auto touches = [](double distance, double tolerance) {
    const BallCluster cluster{.positions = {Point(0.0, 0.0), Point(distance, 0.0)},
                              .radii = {0.4, 0.6},
                              .touch_tolerance = tolerance};
    return !names_of(cluster).empty();
  };
  EXPECT_TRUE(touches(1.0, 1e-6));
  EXPECT_TRUE(touches(1.0 + 0.9e-6, 1e-6));
  EXPECT_FALSE(touches(1.0 + 1.1e-6, 1e-6));
  EXPECT_TRUE(touches(1.0 - 0.9e-6, 1e-6));
  EXPECT_TRUE(touches(1.0 + 1.1e-6, 1e-5));
}

TEST(BallCluster, OverlapNamesTheTwo) {
  BallCluster cluster{.positions = {Point(5.0, 5.0), Point(0.0, 0.0), Point(0.9, 0.0)},
                      .radius = 0.5};
  const auto build = [&] { names_of(cluster); };
  EXPECT_EQ(field_refused(build), "positions[2]");
  EXPECT_THAT(message_of(build), HasSubstr("ball 2 and ball 3 overlap by 0.1 m"));
  EXPECT_THAT(message_of(build), HasSubstr("touch_tolerance = 1e-06"));
  cluster.names = {"a", "b", "c"};
  EXPECT_THAT(message_of(build), HasSubstr("b and c overlap"));
  cluster.positions[2] = cluster.positions[1];
  EXPECT_THAT(message_of(build), HasSubstr("b and c overlap by 1 m"));
}

TEST(BallCluster, WallsHoldBalls) {
  BallCluster cluster{.positions = {Point(0.5, 0.5), Point(1.5, 0.5)},
                      .radius = 0.5,
                      .walls = {{.point = Point(7.0, 0.0), .normal = Point(0.0, 3.0)}}};
  const State state = cluster.at_contact({Point(1.0, -2.0), Point(0.0, 0.0)});
  EXPECT_EQ(cluster.contact_names(state), (Names{"1–2", "1–wall", "2–wall"}));
  const ImpactProblem problem = cluster.impact(state);
  const Vector gap_rates = problem.gradients.transpose() * problem.velocity;
  EXPECT_TRUE(gap_rates.isApprox(Vector{{-1.0, -2.0, 0.0}}, 1e-15));

  // Several walls are told apart, by number or by their names.
  cluster.walls.push_back({.point = Point(0.0, 0.0), .normal = Point(1.0, 0.0)});
  EXPECT_EQ(names_of(cluster), (Names{"1–2", "1–wall 1", "1–wall 2", "2–wall 1"}));
  cluster.walls[1].name = "cushion";
  EXPECT_EQ(names_of(cluster), (Names{"1–2", "1–wall 1", "1–cushion", "2–wall 1"}));

  // Turned round, the wall has the balls on its wrong side.
  cluster.walls[1].normal = Point(-1.0, 0.0);
  EXPECT_THAT(message_of([&] { names_of(cluster); }),
              HasSubstr("positions[0]: ball 1 and cushion overlap by 1 m"));
}

TEST(BallCluster, PartsHaveNames) {
  const std::vector<Body> bodies = pair().bodies();
  ASSERT_EQ(bodies.size(), 2U);
  EXPECT_EQ(bodies[1].name, "ball 2");
  EXPECT_EQ(bodies[1].coordinates, (std::vector<int>{2, 3}));
  EXPECT_EQ(bodies[1].coordinate_name(1), "ball 2 y");
}

TEST(BallCluster, RelabellingOnlyReordersTheContacts) {
  const BallCluster cluster = rack(3, 0.03);
  std::vector<std::size_t> order(cluster.positions.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::mt19937 random(1);
  std::shuffle(order.begin(), order.end(), random);
  BallCluster other = cluster;
  for (std::size_t i = 0; i < order.size(); ++i) {
    other.positions[i] = cluster.positions[order[i]];
    other.names[i] = cluster.names[order[i]];
  }
  const auto normalised = [](Names names) {
    for (std::string& name : names) {
      const auto dash = name.find("–");
      std::string first = name.substr(0, dash);
      std::string second = name.substr(dash + 3);  // the dash has three bytes
      if (second < first) std::swap(first, second);
      name = first + " " + second;
    }
    std::sort(names.begin(), names.end());
    return names;
  };
  EXPECT_EQ(normalised(names_of(cluster)), normalised(names_of(other)));
}

TEST(BallCluster, RefusesWhatCannotBeBuilt) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto refused = [](auto change) {
    BallCluster cluster = pair();
    change(cluster);
    return field_refused([&] { validate(cluster); });
  };
  EXPECT_EQ(refused([](auto& c) { c.positions.clear(); }), "positions");
  EXPECT_EQ(refused([&](auto& c) { c.positions[1].y() = nan; }), "positions[1]");
  EXPECT_EQ(refused([](auto& c) { c.radius = 0.0; }), "radius");
  EXPECT_EQ(refused([](auto& c) { c.radii = {1.0}; }), "radii");
  EXPECT_EQ(refused([](auto& c) { c.radii = {1.0, -1.0}; }), "radii[1]");
  EXPECT_EQ(refused([](auto& c) { c.mass = -1.0; }), "mass");
  EXPECT_EQ(refused([&](auto& c) { c.masses = {1.0, nan}; }), "masses[1]");
  EXPECT_EQ(refused([](auto& c) { c.names = {"a"}; }), "names");
  EXPECT_EQ(refused([](auto& c) { c.touch_tolerance = 0.0; }), "touch_tolerance");
  EXPECT_EQ(refused([](auto& c) { c.touch_tolerance = 0.2; }), "touch_tolerance");
  EXPECT_EQ(refused([&](auto& c) { c.walls = {{.point = Point(nan, 0.0)}}; }), "walls[0].point");
  EXPECT_EQ(refused([](auto& c) { c.walls = {{.normal = Point(0.0, 0.0)}}; }), "walls[0].normal");
  EXPECT_EQ(refused([](auto& c) { c.walls = {{.name = "cushion"}, {.name = "cushion"}}; }),
            "walls[1].name");

  const BallCluster cluster = pair();
  EXPECT_EQ(field_refused([&] { cluster.at_contact(2, Point(1.0, 0.0)); }), "striker");
  EXPECT_EQ(field_refused([&] { cluster.at_contact(-1, Point(1.0, 0.0)); }), "striker");
  EXPECT_EQ(field_refused([&] { cluster.at_contact(0, Point(nan, 0.0)); }), "velocity[0]");
  EXPECT_EQ(field_refused([&] { cluster.at_contact(std::vector<Point>(3)); }), "velocity");
  State state = cluster.at_contact(0, Point(1.0, 0.0));
  state.velocity.conservativeResize(3);
  EXPECT_EQ(field_refused([&] { cluster.impact(state); }), "velocity");
  BallCluster lists = pair();
  lists.materials = {{}, {}};
  EXPECT_EQ(field_refused([&] { lists.impact(lists.at_contact(0, Point(1.0, 0.0))); }),
            "materials");
}

TEST(Rack, IsATriangleWithAStriker) {
  const BallCluster cluster = rack(5, 0.028575);
  EXPECT_EQ(cluster.balls(), 16);
  const Names names = names_of(cluster);
  // 3 k contacts from row k to the one before, and along it; one with the cue ball.
  EXPECT_EQ(names.size(), 31U);
  EXPECT_EQ(names.front(), "cue–1");
  EXPECT_EQ(std::count(names.begin(), names.end(), "1–3"), 1);
  EXPECT_EQ(rack(1, 0.5).balls(), 2);
  EXPECT_EQ(field_refused([] { rack(0, 1.0); }), "rows");
  EXPECT_EQ(field_refused([] { rack(1'000'000'000, 1.0); }), "rows");
  EXPECT_EQ(field_refused([] { rack(3, -1.0); }), "radius");
}

TEST(Rack, IsSymmetric) {
  // Mirrored at the x axis, every ball finds one of the rack.
  const BallCluster cluster = rack(4, 0.03);
  for (const Point& ball : cluster.positions) {
    EXPECT_TRUE(
        std::any_of(cluster.positions.begin(), cluster.positions.end(),
                    [&](const Point& other) { return other == Point(ball.x(), -ball.y()); }));
  }
}

TEST(FourBalls, TouchAsTheAngleSays) {
  const auto names = [](double half_angle) { return names_of(four_balls(half_angle, 0.05)); };
  const double pi = std::numbers::pi;
  EXPECT_EQ(names(pi / 5.0), (Names{"1–2", "1–4", "2–3", "3–4"}));
  EXPECT_EQ(names(pi / 3.0), (Names{"1–2", "1–4", "2–3", "2–4", "3–4"}));
  EXPECT_EQ(names(pi / 6.0), (Names{"1–2", "1–3", "1–4", "2–3", "3–4"}));
  EXPECT_THAT(message_of([&] { names(pi / 8.0); }), HasSubstr("ball 1 and ball 3 overlap"));
  EXPECT_EQ(field_refused([&] { four_balls(pi, 0.05); }), "half_angle");
  EXPECT_EQ(field_refused([&] { bernoulli(0.0, 0.05, 0.05); }), "half_angle");
  EXPECT_EQ(field_refused([&] { bernoulli(1.0, 0.05, 0.0); }), "struck_radius");
}

// Contacts found by the grids, against all pairs tried one by one.
TEST(BallCluster, FindsThePairsThatBruteForceFinds) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  for (int trial = 0; trial < 20; ++trial) {
    // Balls of sizes up to 1 : 1000, each hung onto an earlier one where it overlaps nothing.
    BallCluster cluster{.positions = {Point(0.3, -0.2)}, .radii = {1.0}};
    while (cluster.balls() < 60) {
      const auto base = static_cast<std::size_t>(uniform(random) * cluster.balls());
      const double radius = std::pow(10.0, -3.0 * uniform(random));
      const double angle = 2.0 * std::numbers::pi * uniform(random);
      const Point place = cluster.positions[base] +
                          (cluster.radii[base] + radius) * Point(std::cos(angle), std::sin(angle));
      bool free = true;
      for (std::size_t i = 0; i < cluster.positions.size(); ++i) {
        free = free && (i == base || (cluster.positions[i] - place).norm() >
                                         1.001 * (cluster.radii[i] + radius));
      }
      if (!free) continue;
      cluster.positions.push_back(place);
      cluster.radii.push_back(radius);
    }
    Names expected;
    for (std::size_t i = 0; i < cluster.positions.size(); ++i) {
      for (std::size_t j = i + 1; j < cluster.positions.size(); ++j) {
        const double distance = (cluster.positions[j] - cluster.positions[i]).norm();
        const double sum = cluster.radii[i] + cluster.radii[j];
        if (std::abs(distance - sum) <= 1e-6 * sum) {
          expected.push_back(std::to_string(i + 1) + "–" + std::to_string(j + 1));
        }
      }
    }
    ASSERT_GE(expected.size(), 59U);
    EXPECT_EQ(names_of(cluster), expected);
  }
}

TEST(BallCluster, ManyBallsAreNotTriedPairByPair) {
  // 125 251 balls have 7.8e9 pairs: trying them all would take a minute, not a part of a second.
  const BallCluster cluster = rack(500, 0.03);
  const ImpactProblem problem = cluster.impact(cluster.at_contact(0, Point(1.0, 0.0)));
  EXPECT_EQ(problem.contacts.size(), 3U * 500U * 499U / 2U + 1U);
}

TEST(BallCluster, FarFromTheOriginNothingIsFoundTwice) {
  // Beyond 2^53 cells neighbours of a cell are the cell itself.
  const BallCluster cluster{.positions = {Point(1e18, 0.0), Point(1e18 + 1024.0, 0.0)},
                            .radius = 512.0};
  EXPECT_EQ(names_of(cluster), Names{"1–2"});
  const BallCluster far{.positions = {Point(1e18, 0.0), Point(1e18, 2.0)}, .radius = 1.0};
  EXPECT_EQ(names_of(far), Names{"1–2"});
}

}  // namespace
}  // namespace percute::systems

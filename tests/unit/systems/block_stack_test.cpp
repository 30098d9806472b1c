// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "systems_testing.hpp"

#include <percute/laws/complementarity.hpp>
#include <percute/systems/block_stack.hpp>
#include <percute/systems/planar_body.hpp>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <functional>
#include <vector>

namespace percute::systems {
namespace {

using Eigen::Rotation2Dd;
using Eigen::Vector3d;
using testing::field_refused;

using Names = std::vector<std::string>;

/// The second block sticks out on the left of the first, the third is narrower than both.
BlockStack stairs() {
  return {.widths = {1.0, 1.2, 0.5},
          .heights = {0.4, 0.3, 0.6},
          .masses = {2.0, 1.0, 0.5},
          .offsets = {0.0, -0.3, 0.0}};
}

TEST(BlockStack, ABlockAloneIsARockingBlock) {
  const BlockStack stack{.widths = {1.0}, .heights = {2.0}, .masses = {3.0}};
  const RockingBlock block{.width = 1.0, .height = 2.0, .mass = 3.0};
  const ImpactProblem a = stack.impact(stack.falling(1.0));
  const ImpactProblem b = block.impact(block.at_contact({0.0, -1.0, 0.0}));
  EXPECT_TRUE(testing::directions(a).isApprox(testing::directions(b), 1e-15));
  EXPECT_TRUE(testing::delassus(a).isApprox(testing::delassus(b), 1e-15));
}

TEST(BlockStack, ContactsAreAtTheEndsOfTheSharedWidth) {
  const BlockStack stack = stairs();
  const State state = stack.falling(1.0);
  EXPECT_EQ(
      AnySystem(stack).contact_names(state),
      (Names{"1 left–floor", "1 right–floor", "2 left–1", "2 right–1", "3 left–2", "3 right–2"}));
  const Matrix W = Matrix(stack.impact(state).gradients);
  // Lever arms from the centres of upper and lower block: −0.5 on the left is a corner of the
  // first.
  EXPECT_NEAR(W(5, 2), -0.2, 1e-15);
  EXPECT_NEAR(W(2, 2), 0.5, 1e-15);
  EXPECT_NEAR(W(5, 3), 0.6, 1e-15);  // 0.3 on the right is one of the second
  EXPECT_NEAR(W(2, 3), -0.3, 1e-15);
}

// Gaps of corners seen from the block whose face they touch, in a stack that has been pushed
// together and tilted so that all contacts are closed.
TEST(BlockStack, GradientsAreThoseOfTheGaps) {
  const BlockStack stack = stairs();
  State state = stack.falling(0.0);
  state.position += Vector{{0.02, -0.2, 0.03, -0.01, -0.4, -0.05, 0.03, -0.6, 0.04}};
  const ImpactProblem problem = stack.impact(state);
  ASSERT_EQ(problem.contacts.size(), 6U);
  const auto from = [](const Vector& q, int block, const Point& place) -> Point {
    const Point centre = q.segment<2>(3 * block);
    return Rotation2Dd(-q[3 * block + 2]) * Point(place - centre);  // in the axes of a block
  };
  const auto corner = [](const Vector& q, int block, double x, double y) -> Point {
    return Point(q.segment<2>(3 * block)) + Rotation2Dd(q[3 * block + 2]) * Point(x, y);
  };
  const std::vector<std::function<double(const Vector&)>> gaps{
      [&](const Vector& q) { return corner(q, 0, -0.5, -0.2).y(); },
      [&](const Vector& q) { return corner(q, 0, 0.5, -0.2).y(); },
      [&](const Vector& q) { return -0.15 - from(q, 1, corner(q, 0, -0.5, 0.2)).y(); },
      [&](const Vector& q) { return from(q, 0, corner(q, 1, 0.6, -0.15)).y() - 0.2; },
      [&](const Vector& q) { return from(q, 1, corner(q, 2, -0.25, -0.3)).y() - 0.15; },
      [&](const Vector& q) { return from(q, 1, corner(q, 2, 0.25, -0.3)).y() - 0.15; }};
  for (std::size_t i = 0; i < gaps.size(); ++i) {
    const Vector gradient = problem.gradients.col(static_cast<Eigen::Index>(i));
    const Vector expected = testing::difference_gradient(state.position, gaps[i]);
    EXPECT_LE((expected - gradient).cwiseAbs().maxCoeff(), 1e-9) << i;
  }
}

// Blocks that move like one body do not move on each other.
TEST(BlockStack, RigidMotionIsFeltAtTheFloorOnly) {
  const BlockStack stack = stairs();
  const State state = stack.falling(0.0);
  const ImpactProblem problem = stack.impact(state);
  Vector v(9);
  for (int i = 0; i < 3; ++i) {
    // (v_x, v_y) + ω × place.
    const Point place = state.position.segment<2>(3 * i);
    v.segment<3>(3 * i) = Vector3d(0.7 - 2.0 * place.y(), -0.4 + 2.0 * place.x(), 2.0);
  }
  const Vector U = problem.gradients.transpose() * v;
  EXPECT_LE(U.tail<4>().cwiseAbs().maxCoeff(), 1e-15);
  EXPECT_GT(U.head<2>().cwiseAbs().maxCoeff(), 0.1);
  for (std::size_t i = 0; i < 6; ++i) {
    const double slip = Matrix(tangents_of(problem, i)).col(0).dot(v);
    EXPECT_NEAR(slip, i < 2 ? 0.7 : 0.0, 1e-15) << i;
  }
}

TEST(BlockStack, FallsPlasticallyToRest) {
  const BlockStack stack = stairs();
  const ImpactResult result =
      resolve(stack.impact(stack.falling(1.0)), laws::Moreau{.restitution = 0.0});
  ASSERT_TRUE(result.ok());
  // 1e-10 of the speed is what gap rates are known to.
  EXPECT_LE(result.velocity.cwiseAbs().maxCoeff(), 1e-10);
  // The floor carries all the momentum.
  EXPECT_NEAR(result.impulse[0] + result.impulse[1], 3.5, 1e-10);
}

// The lowest block is knocked out from under the others: friction drags them along, at most by μ
// times what presses them together.
TEST(BlockStack, FrictionDragsTheUpperBlock) {
  BlockStack stack{.widths = {1.0, 1.0}, .heights = {0.2, 0.2}, .masses = {1.0, 1.0}};
  stack.material = {.restitution = 0.0, .friction = 0.1};
  const Vector v{{5.0, -1.0, 0.0, 0.0, -1.0, 0.0}};
  const ImpactResult result = resolve(stack.impact(stack.at_contact(v)), laws::Coulomb{});
  ASSERT_TRUE(result.ok());
  const double pressed = result.impulse[2] + result.impulse[3];
  EXPECT_NEAR(result.velocity[3], 0.1 * pressed, 1e-10);
  EXPECT_NEAR(pressed, 1.0, 1e-10);
  EXPECT_TRUE(result.consistency.all());
}

TEST(BlockStack, RefusesWhatCannotBeBuilt) {
  const auto refused = [](auto change) {
    BlockStack stack = stairs();
    change(stack);
    return field_refused([&] { validate(stack); });
  };
  EXPECT_EQ(refused([](BlockStack&) {}), "nothing thrown");
  EXPECT_EQ(refused([](BlockStack& s) { s.widths.clear(); }), "widths");
  EXPECT_EQ(refused([](BlockStack& s) { s.widths[1] = 0.0; }), "widths[1]");
  EXPECT_EQ(refused([](BlockStack& s) { s.heights.pop_back(); }), "heights");
  EXPECT_EQ(refused([](BlockStack& s) { s.masses[2] = -1.0; }), "masses[2]");
  EXPECT_EQ(refused([](BlockStack& s) { s.offsets[2] = 0.6; }), "offsets[2]");
  EXPECT_EQ(refused([](BlockStack& s) { s.names = {"a", "b", "a"}; }), "names[2]");
  EXPECT_EQ(refused([](BlockStack& s) { s.materials.resize(3); }), "materials");
  EXPECT_EQ(field_refused([] { stairs().at_contact(Vector::Zero(3)); }), "velocity");
}

}  // namespace
}  // namespace percute::systems

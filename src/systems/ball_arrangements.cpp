// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "model/text.hpp"
#include "systems/checks.hpp"

#include <percute/model/invalid_input.hpp>
#include <percute/systems/ball_cluster.hpp>

#include <cmath>
#include <numbers>

namespace percute::systems {

namespace {

constexpr int kMaxRows = 1000;

void require_angle(double half_angle) {
  if (!(half_angle > 0.0 && half_angle < std::numbers::pi / 2.0)) {
    throw InvalidInput("half_angle", text(half_angle) + " is not in (0, pi/2)");
  }
}

}  // namespace

BallCluster rack(int rows, double radius) {
  if (rows < 1 || rows > kMaxRows) {
    throw InvalidInput("rows",
                       std::to_string(rows) + " is not from 1 to " + std::to_string(kMaxRows));
  }
  require_positive(radius, "radius");
  BallCluster cluster{.positions = {Point(-2.0 * radius, 0.0)}, .radius = radius, .names = {"cue"}};
  // Row k has k + 1 balls, centred on the x axis; rows are √3 r apart.
  for (int k = 0; k < rows; ++k) {
    for (int j = 0; j <= k; ++j) {
      cluster.names.push_back("ball " + std::to_string(cluster.positions.size()));
      cluster.positions.emplace_back(std::numbers::sqrt3 * radius * k, radius * (2 * j - k));
    }
  }
  return cluster;
}

BallCluster bernoulli(double half_angle, double radius, double struck_radius) {
  require_angle(half_angle);
  require_positive(radius, "radius");
  require_positive(struck_radius, "struck_radius");
  const double distance = radius + struck_radius;
  const Point upper(distance * std::cos(half_angle), distance * std::sin(half_angle));
  return {.positions = {upper, Point::Zero(), Point(upper.x(), -upper.y())},
          .radii = {struck_radius, radius, struck_radius}};
}

BallCluster four_balls(double half_angle, double radius) {
  require_angle(half_angle);
  require_positive(radius, "radius");
  const Point upper(2.0 * radius * std::cos(half_angle), 2.0 * radius * std::sin(half_angle));
  return {.positions = {upper, Point::Zero(), Point(upper.x(), -upper.y()),
                        Point(2.0 * upper.x(), 0.0)},
          .radius = radius};
}

}  // namespace percute::systems

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "model/text.hpp"
#include "systems/checks.hpp"
#include "systems/near_pairs.hpp"

#include <percute/model/invalid_input.hpp>
#include <percute/systems/ball_cluster.hpp>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace percute::systems {

namespace {

std::string entry(const char* field, std::size_t i) {
  return std::string(field) + "[" + std::to_string(i) + "]";
}

double radius_of(const BallCluster& cluster, int ball) {
  return each(cluster.radii, cluster.radius, static_cast<std::size_t>(ball));
}

std::string ball_name(const BallCluster& cluster, int ball) {
  const auto i = static_cast<std::size_t>(ball);
  return cluster.names.empty() ? "ball " + std::to_string(ball + 1) : cluster.names[i];
}

std::string wall_name(const BallCluster& cluster, int wall) {
  const std::string& name = cluster.walls[static_cast<std::size_t>(wall)].name;
  if (!name.empty()) return name;
  return cluster.walls.size() == 1 ? "wall" : "wall " + std::to_string(wall + 1);
}

/// Two balls that touch, or a ball and a wall; the normal points from first to second, or from the
/// wall to the ball.
struct Touch {
  int first;
  int second;  ///< ball, or wall if `at_wall`
  bool at_wall;
  Point normal;

  auto key() const { return std::tie(at_wall, first, second); }
};

[[noreturn]] void throw_overlap(const BallCluster& cluster, const Touch& touch, double depth) {
  const std::string other =
      touch.at_wall ? wall_name(cluster, touch.second) : ball_name(cluster, touch.second);
  throw InvalidInput(
      entry("positions", static_cast<std::size_t>(touch.at_wall ? touch.first : touch.second)),
      ball_name(cluster, touch.first) + " and " + other + " overlap by " + text(depth) +
          " m; more than touch_tolerance = " + text(cluster.touch_tolerance) + " allows");
}

/// Contacts between balls: |c_j − c_i| = r_i + r_j.
void find_balls(const BallCluster& cluster, const Vector& position, std::vector<Touch>& touches) {
  std::vector<double> radii = cluster.radii;
  if (radii.empty()) radii.assign(cluster.positions.size(), cluster.radius);
  for_each_near_pair(position, radii, cluster.touch_tolerance, [&](int i, int j) {
    const Point apart = position.segment<2>(2 * j) - position.segment<2>(2 * i);
    const double distance = apart.stableNorm();
    const double sum = radius_of(cluster, i) + radius_of(cluster, j);
    const double gap = distance - sum;
    if (gap > cluster.touch_tolerance * sum) return;
    const Touch touch{.first = i, .second = j, .at_wall = false, .normal = apart / distance};
    if (!(gap >= -cluster.touch_tolerance * sum)) throw_overlap(cluster, touch, -gap);
    touches.push_back(touch);
  });
}

/// Contacts with walls: n · (c_i − point) = r_i.
void find_walls(const BallCluster& cluster, const Vector& position, std::vector<Touch>& touches) {
  for (std::size_t w = 0; w < cluster.walls.size(); ++w) {
    const Point normal = cluster.walls[w].normal.stableNormalized();
    for (int i = 0; i < cluster.balls(); ++i) {
      const double radius = radius_of(cluster, i);
      const double gap = normal.dot(position.segment<2>(2 * i) - cluster.walls[w].point) - radius;
      if (gap > cluster.touch_tolerance * radius) continue;
      const Touch touch{
          .first = i, .second = static_cast<int>(w), .at_wall = true, .normal = normal};
      if (!(gap >= -cluster.touch_tolerance * radius)) throw_overlap(cluster, touch, -gap);
      touches.push_back(touch);
    }
  }
}

std::vector<Touch> find_touches(const BallCluster& cluster, const Vector& position) {
  std::vector<Touch> touches;
  find_balls(cluster, position, touches);
  find_walls(cluster, position, touches);
  std::sort(touches.begin(), touches.end(),
            [](const Touch& a, const Touch& b) { return a.key() < b.key(); });
  return touches;
}

Vector flat(const std::vector<Point>& points) {
  Vector result(2 * static_cast<Eigen::Index>(points.size()));
  for (std::size_t i = 0; i < points.size(); ++i) {
    result.segment<2>(2 * static_cast<Eigen::Index>(i)) = points[i];
  }
  return result;
}

}  // namespace

void validate(const BallCluster& cluster) {
  const std::size_t balls = cluster.positions.size();
  if (balls == 0) throw InvalidInput("positions", "is empty; a cluster has at least one ball");
  for (std::size_t i = 0; i < balls; ++i) {
    if (!cluster.positions[i].allFinite()) {
      require_finite(cluster.positions[i], entry("positions", i));
    }
  }
  require_each(cluster.radii, cluster.radius, balls, "radii", "radius");
  require_each(cluster.masses, cluster.mass, balls, "masses", "mass");
  require_names(cluster.names, balls);
  if (!(cluster.touch_tolerance > 0.0 && cluster.touch_tolerance <= 0.1)) {
    throw InvalidInput("touch_tolerance", text(cluster.touch_tolerance) + " is not in (0, 0.1]");
  }
  for (std::size_t w = 0; w < cluster.walls.size(); ++w) {
    const PlaneWall& wall = cluster.walls[w];
    require_finite(wall.point, entry("walls", w) + ".point");
    require_direction(wall.normal, entry("walls", w) + ".normal");
  }
}

State BallCluster::at_contact(int striker, const Point& velocity) const {
  validate(*this);
  if (striker < 0 || striker >= balls()) {
    throw InvalidInput(
        "striker", std::to_string(striker) + " is not from 0 to " + std::to_string(balls() - 1));
  }
  std::vector<Point> velocities(positions.size(), Point::Zero());
  velocities[static_cast<std::size_t>(striker)] = velocity;
  return at_contact(velocities);
}

State BallCluster::at_contact(const std::vector<Point>& velocities) const {
  validate(*this);
  require_size(velocities.size(), positions.size(), "velocity", "ball");
  for (std::size_t i = 0; i < velocities.size(); ++i) {
    if (!velocities[i].allFinite()) require_finite(velocities[i], entry("velocity", i));
  }
  return {.position = flat(positions), .velocity = flat(velocities)};
}

ImpactProblem BallCluster::impact(const State& state) const {
  validate(*this);
  require_state(state, 2 * positions.size(), "coordinate");
  const std::vector<Touch> touches = find_touches(*this, state.position);
  if (!materials.empty()) {
    require_size(materials.size(), touches.size(), "materials", "contact");
  }
  std::vector<Eigen::Triplet<double>> entries;
  std::vector<Contact> contacts;
  for (const Touch& touch : touches) {
    const auto column = static_cast<int>(contacts.size());
    // Gap rate n · (v_second − v_first), with a wall n · v_first.
    const double sign = touch.at_wall ? 1.0 : -1.0;
    for (int k = 0; k < 2; ++k) {
      entries.emplace_back(2 * touch.first + k, column, sign * touch.normal[k]);
      if (!touch.at_wall) entries.emplace_back(2 * touch.second + k, column, touch.normal[k]);
    }
    contacts.push_back({.material = materials.empty() ? material : materials[contacts.size()]});
  }
  SparseMatrix W(2 * balls(), static_cast<Eigen::Index>(contacts.size()));
  W.setFromTriplets(entries.begin(), entries.end());
  Vector diagonal(2 * balls());
  for (int i = 0; i < balls(); ++i) {
    diagonal.segment<2>(2 * i).setConstant(each(masses, mass, static_cast<std::size_t>(i)));
  }
  return {.mass = MassMatrix::diagonal(std::move(diagonal)),
          .gradients = W,
          .velocity = state.velocity,
          .contacts = std::move(contacts)};
}

std::vector<Body> BallCluster::bodies() const {
  validate(*this);
  return named_bodies(names, positions.size(), {"x", "y"});
}

std::vector<std::string> BallCluster::contact_names(const State& state) const {
  validate(*this);
  require_state(state, 2 * positions.size(), "coordinate");
  std::vector<std::string> result;
  for (const Touch& touch : find_touches(*this, state.position)) {
    const auto second = static_cast<std::size_t>(touch.second);
    result.push_back(short_name(names, static_cast<std::size_t>(touch.first)) + "–" +
                     (touch.at_wall ? wall_name(*this, touch.second) : short_name(names, second)));
  }
  return result;
}

}  // namespace percute::systems

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "model/text.hpp"
#include "systems/checks.hpp"

#include <percute/model/invalid_input.hpp>
#include <percute/systems/ball_cluster.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numbers>
#include <tuple>
#include <utility>

namespace percute::systems {

namespace {

/// Calls `visit(i, j)`, i < j, once for every pair of discs whose centres are at most
/// (1 + reach) (r_i + r_j) apart, and for some that are further apart, in no particular but always
/// the same order. `position` is (x_0, y_0, x_1, y_1, …). A line sweeps along x; the discs under it
/// are kept by y, so that a disc meets those beside it alone. For discs that do not overlap the
/// time grows like n log n, times the ratio of the largest radius to the smallest where these are
/// mixed.
void for_each_near_pair(const Vector& position, const std::vector<double>& radii, double reach,
                        const std::function<void(int, int)>& visit) {
  struct End {
    double x;
    int disc;
    bool right;
  };
  using UnderLine = std::multimap<double, int>;
  constexpr double kRounding = 4.0 * std::numeric_limits<double>::epsilon();
  std::vector<End> ends;
  ends.reserve(2 * radii.size());
  double largest = 0.0;
  for (int i = 0; i < static_cast<int>(radii.size()); ++i) {
    const double x = position[2 * i];
    const double half = (1.0 + reach) * radii[static_cast<std::size_t>(i)];
    const double wide = half + kRounding * (half + std::abs(x));
    largest = std::max(largest, half);
    ends.push_back({.x = x - wide, .disc = i, .right = false});
    ends.push_back({.x = x + wide, .disc = i, .right = true});
  }
  std::sort(ends.begin(), ends.end(), [](const End& a, const End& b) {
    return std::tie(a.x, a.right, a.disc) < std::tie(b.x, b.right, b.disc);
  });
  UnderLine under;
  std::vector<UnderLine::iterator> places(radii.size());
  for (const auto& [x, i, right] : ends) {
    const auto k = static_cast<std::size_t>(i);
    if (right) {
      under.erase(places[k]);
      continue;
    }
    const double y = position[2 * i + 1];
    const double far = (1.0 + reach) * radii[k] + largest;
    const double band = far + kRounding * (far + std::abs(y));
    for (auto other = under.lower_bound(y - band); other != under.end() && other->first <= y + band;
         ++other) {
      visit(std::min(i, other->second), std::max(i, other->second));
    }
    places[k] = under.emplace(y, i);
  }
}

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

/// Two balls that touch, or a ball and a wall.
struct Touch {
  int first;
  int second;  ///< ball, or wall if `at_wall`
  bool at_wall;

  auto key() const { return std::tie(at_wall, first, second); }
};

Point apart(const Touch& touch, const Vector& q) {
  return q.segment<2>(2 * touch.second) - q.segment<2>(2 * touch.first);
}

/// From first to second, or from the wall to the ball.
Point normal(const BallCluster& cluster, const Touch& touch, const Vector& q) {
  if (touch.at_wall) {
    return cluster.walls[static_cast<std::size_t>(touch.second)].normal.stableNormalized();
  }
  const Point d = apart(touch, q);
  return d / d.stableNorm();
}

/// r_i + r_j, at a wall r_i.
double reach(const BallCluster& cluster, const Touch& touch) {
  const double own = radius_of(cluster, touch.first);
  return touch.at_wall ? own : own + radius_of(cluster, touch.second);
}

/// |c_j − c_i| − r_i − r_j, at a wall n · (c_i − point) − r_i.
double gap(const BallCluster& cluster, const Touch& touch, const Vector& q) {
  if (!touch.at_wall) return apart(touch, q).stableNorm() - reach(cluster, touch);
  const Point& point = cluster.walls[static_cast<std::size_t>(touch.second)].point;
  return normal(cluster, touch, q).dot(q.segment<2>(2 * touch.first) - point) -
         reach(cluster, touch);
}

[[noreturn]] void throw_overlap(const BallCluster& cluster, const Touch& touch, double depth) {
  const std::string other =
      touch.at_wall ? wall_name(cluster, touch.second) : ball_name(cluster, touch.second);
  throw InvalidInput(
      entry("positions", static_cast<std::size_t>(touch.at_wall ? touch.first : touch.second)),
      ball_name(cluster, touch.first) + " and " + other + " overlap by " + text(depth) +
          " m; more than touch_tolerance = " + text(cluster.touch_tolerance) + " allows");
}

std::vector<Touch> find_touches(const BallCluster& cluster, const Vector& q) {
  std::vector<Touch> touches;
  const auto consider = [&](const Touch& touch) {
    const double open = gap(cluster, touch, q);
    const double tolerance = cluster.touch_tolerance * reach(cluster, touch);
    if (open > tolerance) return;
    if (!(open >= -tolerance)) throw_overlap(cluster, touch, -open);
    touches.push_back(touch);
  };
  std::vector<double> radii = cluster.radii;
  if (radii.empty()) radii.assign(cluster.positions.size(), cluster.radius);
  for_each_near_pair(q, radii, cluster.touch_tolerance,
                     [&](int i, int j) { consider({.first = i, .second = j, .at_wall = false}); });
  for (std::size_t w = 0; w < cluster.walls.size(); ++w) {
    for (int i = 0; i < cluster.balls(); ++i) {
      consider({.first = i, .second = static_cast<int>(w), .at_wall = true});
    }
  }
  std::sort(touches.begin(), touches.end(),
            [](const Touch& a, const Touch& b) { return a.key() < b.key(); });
  return touches;
}

/// The cluster with the contacts that it has somewhere, as a system.
class TouchingBalls {
 public:
  TouchingBalls(BallCluster cluster, std::vector<Touch> touches)
      : cluster_(std::move(cluster)),
        touches_(std::move(touches)),
        diagonal_(2 * cluster_.balls()) {
    for (int i = 0; i < cluster_.balls(); ++i) {
      diagonal_.segment<2>(2 * i).setConstant(each(cluster_.masses, cluster_.mass, i));
    }
  }

  int coordinates() const { return 2 * cluster_.balls(); }
  int contacts() const { return static_cast<int>(touches_.size()); }
  const Vector& diagonal_mass() const { return diagonal_; }
  double touching(int i) const { return cluster_.touch_tolerance * reach(cluster_, at(i)); }
  void gaps(const Vector& q, Vector& h) const {
    for (int i = 0; i < contacts(); ++i) h[i] = gap(cluster_, at(i), q);
  }
  /// Gap rate n · (v_second − v_first), with a wall n · v_first.
  void gradient(int i, const Vector& q, Vector& column) const {
    const Point n = normal(cluster_, at(i), q);
    column.segment<2>(2 * at(i).first) = at(i).at_wall ? n : Point(-n);
    if (!at(i).at_wall) column.segment<2>(2 * at(i).second) = n;
  }
  Blocks blocks(int i) const {
    return {{{2 * at(i).first, 2}, {2 * at(i).second, at(i).at_wall ? 0 : 2}}};
  }
  Contact contact(int i, const Vector& /*q*/) const {
    return {.material = each(cluster_.materials, cluster_.material, i)};
  }

  std::vector<Body> bodies() const { return cluster_.bodies(); }
  std::vector<std::string> contact_names() const {
    const auto name = [this](int ball) {
      return short_name(cluster_.names, static_cast<std::size_t>(ball));
    };
    return all_names(contacts(), [&](int i) {
      const std::string other =
          at(i).at_wall ? wall_name(cluster_, at(i).second) : name(at(i).second);
      return name(at(i).first) + "–" + other;
    });
  }

 private:
  const Touch& at(int i) const { return touches_[static_cast<std::size_t>(i)]; }

  BallCluster cluster_;
  std::vector<Touch> touches_;
  Vector diagonal_;
};

void require_points_finite(const std::vector<Point>& points, const char* field) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!points[i].allFinite()) require_finite(points[i], entry(field, i));
  }
}

constexpr int kMaxRows = 1000;

void require_angle(double half_angle) {
  const bool good = half_angle > 0.0 && half_angle < std::numbers::pi / 2.0;
  require(good, "half_angle", half_angle, "in (0, pi/2)");
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
  require_points_finite(cluster.positions, "positions");
  require_each(cluster.radii, cluster.radius, balls, "radii", "radius");
  require_each(cluster.masses, cluster.mass, balls, "masses", "mass");
  require_names(cluster.names, balls);
  const double tolerance = cluster.touch_tolerance;
  require(tolerance > 0.0 && tolerance <= 0.1, "touch_tolerance", tolerance, "in (0, 0.1]");
  for (std::size_t w = 0; w < cluster.walls.size(); ++w) {
    const PlaneWall& wall = cluster.walls[w];
    require_finite(wall.point, entry("walls", w) + ".point");
    require_direction(wall.normal, entry("walls", w) + ".normal");
  }
  require_different(all_names(cluster.walls.size(), [&](int w) { return wall_name(cluster, w); }),
                    "walls", ".name", "wall");
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
  require_points_finite(velocities, "velocity");
  return {.position = flat(positions), .velocity = flat(velocities)};
}

AnySystem BallCluster::touching(const Vector& position) const {
  validate(*this);
  require_numbers(position, 2 * positions.size(), "position", "coordinate");
  std::vector<Touch> touches = find_touches(*this, position);
  require_materials(materials, touches.size());
  return TouchingBalls(*this, std::move(touches));
}

std::vector<Body> BallCluster::bodies() const {
  validate(*this);
  return named_bodies(names, positions.size(), {"x", "y"});
}

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

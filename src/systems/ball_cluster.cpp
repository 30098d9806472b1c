// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "model/text.hpp"
#include "systems/checks.hpp"

#include <percute/model/invalid_input.hpp>
#include <percute/systems/ball_cluster.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <tuple>
#include <utility>

namespace percute::systems {

namespace {

/// A cell of one of a family of square grids: cells of level L have side 2^L. Indices stay floating
/// point, so that no position is too far out.
struct Cell {
  int level;
  double column;
  double row;

  auto key() const { return std::tie(level, column, row); }
};

struct Entry {
  Cell cell;
  int disc;
};

/// The level whose cells are just large enough for a disc within reach.
int level_of(double radius, double reach) {
  return std::ilogb(2.0 * (1.0 + reach) * radius) + 1;
}

Cell cell_of(const Vector& position, int disc, int level) {
  const double side = std::ldexp(1.0, level);
  return {.level = level,
          .column = std::floor(position[2 * disc] / side),
          .row = std::floor(position[2 * disc + 1] / side)};
}

/// Columns next to this one, without repetition where they are too far out to differ.
std::vector<double> beside(double column) {
  std::vector<double> result{column - 1.0, column, column + 1.0};
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

/// Calls `visit(i, j)`, i < j, once for every pair of discs whose centres are at most
/// (1 + reach) (r_i + r_j) apart, and for some that are further apart, in no particular but always
/// the same order. `position` is (x_0, y_0, x_1, y_1, …). For discs that do not overlap the time
/// grows like n log n, whatever their sizes; an exception of `visit` ends the search.
void for_each_near_pair(const Vector& position, const std::vector<double>& radii, double reach,
                        const std::function<void(int, int)>& visit) {
  // Each disc is entered once, on the grid of its own size.
  const int discs = static_cast<int>(radii.size());
  std::vector<Entry> entries;
  entries.reserve(radii.size());
  std::vector<int> levels;
  for (int i = 0; i < discs; ++i) {
    const int level = level_of(radii[static_cast<std::size_t>(i)], reach);
    entries.push_back({.cell = cell_of(position, i, level), .disc = i});
    levels.push_back(level);
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return a.cell.key() != b.cell.key() ? a.cell.key() < b.cell.key() : a.disc < b.disc;
  });
  std::sort(levels.begin(), levels.end());
  levels.erase(std::unique(levels.begin(), levels.end()), levels.end());

  // Partners of the same size or larger are in the cell of the disc on their grid, or beside it.
  for (const Entry& entry : entries) {
    const auto coarser = std::lower_bound(levels.begin(), levels.end(), entry.cell.level);
    for (auto level = coarser; level != levels.end(); ++level) {
      const Cell own = cell_of(position, entry.disc, *level);
      for (const double column : beside(own.column)) {
        const Cell lowest{.level = *level, .column = column, .row = own.row - 1.0};
        auto other = std::lower_bound(
            entries.begin(), entries.end(), lowest,
            [](const Entry& e, const Cell& cell) { return e.cell.key() < cell.key(); });
        for (; other != entries.end() && other->cell.level == *level &&
               other->cell.column == column && other->cell.row <= own.row + 1.0;
             ++other) {
          // Partners on the same grid find each other twice.
          const bool again = *level == entry.cell.level && other->disc <= entry.disc;
          if (!again) visit(std::min(entry.disc, other->disc), std::max(entry.disc, other->disc));
        }
      }
    }
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
    std::vector<std::string> names;
    names.reserve(touches_.size());
    for (const Touch& touch : touches_) {
      names.push_back(name(touch.first) + "–" +
                      (touch.at_wall ? wall_name(cluster_, touch.second) : name(touch.second)));
    }
    return names;
  }

 private:
  const Touch& at(int i) const { return touches_[static_cast<std::size_t>(i)]; }

  BallCluster cluster_;
  std::vector<Touch> touches_;
  Vector diagonal_;
};

constexpr int kMaxRows = 1000;

void require_angle(double half_angle) {
  if (!(half_angle > 0.0 && half_angle < std::numbers::pi / 2.0)) {
    throw InvalidInput("half_angle", text(half_angle) + " is not in (0, pi/2)");
  }
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
  std::vector<std::string> walls;
  walls.reserve(cluster.walls.size());
  for (int w = 0; w < static_cast<int>(cluster.walls.size()); ++w) {
    walls.push_back(wall_name(cluster, w));
  }
  require_different(walls, "walls", ".name", "wall");
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

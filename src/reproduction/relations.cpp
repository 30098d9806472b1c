// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "reproduction/rows.hpp"

#include <percute/model/invalid_input.hpp>

#include <algorithm>
#include <cmath>

namespace percute::reproduction {

namespace {

/// Number of a case, with what it may depend on.
struct Point {
  double balls = 0.0;
  double speed = 0.0;
  double value = 0.0;
};

std::vector<Point> points_of(const Relation& relation, const Item& item,
                             std::span<const Outcome> outcomes) {
  std::vector<Point> points;
  const auto add = [&](const Outcome& outcome) {
    if (std::ranges::find(outcome.of.expected, relation.of, &Expected::name) ==
        outcome.of.expected.end()) {
      return;
    }
    const Vector& velocity = std::get<Impact>(outcome.of.subject).file.problem.velocity;
    points.push_back({.balls = static_cast<double>(velocity.size()),
                      .speed = velocity.cwiseAbs().maxCoeff(),
                      .value = quantity(relation.of, outcome)});
  };
  if (relation.over.empty()) std::ranges::for_each(outcomes, add);
  for (const std::string& id : relation.over) {
    const auto found =
        std::ranges::find_if(outcomes, [&](const Outcome& outcome) { return outcome.of.id == id; });
    if (found == outcomes.end()) {
      throw InvalidInput("over", item.id + " has no case called '" + id + "'");
    }
    add(*found);
  }
  if (points.empty()) throw InvalidInput("of", item.id + ": no case has '" + relation.of + "'");
  return points;
}

/// Straight line of least squares over the number of balls.
struct Line {
  double slope = 0.0;
  double intercept = 0.0;

  explicit Line(const std::vector<Point>& points) {
    const auto n = static_cast<double>(points.size());
    double sx = 0.0;
    double sy = 0.0;
    for (const Point& p : points) {
      sx += p.balls / n;
      sy += p.value / n;
    }
    double xx = 0.0;
    double xy = 0.0;
    for (const Point& p : points) {
      xx += (p.balls - sx) * (p.balls - sx);
      xy += (p.balls - sx) * (p.value - sy);
    }
    slope = xy / xx;
    intercept = sy - slope * sx;
  }

  double deviation(const std::vector<Point>& points) const {
    double largest = 0.0;
    for (const Point& p : points) {
      largest = std::max(largest, std::abs(p.value - intercept - slope * p.balls));
    }
    return largest;
  }
};

}  // namespace

double number_of(const Relation& relation, const Item& item, std::span<const Outcome> outcomes) {
  using Kind = Relation::Kind;
  const std::vector<Point> points = points_of(relation, item, outcomes);
  const Point& first = points.front();
  const Point& last = points.back();
  switch (relation.kind) {
    case Kind::Least:
      return std::ranges::min_element(points, {}, &Point::value)->value;
    case Kind::Greatest:
      return std::ranges::max_element(points, {}, &Point::value)->value;
    case Kind::ArgMax:
      return std::ranges::max_element(points, {}, &Point::value)->balls;
    case Kind::Slope:
      return Line(points).slope;
    case Kind::Intercept:
      return Line(points).intercept;
    case Kind::Deviation:
      return Line(points).deviation(points);
    case Kind::ChangePercent:
      return 100.0 * (last.value / first.value - 1.0);
    case Kind::Exponent:
      return std::log(last.value / first.value) / std::log(last.speed / first.speed);
  }
  throw InvalidInput("op", "unknown relation");
}

}  // namespace percute::reproduction

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include <percute/io/chain_cases.hpp>
#include <percute/model/invalid_input.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace percute::io {

namespace {

/// Number of a case, with what it may depend on.
struct Point {
  double balls = 0.0;
  double speed = 0.0;
  double value = 0.0;
};

std::vector<Point> points_of(const ChainRelation& relation, const ChainItem& item,
                             const std::vector<std::vector<double>>& numbers) {
  std::vector<Point> points;
  const auto add = [&](std::size_t i) {
    const ChainCase& reference = item.cases[i];
    for (std::size_t k = 0; k < reference.expected.size(); ++k) {
      if (reference.expected[k].name != relation.of) continue;
      points.push_back({.balls = static_cast<double>(reference.problem.velocity.size()),
                        .speed = reference.problem.velocity.cwiseAbs().maxCoeff(),
                        .value = numbers[i][k]});
    }
  };
  for (std::size_t i = 0; i < item.cases.size() && relation.over.empty(); ++i) add(i);
  for (const std::string& id : relation.over) {
    const auto found = std::find_if(item.cases.begin(), item.cases.end(),
                                    [&](const ChainCase& c) { return c.id == id; });
    if (found == item.cases.end()) {
      throw InvalidInput("over", item.id + " has no case called '" + id + "'");
    }
    add(static_cast<std::size_t>(found - item.cases.begin()));
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

/// Decimals of a number as it is printed.
int decimals_of(double printed) {
  int decimals = 0;
  double scaled = std::abs(printed);
  while (decimals < 17 && std::abs(scaled - std::round(scaled)) > 1e-9 * scaled) {
    scaled *= 10.0;
    ++decimals;
  }
  return decimals;
}

ReferenceRow row_of(const ChainNumber& expected, double computed, const std::string& label,
                    const std::string& note) {
  return judged({.label = label,
                 .quantity = expected.name,
                 .published = expected.published,
                 .computed = computed,
                 .tolerance = expected.published_tolerance,
                 .reference = expected.value,
                 .reference_tolerance = expected.tolerance,
                 .note = note},
                decimals_of(expected.published.value_or(0.0)));
}

}  // namespace

double number_of(const ChainRelation& relation, const ChainItem& item,
                 const std::vector<std::vector<double>>& numbers) {
  using Kind = ChainRelation::Kind;
  const std::vector<Point> points = points_of(relation, item, numbers);
  const auto smaller = [](const Point& a, const Point& b) { return a.value < b.value; };
  const Point& first = points.front();
  const Point& last = points.back();
  switch (relation.kind) {
    case Kind::Least:
      return std::min_element(points.begin(), points.end(), smaller)->value;
    case Kind::Greatest:
      return std::max_element(points.begin(), points.end(), smaller)->value;
    case Kind::ArgMax:
      return std::max_element(points.begin(), points.end(), smaller)->balls;
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

Reproduction reproduce(const ChainItem& item) {
  Reproduction result{.id = item.id, .title = item.title + " (" + item.source + ")", .rows = {}};
  std::vector<std::vector<double>> numbers;
  numbers.reserve(item.cases.size());
  for (const ChainCase& reference : item.cases) {
    const std::string& note = reference.note.empty() ? item.note : reference.note;
    std::string status;
    numbers.push_back(numbers_of(reference, status));
    if (status != reference.status) {
      result.rows.push_back({.label = reference.label,
                             .quantity = "status",
                             .verdict = ReferenceRow::Verdict::Differs,
                             .note = "status is " + status + ", not " + reference.status});
    }
    for (std::size_t k = 0; k < reference.expected.size(); ++k) {
      result.rows.push_back(
          row_of(reference.expected[k], numbers.back()[k], reference.label, note));
    }
  }
  for (const ChainRelation& relation : item.relations) {
    result.rows.push_back(
        row_of(relation.expected, number_of(relation, item, numbers), relation.label, item.note));
  }
  return result;
}

}  // namespace percute::io

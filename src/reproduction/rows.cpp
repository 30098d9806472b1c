// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "reproduction/rows.hpp"

#include <percute/model/invalid_input.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace percute::reproduction {

namespace {

/// The converged value wins; print, rounded to its decimals, is judged against what was computed.
/// A number that is NaN agrees with nothing.
Row::Verdict verdict_on(const Row& row, int decimals) {
  if (!row.reference) return Row::Verdict::Explained;
  const double computed = *row.computed;
  const double difference = std::abs(row.published.value_or(computed) - computed);
  const double rounding = 0.505 * std::pow(10.0, -decimals);  // half a unit, and its own rounding
  const bool converged = std::abs(computed - *row.reference) <= *row.reference_tolerance;
  if (!converged || difference > row.tolerance.value_or(difference)) return Row::Verdict::Differs;
  return difference > rounding ? Row::Verdict::Explained : Row::Verdict::Agrees;
}

const std::string& first_of(const std::string& own, const std::string& otherwise) {
  return own.empty() ? otherwise : own;
}

Row row_of(const Expected& expected, double computed, double tolerance, const std::string& label,
           const std::string& note) {
  Row row{.label = first_of(expected.label, label),
          .quantity = first_of(expected.shown, expected.name),
          .published = expected.published,
          .computed = computed,
          .tolerance = expected.published_tolerance,
          .reference = expected.value,
          .note = first_of(expected.note, note)};
  if (expected.value) row.reference_tolerance = tolerance;
  row.verdict = verdict_on(row, expected.decimals);
  return row;
}

/// Errors of v⁺ are errors of T⁺ = ½ vᵀMv times its momentum.
double tolerance_of(const Expected& expected, const Outcome& outcome) {
  if (!expected.of_energy) return expected.tolerance;
  const ImpactProblem& problem = std::get<Impact>(outcome.of.subject).file.problem;
  const Vector momentum = problem.mass * outcome.result.velocity;
  return expected.tolerance * std::max(1.0, momentum.lpNorm<1>());
}

/// The numbers to compare with: of several right outcomes, those of the nearest.
std::vector<Expected> expected_of(const Case& which, const Outcome& outcome) {
  std::vector<Expected> all = which.expected;
  const std::vector<Expected>* nearest = nullptr;
  double smallest = std::numeric_limits<double>::infinity();
  for (const std::vector<Expected>& numbers : which.one_of) {
    double error = 0.0;
    for (const Expected& number : numbers) {
      error = std::max(error, std::abs(quantity(number.name, outcome) - *number.value));
    }
    if (nearest == nullptr || error < smallest) {
      nearest = &numbers;
      smallest = error;
    }
  }
  if (nearest != nullptr) all.insert(all.end(), nearest->begin(), nearest->end());
  return all;
}

io::Node number(const std::optional<double>& value) {
  return value ? io::Node(*value) : io::Node();
}

// -------------------------------------------------------------- numbers made of several cases

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

/// The number of a relation, given the outcomes of the cases of its item.
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

}  // namespace

Reproduction reproduce(const Item& item) {
  Reproduction result{.id = item.id, .title = item.heading, .rows = {}};
  std::vector<Outcome> outcomes;
  outcomes.reserve(item.cases.size());
  for (const Case& which : item.cases) {
    const Outcome& outcome = outcomes.emplace_back(solve(which));
    if (outcome.status != which.status) {
      result.rows.push_back({.label = which.label,
                             .quantity = "status",
                             .verdict = Row::Verdict::Differs,
                             .note = "status is " + outcome.status + ", not " + which.status});
    }
    for (const Expected& expected : expected_of(which, outcome)) {
      result.rows.push_back(row_of(expected, quantity(expected.name, outcome),
                                   tolerance_of(expected, outcome), which.label,
                                   first_of(which.note, item.note)));
    }
  }
  for (const Relation& relation : item.relations) {
    const double computed = number_of(relation, item, outcomes);
    result.rows.push_back(row_of(relation.expected, computed, relation.expected.tolerance,
                                 relation.label, item.note));
  }
  return result;
}

bool Reproduction::ok() const {
  return std::ranges::all_of(rows, &Row::ok);
}

io::Node to_node(std::span<const Reproduction> items) {
  io::Node::Array list;
  for (const Reproduction& item : items) {
    io::Node::Array rows;
    for (const Row& row : item.rows) {
      io::Node entry;
      entry.add("label", row.label);
      entry.add("quantity", row.quantity);
      entry.add("published", number(row.published));
      entry.add("computed", number(row.computed));
      entry.add("tolerance", number(row.tolerance));
      entry.add("reference", number(row.reference));
      entry.add("reference_tolerance", number(row.reference_tolerance));
      entry.add("ok", row.ok());
      entry.add("note", row.note);
      rows.push_back(std::move(entry));
    }
    io::Node node;
    node.add("id", item.id);
    node.add("title", item.title);
    node.add("rows", std::move(rows));
    node.add("ok", item.ok());
    list.push_back(std::move(node));
  }
  io::Node root;
  root.add("items", std::move(list));
  root.add("ok", std::ranges::all_of(items, &Reproduction::ok));
  return root;
}

}  // namespace percute::reproduction

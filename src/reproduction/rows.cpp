// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "reproduction/rows.hpp"

#include <percute/analysis/problem_analysis.hpp>
#include <percute/laws/impact_law.hpp>
#include <percute/model/invalid_input.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

// Cases solved, as closely watched as their numbers need, and the rows that compare these with
// what was printed and with what is right.

namespace percute::reproduction {

namespace {

Watch closest_watch(const Case& which) {
  Watch watch = Watch::Rest;
  for (const Expected& number : which.expected) watch = std::max(watch, watch_for(number.name));
  return watch;
}

/// Instants at which an impact is looked at.
std::vector<double> instants_of(const Impact& impact) {
  std::vector<double> times = impact.instants;
  for (Eigen::Index k = 0; k < impact.curve.size(); ++k) {
    times.push_back(impact.curve_step * static_cast<double>(k));
  }
  std::sort(times.begin(), times.end());
  return times;
}

void solve(const Impact& impact, Watch watch, Outcome& outcome) {
  const ImpactProblem& problem = impact.file.problem;
  const auto run = [&](const Recording& recording) {
    return percute::resolve(problem, impact.file.law, recording);
  };
  if (watch >= Watch::Chain) outcome.chain.emplace(InChain{.chain = analysis::chain_of(problem)});
  if (watch == Watch::Waves && outcome.chain) {
    const auto& waves =
        outcome.chain->waves.emplace(analysis::watch_waves(problem, outcome.chain->chain, run));
    outcome.result = waves.result;
  } else if (watch == Watch::Events) {
    outcome.result = run({.every = 0, .times = instants_of(impact)});
  } else {
    outcome.result = percute::resolve(problem, impact.file.law);
  }
  outcome.status = name(outcome.result.status);
  if (auto& in = outcome.chain) {
    in->velocity = in->chain.of_balls(outcome.result.velocity);
    in->outcome = analysis::outcome_of(problem, in->chain, outcome.result);
  }
}

io::Document scene_of(const Motion& motion) {
  using Embedded = std::string_view (*)();
  constexpr std::array<std::pair<std::string_view, Embedded>, 4> kScenes{{
      {"cradle_with_gravity.toml", embedded::cradle_with_gravity},
      {"impacting_bar.toml", embedded::impacting_bar},
      {"rocking_block.toml", embedded::rocking_block},
      {"v_groove_drop.toml", embedded::v_groove_drop},
  }};
  const auto* const found =
      std::ranges::find(kScenes, motion.scene, &std::pair<std::string_view, Embedded>::first);
  if (found == kScenes.end()) {
    throw InvalidInput("scene", "there is no motion '" + motion.scene + "'");
  }
  io::Document scene = io::parse_toml(found->second(), "examples/motion/" + motion.scene);
  change(scene, motion.set);
  return scene;
}

void solve(const Motion& motion, Watch watch, Outcome& outcome) {
  const io::Document scene = scene_of(motion);
  Moved& moved = outcome.motion.emplace(Moved{.file = io::read_motion(scene)});
  if (watch == Watch::Rest) return;
  simulation::Observer observer;
  if (watch >= Watch::Events) {
    observer.event = [&moved](const simulation::Event& event) {
      moved.events.push_back(event);
      return true;
    };
    observer.state = [&moved](double time, const Vector& q, const Vector& /*v*/) {
      const auto impacts =
          std::ranges::count(moved.events, simulation::EventKind::Impact, &simulation::Event::kind);
      moved.states.push_back({.time = time, .position = q, .impacts = static_cast<int>(impacts)});
      return true;
    };
  }
  moved.run = simulate(moved.file, scene, observer);
  outcome.status = name(moved.run.status);
}

constexpr double kOnTheLine = 1e-8;  ///< of |U⁻|_∞: rounding must not move an outcome to a cell

// The problem with the k-th combination of the values that vary; the first parameter runs fastest.
io::ProblemFile sample(const Coverage& coverage, std::size_t k) {
  io::Document document = coverage.problem;
  for (const Coverage::Parameter& parameter : coverage.vary) {
    const double value = parameter.values[k % parameter.values.size()];
    k /= parameter.values.size();
    for (const std::string& key : parameter.keys) {
      io::override_value(document, key, fmt::format("{:.17g}", value), key);
    }
  }
  return io::read_problem(document);
}

void solve(const Coverage& coverage, Watch /*watch*/, Outcome& outcome) {
  outcome.coverage = cover(coverage);
}

}  // namespace

void change(io::Document& document, const Settings& settings) {
  for (const auto& [key, value] : settings) {
    const std::string origin = "data/reference: " + key;
    if (value.is_null()) {
      io::remove_value(document, key, origin);
    } else {
      io::override_value(document, key, to_json(value), origin);
    }
  }
}

Covered cover(const Coverage& coverage) {
  const analysis::OutcomeSet outcomes =
      analysis::outcome_set(io::read_problem(coverage.problem).problem);
  if (outcomes.before.size() != 2) {
    throw InvalidInput("problem.contacts", "coverage needs two contacts");
  }
  std::size_t samples = 1;
  for (const Coverage::Parameter& parameter : coverage.vary) samples *= parameter.values.size();
  std::set<std::pair<int, int>> reached;
  Covered cells;
  for (std::size_t k = 0; k < samples; ++k) {
    const io::ProblemFile file = sample(coverage, k);
    const ImpactResult result = percute::resolve(file.problem, file.law);
    if (!result.ok() || !outcomes.contains(result.gap_rate, kOnTheLine)) {
      ++cells.inconsistent;
      continue;
    }
    const auto index = [&](Eigen::Index i) {
      const double x = result.gap_rate[i] / outcomes.speed;
      return static_cast<int>(std::floor((x + kOnTheLine) * coverage.cells));
    };
    reached.emplace(index(0), index(1));
  }
  const double width = outcomes.speed / coverage.cells;
  const auto last = static_cast<int>(std::ceil(outcomes.largest.maxCoeff() / width));
  for (int i = 0; i <= last; ++i) {
    for (int j = 0; j <= last; ++j) {
      if (!outcomes.contains(Eigen::Vector2d((i + 0.5) * width, (j + 0.5) * width), 0.0)) continue;
      ++cells.admissible;
      cells.reached += reached.contains({i, j}) ? 1 : 0;
    }
  }
  return cells;
}

Outcome solve(const Case& which) {
  Outcome outcome{.of = which};
  std::visit([&](const auto& subject) { solve(subject, closest_watch(which), outcome); },
             which.subject);
  return outcome;
}

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

Row row_of(const Expected& expected, double computed, const std::string& label,
           const std::string& note) {
  Row row{.label = first_of(expected.label, label),
          .quantity = first_of(expected.shown, expected.name),
          .published = expected.published,
          .computed = computed,
          .tolerance = expected.published_tolerance,
          .reference = expected.value,
          .note = first_of(expected.note, note)};
  if (expected.value) row.reference_tolerance = expected.tolerance;
  row.verdict = verdict_on(row, expected.decimals);
  return row;
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
    Eigen::ArrayXd x(static_cast<Eigen::Index>(points.size()));
    Eigen::ArrayXd y(x.size());
    std::ranges::transform(points, x.begin(), &Point::balls);
    std::ranges::transform(points, y.begin(), &Point::value);
    slope = ((x - x.mean()) * (y - y.mean())).sum() / (x - x.mean()).square().sum();
    intercept = y.mean() - slope * x.mean();
  }

  double deviation(const std::vector<Point>& points) const {
    double largest = 0.0;
    for (const Point& p : points) {
      largest = std::max(largest, std::abs(p.value - intercept - slope * p.balls));
    }
    return largest;
  }
};

using Points = std::vector<Point>;

struct Operation {
  std::string_view name;
  double (*compute)(const Points& points);
};

/// ArgMax is a number of balls; lines are fitted over that number, the power law over the speed.
constexpr auto kOperations = std::to_array<Operation>({
    {"least",
     [](const Points& p) { return std::ranges::min_element(p, {}, &Point::value)->value; }},
    {"greatest",
     [](const Points& p) { return std::ranges::max_element(p, {}, &Point::value)->value; }},
    {"argmax",
     [](const Points& p) { return std::ranges::max_element(p, {}, &Point::value)->balls; }},
    {"slope", [](const Points& p) { return Line(p).slope; }},
    {"intercept", [](const Points& p) { return Line(p).intercept; }},
    {"deviation", [](const Points& p) { return Line(p).deviation(p); }},
    // From the first case to the last.
    {"change_percent",
     [](const Points& p) { return 100.0 * (p.back().value / p.front().value - 1.0); }},
    {"exponent",
     [](const Points& p) {
       return std::log(p.back().value / p.front().value) /
              std::log(p.back().speed / p.front().speed);
     }},
});

/// The number of a relation, given the outcomes of the cases of its item.
double number_of(const Relation& relation, const Item& item, std::span<const Outcome> outcomes) {
  const auto* const found = std::ranges::find(kOperations, relation.op, &Operation::name);
  if (found == kOperations.end()) throw InvalidInput("op", "unknown relation " + relation.op);
  return found->compute(points_of(relation, item, outcomes));
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
      result.rows.push_back(row_of(expected, quantity(expected.name, outcome), which.label,
                                   first_of(which.note, item.note)));
    }
  }
  for (const Relation& relation : item.relations) {
    const double computed = number_of(relation, item, outcomes);
    result.rows.push_back(row_of(relation.expected, computed, relation.label, item.note));
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

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "reproduction/outcome.hpp"

#include <percute/analysis/problem_analysis.hpp>
#include <percute/laws/impact_law.hpp>
#include <percute/model/invalid_input.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

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

}  // namespace percute::reproduction

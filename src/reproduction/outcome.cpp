// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "reproduction/outcome.hpp"

#include "reproduction/embedded.hpp"

#include <percute/laws/impact_law.hpp>
#include <percute/model/invalid_input.hpp>

#include <algorithm>
#include <array>
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
  if (watch == Watch::Waves) {
    outcome.chain->waves = analysis::watch_waves(problem, outcome.chain->chain, run);
    outcome.result = outcome.chain->waves->result;
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
  for (const auto& [key, value] : motion.set) {
    const std::string origin = "data/reference: " + key;
    if (value.is_null()) {
      io::remove_value(scene, key, origin);
    } else {
      io::override_value(scene, key, to_json(value), origin);
    }
  }
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

void solve(const Coverage& coverage, Watch /*watch*/, Outcome& outcome) {
  outcome.coverage = cover(coverage);
}

}  // namespace

Outcome solve(const Case& which) {
  Outcome outcome{.of = which};
  std::visit([&](const auto& subject) { solve(subject, closest_watch(which), outcome); },
             which.subject);
  return outcome;
}

}  // namespace percute::reproduction

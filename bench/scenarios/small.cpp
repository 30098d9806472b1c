// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "bench/scenarios/small.hpp"

#include "bench/scenarios/first_order.hpp"
#include "bench/scenarios/plain_reference.hpp"
#include "bench/scenarios/scenario.hpp"
#include "bench/scenarios/siconos.hpp"
#include "bench/scenarios/timing.hpp"
#include "bench/scenarios/tolerance_sweep.hpp"

#include <percute/laws/lzb.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace percute::bench {

namespace {

using laws::Lzb;
using laws::LzbWorkspace;

constexpr std::array kTargets{1e-3, 1e-6, 1e-9};

std::vector<Scenario> scenarios() {
  const std::vector<Material> hertz(10);
  std::vector<double> masses(11);
  std::vector<Material> materials(10);
  for (int i = 0; i < 11; ++i) masses[static_cast<std::size_t>(i)] = 1.0 + 0.1 * ((7 * i) % 5);
  for (int j = 0; j < 10; ++j) {
    materials[static_cast<std::size_t>(j)] = {.restitution = 0.9,
                                              .stiffness = 1.0 + 0.3 * ((3 * j) % 4)};
  }
  return {chain("3 balls elastic", {1.0, 1.0, 1.0}, {hertz[0], hertz[1]}),
          chain("11 balls elastic", std::vector<double>(11, 1.0), hertz),
          chain("11 unequal balls e=0.9", masses, materials), hexagon("7 disks elastic")};
}

/// The papers' own scheme, first order in the impulse of the primary contact.
FirstOrderMethod euler_impulse(const ImpactProblem& problem, LzbWorkspace& workspace) {
  FirstOrderMethod method{.name = "euler_impulse", .knob = "steps"};
  method.setting = [](long n) { return static_cast<double>(n); };
  method.run = [&](long n) -> std::optional<Run> {
    const Lzb law{.integrator = Lzb::Integrator::EulerImpulse, .max_steps = 1000 * n, .steps = n};
    Run run;
    const Timing timing = time_calls(
        [&] {
          const ImpactResult result = law(problem, workspace);
          run.velocity = result.velocity;
          run.evaluations = result.diagnostics.evaluations;
          run.steps = result.diagnostics.steps;
          run.events = result.diagnostics.events;
        },
        0.02);
    run.seconds = timing.minimum;
    run.median = timing.median;
    run.repeats = timing.samples;
    return run;
  };
  return method;
}

void fill_ratios(std::vector<Row>& rows) {
  for (Row& row : rows) {
    for (const Row& ours : rows) {
      const bool pair = ours.method == "percute" && ours.target == row.target;
      if (pair && row.reached && ours.reached) row.ratio = row.seconds / ours.seconds;
    }
  }
}

std::vector<Row> measure_all(const Scenario& scenario, const Options& options,
                             Reference& reference) {
  const ImpactProblem problem = scenario.problem();
  LzbWorkspace workspace;
  const Vector converged = Lzb{.tolerance = 1e-13}(problem, workspace).velocity;
  reference = {.problem = scenario.name,
               .difference = relative_error(plain_reference(problem), converged)};

  std::vector<Row> rows;
  rows.reserve(7);
  const std::vector<Trial> trials = sweep_tolerance(problem, converged, workspace);
  for (const double target : kTargets) {
    rows.push_back(measure_percute(problem, trials, target, options.quick ? 0.01 : 1.0, workspace));
  }
  const double budget = options.full ? 600.0 : options.quick ? 0.05 : 10.0;
  const auto add = [&](const FirstOrderMethod& method) {
    const std::vector<Row> more = measure(method, converged, budget);
    rows.insert(rows.end(), more.begin(), more.end());
  };
  add(euler_impulse(problem, workspace));
  if (const auto peer = siconos(scenario, options.drivers)) add(*peer);

  for (Row& row : rows) {
    row.problem = scenario.name;
    row.contacts = static_cast<int>(scenario.touches.size());
  }
  fill_ratios(rows);
  return rows;
}

/// Goals for an error of 1e-6.
std::vector<Goal> goals(const std::vector<Row>& rows) {
  const auto find = [&](const char* problem, const char* method) -> const Row* {
    const auto found = std::find_if(rows.begin(), rows.end(), [&](const Row& row) {
      return row.problem == problem && row.method == method && row.target == 1e-6 && row.reached;
    });
    return found == rows.end() ? nullptr : &*found;
  };
  std::vector<Goal> out;
  const auto time = [&](const char* problem, double limit) {
    if (const Row* row = find(problem, "percute")) {
      out.push_back({.what = std::string(problem) + ", error 1e-6",
                     .value = 1e6 * row->seconds,
                     .limit = limit,
                     .unit = "µs"});
    }
  };
  time("3 balls elastic", 4.0);
  if (const Row* row = find("3 balls elastic", "siconos"); row != nullptr && row->ratio) {
    out.push_back({.what = "3 balls elastic, error 1e-6, faster than Siconos",
                   .value = *row->ratio,
                   .limit = 1e5,
                   .at_least = true,
                   .judged = !row->extrapolated,
                   .unit = "×"});
  }
  time("11 balls elastic", 40.0);
  time("11 unequal balls e=0.9", 80.0);
  return out;
}

}  // namespace

Report run_small(const Options& options) {
  Report report;
  for (const Scenario& scenario : scenarios()) {
    Reference reference;
    const std::vector<Row> rows = measure_all(scenario, options, reference);
    report.rows.insert(report.rows.end(), rows.begin(), rows.end());
    report.references.push_back(reference);
  }
  report.goals = goals(report.rows);
  const bool peer = std::any_of(report.rows.begin(), report.rows.end(),
                                [](const Row& row) { return row.method == "siconos"; });
  if (!peer) {
    report.notes.emplace_back(
        "Siconos was not compared with: install libsiconos-kernel-dev and build again");
  }
  return report;
}

}  // namespace percute::bench

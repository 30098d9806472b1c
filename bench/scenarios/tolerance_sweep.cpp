// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "bench/scenarios/tolerance_sweep.hpp"

#include "bench/scenarios/first_order.hpp"
#include "bench/scenarios/timing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace percute::bench {

std::vector<Trial> sweep_tolerance(const ImpactProblem& problem, const Vector& reference,
                                   laws::LzbWorkspace& workspace) {
  std::vector<Trial> trials;
  for (int k = 12; k <= 52; ++k) {
    const double tolerance = k == 52 ? 1e-13 : std::pow(10.0, -0.25 * k);
    const ImpactResult result = laws::Lzb{.tolerance = tolerance}(problem, workspace);
    trials.push_back({.tolerance = tolerance,
                      .error = result.ok() ? relative_error(result.velocity, reference)
                                           : std::numeric_limits<double>::infinity(),
                      .cost = result.diagnostics});
  }
  return trials;
}

Row measure_percute(const ImpactProblem& problem, const std::vector<Trial>& trials, double target,
                    double budget, laws::LzbWorkspace& workspace) {
  // From this one on all tighter tolerances meet the target too: no lucky hits.
  auto first = trials.end();
  while (first != trials.begin() && std::prev(first)->error <= target) --first;
  Row best{.method = "percute", .target = target, .knob = "tolerance", .reached = false};
  // A tighter tolerance may happen to be faster, hardly a much tighter one.
  const auto last = first + std::min<std::ptrdiff_t>(6, trials.end() - first);
  for (auto trial = first; trial != last; ++trial) {
    const laws::Lzb law{.tolerance = trial->tolerance};
    const Timing timing = time_calls([&] { (void)law(problem, workspace); }, budget / 6.0);
    if (best.reached && best.seconds <= timing.minimum) continue;
    best.setting = trial->tolerance;
    best.error = trial->error;
    best.seconds = timing.minimum;
    best.median = timing.median;
    best.repeats = timing.samples;
    best.evaluations = trial->cost.evaluations;
    best.steps = trial->cost.steps;
    best.events = trial->cost.events;
    best.reached = true;
  }
  return best;
}

}  // namespace percute::bench

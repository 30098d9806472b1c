// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "bench/scenarios/chain.hpp"

#include "bench/scenarios/first_order.hpp"
#include "bench/scenarios/lammps.hpp"
#include "bench/scenarios/plain_chain.hpp"
#include "bench/scenarios/plain_reference.hpp"
#include "bench/scenarios/scenario.hpp"
#include "bench/scenarios/timing.hpp"

#include <percute/laws/lzb.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace percute::bench {

namespace {

using laws::Lzb;
using laws::LzbWorkspace;

constexpr double kTarget = 1e-6;

struct Chain {
  int balls = 0;
  double restitution = 1.0;
};

std::string name_of(const Chain& chain) {
  return fmt::format("{} balls {}", chain.balls,
                     chain.restitution == 1.0 ? "elastic" : fmt::format("e={}", chain.restitution));
}

std::vector<Chain> chains(const Options& options) {
  if (options.quick) return {{.balls = 10}, {.balls = 100}, {.balls = 10, .restitution = 0.9}};
  std::vector<Chain> out{{.balls = 10}, {.balls = 100}, {.balls = 1000}, {.balls = 10000}};
  out.push_back({.balls = 100000});
  if (options.full) out.push_back({.balls = 1000000});
  out.push_back({.balls = 10, .restitution = 0.9});
  out.push_back({.balls = 100, .restitution = 0.9});
  return out;
}

ImpactProblem problem_of(const Chain& c) {
  const auto balls = static_cast<std::size_t>(c.balls);
  const std::vector<Material> materials(balls - 1, Material{.restitution = c.restitution});
  return chain(name_of(c), std::vector<double>(balls, 1.0), materials).problem();
}

/// Errors add up from ball to ball, a few thousandths of the tolerance each.
Vector converged(const Chain& chain, const ImpactProblem& problem, LzbWorkspace& workspace) {
  const double tolerance = std::clamp(1e-8 / chain.balls, 1e-13, 1e-11);
  return Lzb{.tolerance = tolerance, .max_steps = 100'000'000, .max_events = 100'000'000}(problem,
                                                                                          workspace)
      .velocity;
}

/// The loosest tolerance, on a ladder of four per decade, from which on two in a row meet the
/// target.
Row measure_percute(const Chain& chain, const ImpactProblem& problem, const Vector& reference,
                    double budget, LzbWorkspace& workspace) {
  Row row{.method = "percute", .target = kTarget, .knob = "tolerance", .reached = false};
  Lzb law{.max_steps = 100'000'000, .max_events = 100'000'000};
  // Long chains need tolerances near 3e-4/balls: begin a decade above.
  const int first = 4 * static_cast<int>(std::log10(std::max(chain.balls / 100, 1)));
  double met = 0.0;
  for (int k = 20 + first; k <= 44 && !row.reached; ++k) {
    law.tolerance = std::pow(10.0, -0.25 * k);
    const ImpactResult result = law(problem, workspace);
    const bool good = result.ok() && relative_error(result.velocity, reference) <= kTarget;
    row.reached = good && met > 0.0;
    met = good ? (met > 0.0 ? met : law.tolerance) : 0.0;
  }
  if (!row.reached) return row;
  law.tolerance = met;
  ImpactResult result;
  const Timing timing = time_calls([&] { result = law(problem, workspace); }, budget);
  row.setting = met;
  row.error = relative_error(result.velocity, reference);
  set_time(row, timing);
  row.evaluations = result.diagnostics.evaluations;
  row.steps = result.diagnostics.steps;
  row.events = result.diagnostics.events;
  return row;
}

/// Halves the time step until the target is met or the next run would cost more than the budget;
/// then the rest follows from second order.
Row measure_lammps(const Chain& chain, const Vector& reference, double budget) {
  Row row{.method = "lammps", .target = kTarget, .knob = "time_step", .reached = false};
  std::optional<Run> run;
  for (double step = 0.04;; step *= 0.5) {
    std::optional<Run> next = run_lammps(chain.balls, step);
    if (!next) return row;
    run = std::move(next);
    row.setting = step;
    row.error = relative_error(run->velocity, reference);
    row.repeats = 1;
    if (row.error <= kTarget || 2.0 * run->seconds > budget) break;
  }
  row.reached = true;
  row.seconds = run->seconds;
  row.steps = run->steps;
  if (row.error > kTarget) {
    const double factor = std::sqrt(row.error / kTarget);
    row.extrapolated = true;
    row.setting /= factor;
    row.seconds *= factor;
    row.error = kTarget;
    row.steps = 0;
    row.repeats = 0;
  }
  row.median = row.seconds;
  return row;
}

/// Ends of the longest chain confirmed so far: balls there do not know how long it is.
struct Ends {
  static constexpr int kBalls = 50;
  Vector velocity = {};

  static Vector of(const Vector& v) {
    Vector out(2 * kBalls);
    out << v.head(kBalls), v.tail(kBalls);
    return out;
  }
};

/// Difference to another method: plain integrations of all contacts or of the motion of the balls,
/// for the longest chains the ends of a chain that was confirmed so.
double cross_check(const Chain& chain, const ImpactProblem& problem, const Vector& velocity,
                   Ends& ends) {
  if (chain.balls <= 10 || chain.restitution < 1.0) {
    return relative_error(plain_reference(problem), velocity);
  }
  if (chain.balls > 1000) return relative_error(Ends::of(velocity), ends.velocity);
  ends.velocity = Ends::of(velocity);
  return relative_error(plain_chain(chain.balls), velocity);
}

void add_goals(const std::vector<Row>& rows, bool judged, std::vector<Goal>& goals) {
  const auto per_ball = [&](int balls) -> std::optional<double> {
    const auto found = std::find_if(rows.begin(), rows.end(), [&](const Row& row) {
      return row.problem == name_of({.balls = balls}) && row.method == "percute" && row.reached;
    });
    if (found == rows.end()) return {};
    return found->seconds / balls;
  };
  const auto base = per_ball(1000);
  if (!base) return;
  goals.push_back({.what = "1000 balls elastic, error 1e-6",
                   .value = 1e6 * *base,
                   .limit = 50.0,
                   .unit = "µs per ball"});
  for (const int balls : {10000, 100000, 1000000}) {
    const auto time = per_ball(balls);
    if (!time) continue;
    goals.push_back({.what = fmt::format("time per ball, {} balls over 1000", balls),
                     .value = *time / *base,
                     .limit = 2.0,
                     .judged = judged && balls == 10000,  // the longer ones are timed once
                     .unit = "×"});
  }
}

}  // namespace

Report run_chain(const Options& options) {
  Report report;
  const bool peer = lammps_installed();
  const double peer_budget = options.full ? 300.0 : options.quick ? 0.05 : 20.0;
  LzbWorkspace workspace;
  Ends ends;
  for (const Chain& chain : chains(options)) {
    const ImpactProblem problem = problem_of(chain);
    const Vector reference = converged(chain, problem, workspace);
    report.references.push_back(
        {.problem = name_of(chain), .difference = cross_check(chain, problem, reference, ends)});
    std::vector<Row> rows;
    rows.reserve(2);
    rows.push_back(
        measure_percute(chain, problem, reference, options.quick ? 0.01 : 1.0, workspace));
    // A chain ten times as long costs LAMMPS a hundred times as much.
    const bool affordable = chain.balls <= 1000 || (options.full && chain.balls <= 10000);
    if (peer && affordable && chain.restitution == 1.0) {
      rows.push_back(measure_lammps(chain, reference, peer_budget));
    }
    for (Row& row : rows) {
      row.problem = name_of(chain);
      row.contacts = chain.balls - 1;
      if (row.reached && rows.front().reached) row.ratio = row.seconds / rows.front().seconds;
      report.rows.push_back(std::move(row));
    }
  }
  add_goals(report.rows, !options.quick, report.goals);
  if (!peer) {
    report.notes.emplace_back("LAMMPS was not compared with: install the Debian package lammps");
  }
  return report;
}

}  // namespace percute::bench

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "selftest/command/run.hpp"

#include "selftest/command/blocks.hpp"
#include "selftest/invariances.hpp"
#include "selftest/random_problem.hpp"

#include <algorithm>
#include <exception>

namespace percute::cli {

namespace {

/// What one problem gave.
struct Outcome {
  std::string kind = {};
  Status status = Status::Ok;
  std::vector<selftest::Check> checks = {};
  double amplification = 1.0;
  std::string message = {};
};

Outcome examine(std::uint64_t seed, std::uint64_t index, laws::LzbWorkspace& workspace) {
  Outcome out;
  try {
    const selftest::RandomProblem random = selftest::random_problem(seed, index);
    out.kind = random.kind;
    const ImpactResult result = resolve(random.problem, random.law);
    out.status = result.status;
    out.checks = selftest::check_result(random.problem, random.law, result);
    selftest::InvarianceReport more = selftest::check_invariances(random, result, workspace);
    out.checks.insert(out.checks.end(), more.checks.begin(), more.checks.end());
    out.amplification = more.amplification;
  } catch (const std::exception& error) {
    out.message = error.what();
  }
  return out;
}

void add(const Outcome& outcome, std::uint64_t index, SelftestSummary& summary) {
  SelftestFailure failure;
  failure.index = index;
  failure.kind = outcome.kind;
  if (!outcome.message.empty()) {
    failure.message = outcome.message;
    summary.failures.push_back(failure);
    return;
  }
  ++summary.statuses[static_cast<std::size_t>(outcome.status)];
  for (const selftest::Check& check : outcome.checks) {
    auto tally = std::find_if(summary.tallies.begin(), summary.tallies.end(),
                              [&](const SelftestTally& t) { return t.name == check.name; });
    if (tally == summary.tallies.end()) {
      tally = summary.tallies.insert(tally, {.name = check.name, .worst_at = index});
    }
    ++tally->problems;
    if (const double now = severity(check); !(now <= tally->worst)) {
      tally->worst = now;
      tally->worst_at = index;
    }
    if (!check.holds()) {
      failure.check = check;
      summary.failures.push_back(failure);
    }
  }
  if (outcome.amplification > 1.0) ++summary.amplifying;
  if (outcome.amplification > summary.amplification) {
    summary.amplification = outcome.amplification;
    summary.amplification_at = index;
  }
}

}  // namespace

SelftestSummary run_selftest(const SelftestPlan& plan) {
  SelftestSummary summary;
  summary.extent = run_in_blocks<Outcome>(
      plan,
      [&] {
        return [&plan, workspace = laws::LzbWorkspace()](std::uint64_t index) mutable {
          return examine(plan.seed, index, workspace);
        };
      },
      [&](const Outcome& outcome, std::uint64_t index) { add(outcome, index, summary); });
  return summary;
}

}  // namespace percute::cli

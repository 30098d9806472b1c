// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "selftest/command/laws.hpp"

#include "selftest/command/blocks.hpp"
#include "selftest/elastic_friction.hpp"
#include "selftest/friction_checks.hpp"
#include "selftest/law_checks.hpp"

#include <percute/io/problem_file.hpp>
#include <percute/laws/darboux_keller_single.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <filesystem>
#include <set>

namespace percute::cli {

namespace {

/// What one problem gave.
struct Outcome {
  std::string kind = {};
  std::vector<selftest::LawReport> reports = {};
  std::string message = {};
  double seconds = 0.0;
};

std::vector<selftest::LawReport> reports_of(const selftest::RandomLaws& random,
                                            laws::AlgebraicWorkspace& workspace) {
  std::vector<selftest::LawReport> reports = selftest::check_laws(random, workspace);
  reports.push_back(selftest::check_relations(random));
  std::vector<selftest::LawReport> solvers = selftest::check_solvers(random);
  std::move(solvers.begin(), solvers.end(), std::back_inserter(reports));
  return reports;
}

/// Draws a problem, and checks it.
template <class Draw, class Check>
Outcome examine(Draw&& draw, Check&& check) {
  const auto start = std::chrono::steady_clock::now();
  Outcome out;
  try {
    const auto random = draw();
    out.kind = random.kind;
    out.reports = check(random);
  } catch (const std::exception& error) {
    out.message = error.what();
  }
  out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return out;
}

LawTally& tally_of(const std::string& name, LawsSummary& summary) {
  const auto found = std::find_if(summary.tallies.begin(), summary.tallies.end(),
                                  [&](const LawTally& tally) { return tally.name == name; });
  if (found != summary.tallies.end()) return *found;
  summary.tallies.push_back({.name = name});
  return summary.tallies.back();
}

void add(const Outcome& outcome, std::uint64_t index, LawsSummary& summary) {
  if (outcome.seconds > summary.slowest) {
    summary.slowest = outcome.seconds;
    summary.slowest_at = index;
  }
  if (!outcome.message.empty()) {
    LawFailure& failure = summary.failures.emplace_back();
    failure.index = index;
    failure.kind = outcome.kind;
    failure.message = outcome.message;
    return;
  }
  for (const selftest::LawReport& report : outcome.reports) {
    if (report.checks.empty() && !report.status && report.answered) continue;
    LawTally& tally = tally_of(report.name, summary);
    ++tally.problems;
    tally.answered += report.answered ? 1 : 0;
    tally.non_unique += report.non_unique ? 1 : 0;
    if (report.sensitive) tally.sensitive.push_back(index);
    if (report.status) ++tally.statuses[static_cast<std::size_t>(*report.status)];
    for (const selftest::Check& check : report.checks) {
      ++tally.checks;
      if (const double now = severity(check); !(now <= tally.worst)) {
        tally.worst = now;
        tally.worst_check = check.name;
        tally.worst_at = index;
      }
      if (check.holds()) continue;
      ++tally.failed;
      LawFailure& failure = summary.failures.emplace_back();
      failure.index = index;
      failure.kind = outcome.kind;
      failure.law = report.name;
      failure.check = check;
    }
  }
}

/// Underscores, so that the name of a law can be part of that of a file.
std::string plain(std::string name) {
  std::replace_if(name.begin(), name.end(), [](char c) { return c == ' ' || c == '='; }, '_');
  return name;
}

/// A problem with the law that is to be applied to it.
io::ProblemFile file_of(const SelftestPlan& plan, std::uint64_t index, const std::string& law,
                        const LawsSummary& summary) {
  io::ProblemFile file;
  const auto fill = [&](const auto& random) {
    file.name = fmt::format("seed {} problem {} ({})", plan.seed, index, random.kind);
    file.problem = random.problem;
    for (const std::vector<int>& coordinates : random.bodies) {
      file.bodies.push_back(
          {.name = fmt::format("body {}", file.bodies.size() + 1), .coordinates = coordinates});
    }
  };
  if (summary.name == "friction") {
    const selftest::RandomProblem random = selftest::random_friction(plan.seed, index);
    fill(random);
    file.law = random.law;
    if (law == "darboux_keller_single") file.law = laws::DarbouxKellerSingle{};
    if (law == "lzb tracked gaps" || law == "compliant" || law == "referee") {
      file.problem = selftest::made_elastic(random.problem);
      file.law = selftest::lzb_of_elastic_contacts();
    }
    if (law == "compliant") file.law = selftest::compliant_of_elastic_contacts();
    if (law == "lzb frictionless") {
      for (Contact& contact : file.problem.contacts) contact.material.friction = 0.0;
    }
    return file;
  }
  const selftest::RandomLaws random = selftest::random_laws(plan.seed, index);
  fill(random);
  file.law = laws::Newton{};
  for (const selftest::LawTrial& trial : random.trials) {
    if (trial.name != law) continue;
    std::visit([&](const auto& which) { file.law = which; }, trial.law);
  }
  return file;
}

}  // namespace

bool LawsSummary::ok() const {
  return failures.empty() &&
         std::none_of(tallies.begin(), tallies.end(),
                      [](const LawTally& tally) { return tally.too_sensitive(); });
}

LawsSummary run_laws_selftest(const SelftestPlan& plan) {
  LawsSummary summary{.name = "laws"};
  summary.extent = run_in_blocks<Outcome>(
      plan,
      [&] {
        return [&plan, workspace = laws::AlgebraicWorkspace()](std::uint64_t index) mutable {
          return examine(
              [&] { return selftest::random_laws(plan.seed, index); },
              [&](const selftest::RandomLaws& random) { return reports_of(random, workspace); });
        };
      },
      [&](const Outcome& outcome, std::uint64_t index) { add(outcome, index, summary); });
  return summary;
}

LawsSummary run_friction_selftest(const SelftestPlan& plan) {
  LawsSummary summary{.name = "friction"};
  summary.extent = run_in_blocks<Outcome>(
      plan,
      [&] {
        return [&plan](std::uint64_t index) {
          constexpr std::uint64_t kReferee = 50;  // asked about one problem in so many
          return examine([&] { return selftest::random_friction(plan.seed, index); },
                         [&](const selftest::RandomProblem& random) {
                           return selftest::check_friction(random, index % kReferee == 0);
                         });
        };
      },
      [&](const Outcome& outcome, std::uint64_t index) { add(outcome, index, summary); });
  return summary;
}

void write_law_problems(const SelftestPlan& plan, const LawsSummary& summary,
                        const std::string& folder) {
  std::set<std::pair<std::uint64_t, std::string>> wanted;
  for (const LawFailure& failure : summary.failures) wanted.emplace(failure.index, failure.law);
  if (plan.count == 1) {
    for (const LawTally& tally : summary.tallies) {
      const bool law = tally.statuses != decltype(tally.statuses){};
      if (law) wanted.emplace(plan.first, tally.name);
    }
  }
  std::error_code ignored;
  std::filesystem::create_directories(folder, ignored);
  for (const auto& [index, law] : wanted) {
    const std::string name = law.empty() ? "none" : law;
    io::write_problem(std::filesystem::path(folder) /
                          fmt::format("seed{}-{}-{}.json", plan.seed, index, plain(name)),
                      file_of(plan, index, name, summary));
  }
}

}  // namespace percute::cli

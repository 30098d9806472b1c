// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "apps/cli/text_table.hpp"
#include "selftest/command/laws.hpp"
#include "selftest/command/node.hpp"

#include <percute/model/status.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace percute::cli {

namespace {

std::string count_or_blank(std::uint64_t count) {
  return count == 0 ? "" : fmt::format("{}", count);
}

/// "zeno 12, infeasible 3": what was not plain ok or no_impact.
std::string statuses_text(const LawTally& tally) {
  std::string out;
  for (std::size_t k = 0; k < tally.statuses.size(); ++k) {
    const auto status = static_cast<Status>(k);
    if (tally.statuses[k] == 0 || status == Status::Ok || status == Status::NoImpact) continue;
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", name(status), tally.statuses[k]);
  }
  return out;
}

TextTable table_of(const LawsSummary& summary) {
  std::vector<std::string> names;
  std::vector<std::string> problems;
  std::vector<std::string> answered;
  std::vector<std::string> several;
  std::vector<std::string> checks;
  std::vector<std::string> failed;
  std::vector<std::string> worst;
  std::vector<std::string> where;
  std::vector<std::string> statuses;
  for (const LawTally& tally : summary.tallies) {
    names.push_back(tally.name);
    problems.push_back(fmt::format("{}", tally.problems));
    answered.push_back(fmt::format("{}", tally.answered));
    several.push_back(count_or_blank(tally.non_unique));
    checks.push_back(fmt::format("{}", tally.checks));
    failed.push_back(count_or_blank(tally.failed));
    worst.push_back(tally.worst == 0.0 ? "0" : fmt::format("{:.1e}", tally.worst));
    where.push_back(tally.worst == 0.0 ? ""
                                       : fmt::format("{} {}", tally.worst_check, tally.worst_at));
    statuses.push_back(statuses_text(tally));
  }
  TextTable table;
  table.text("law or solver", names).right("problems", problems).right("answered", answered);
  table.right("several", several).right("checks", checks).right("failed", failed);
  table.right("worst value/bound", worst).text("of problem", where).text("status", statuses);
  return table;
}

std::string failure_line(const LawFailure& failure) {
  const std::string where = fmt::format("  ✗ problem {} ({}): ", failure.index, failure.kind);
  if (!failure.message.empty()) return where + failure.message + "\n";
  return where + fmt::format("{}: {} is {:.3e}, allowed {:.3e}\n", failure.law, failure.check.name,
                             failure.check.value, failure.check.bound);
}

/// "  sensitive 2 under compliant: 17, 40"; ✗ where they are too many.
std::string sensitive_lines(const LawsSummary& summary) {
  std::string out;
  for (const LawTally& tally : summary.tallies) {
    if (tally.sensitive.empty()) continue;
    out += fmt::format("  {} {} of {} under {}: {}\n",
                       tally.too_sensitive() ? "✗ too many are sensitive," : "sensitive",
                       tally.sensitive.size(), tally.problems, tally.name,
                       fmt::join(tally.sensitive, ", "));
  }
  return out;
}

}  // namespace

std::string laws_text(const SelftestPlan& plan, const LawsSummary& summary) {
  constexpr std::size_t kShown = 50;
  std::string out =
      fmt::format("selftest {} · seed {} · {} problem{} from number {}\n\n", summary.name,
                  plan.seed, plan.count, plan.count == 1 ? "" : "s", plan.first);
  out += indented(table_of(summary));
  out += fmt::format("\n  time      {:.1f} s on {} thread{}; problem {} alone {:.2f} s\n",
                     summary.extent.seconds, plan.jobs, plan.jobs == 1 ? "" : "s",
                     summary.slowest_at, summary.slowest);
  out += sensitive_lines(summary);
  for (std::size_t k = 0; k < std::min(kShown, summary.failures.size()); ++k) {
    out += failure_line(summary.failures[k]);
  }
  return out + verdict_line(plan, summary.ok(), summary.failures.size());
}

std::string verdict_line(const SelftestPlan& plan, bool ok, std::size_t failures) {
  const std::string where =
      plan.asked == 0 ? ""
                      : fmt::format(" in the {} of {} problems examined", plan.count, plan.asked);
  if (ok) return fmt::format("  ✓ every check holds{}\n", where);
  if (failures == 0) return "";
  return fmt::format("  {} check{}{}\n", failures, failures == 1 ? " fails" : "s fail", where);
}

io::Node laws_node(const SelftestPlan& plan, const LawsSummary& summary) {
  io::Node root;
  root.add("format", "percute-selftest-" + summary.name + "/1");
  root.add("seed", plan.seed);
  root.add("first", plan.first);
  root.add("count", plan.count);
  io::Node::Array tallies;
  for (const LawTally& tally : summary.tallies) {
    io::Node node;
    node.add("name", tally.name);
    node.add("problems", tally.problems);
    node.add("answered", tally.answered);
    node.add("several_outcomes", tally.non_unique);
    node.add("checks", tally.checks);
    node.add("failed", tally.failed);
    node.add("worst", finite_or_text(tally.worst));
    node.add("worst_check", tally.worst_check);
    node.add("worst_at", tally.worst_at);
    io::Node& statuses = node.add("statuses", io::Node::Object{});
    for (std::size_t k = 0; k < tally.statuses.size(); ++k) {
      if (tally.statuses[k] > 0) statuses.add(name(static_cast<Status>(k)), tally.statuses[k]);
    }
    io::Node::Array sensitive(tally.sensitive.begin(), tally.sensitive.end());
    node.add("sensitive", std::move(sensitive));
    tallies.push_back(std::move(node));
  }
  root.add("laws", std::move(tallies));
  io::Node::Array failures;
  for (const LawFailure& failure : summary.failures) {
    failures.push_back(
        failure_node(failure.index, failure.kind, failure.law, failure.check, failure.message));
  }
  root.add("failures", std::move(failures));
  root.add("ok", summary.ok());
  return root;
}

}  // namespace percute::cli

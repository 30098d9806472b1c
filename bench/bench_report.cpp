// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "bench/bench_report.hpp"

#include "apps/cli/text_table.hpp"

#include <percute/version.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

namespace percute::cli {

namespace {

using bench::Goal;
using bench::Report;
using bench::Row;

#ifdef NDEBUG
constexpr bool kAssertions = false;
#else
constexpr bool kAssertions = true;
#endif

std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const auto colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown";
}

std::string microseconds(double seconds, bool about) {
  const double value = 1e6 * seconds;
  const std::string digits =
      value < 1e4 ? fmt::format("{:#.4g}", value) : fmt::format("{:.2e}", value);
  return (about ? "~" : "") + digits;
}

std::string count(long number) {
  return number > 0 ? fmt::format("{}", number) : "";
}

std::string ratio_text(const Row& row) {
  if (!row.ratio || row.method == "percute") return "";
  return fmt::format("{}{:.3g}", row.extrapolated ? "~" : "", *row.ratio);
}

TextTable table_of(const std::vector<Row>& rows) {
  std::vector<std::string> target;
  std::vector<std::string> method;
  std::vector<std::string> error;
  std::vector<std::string> setting;
  std::vector<std::string> time;
  std::vector<std::string> median;
  std::vector<std::string> evaluations;
  std::vector<std::string> steps;
  std::vector<std::string> events;
  std::vector<std::string> ratio;
  for (const Row& row : rows) {
    target.push_back(fmt::format("{:.0e}", row.target));
    method.push_back(row.method);
    error.push_back(!row.reached ? "not reached" : fmt::format("{:.1e}", row.error));
    setting.push_back(row.reached ? fmt::format("{} {:.2g}", row.knob, row.setting) : row.knob);
    time.push_back(row.reached ? microseconds(row.seconds, row.extrapolated) : "");
    median.push_back(row.reached ? microseconds(row.median, row.extrapolated) : "");
    evaluations.push_back(count(row.evaluations));
    steps.push_back(count(row.steps));
    events.push_back(count(row.events));
    ratio.push_back(ratio_text(row));
  }
  TextTable table;
  table.text("error ≤", target).text("method", method).right("error", error);
  table.text("setting", setting).right("time [µs]", time).right("median", median);
  table.right("evaluations", evaluations).right("steps", steps).right("events", events);
  table.right("× percute", ratio);
  return table;
}

std::string goal_line(const Goal& goal) {
  const char* mark = goal.met() ? "✓" : goal.judged ? "✗" : "·";
  return fmt::format("  {} {}: {:.4g} {}, wanted {} {:g} {}{}\n", mark, goal.what, goal.value,
                     goal.unit, goal.at_least ? "≥" : "≤", goal.limit, goal.unit,
                     goal.judged ? "" : " (informs only)");
}

io::Node row_node(const Row& row) {
  io::Node node;
  node.add("problem", row.problem);
  node.add("contacts", row.contacts);
  node.add("method", row.method);
  node.add("target", row.target);
  node.add("reached", row.reached);
  node.add("extrapolated", row.extrapolated);
  node.add("error", row.reached ? io::Node(row.error) : io::Node());
  node.add("seconds", row.reached ? io::Node(row.seconds) : io::Node());
  node.add("median_seconds", row.reached ? io::Node(row.median) : io::Node());
  node.add("repeats", row.repeats);
  node.add("knob", row.knob);
  node.add("setting", row.reached ? io::Node(row.setting) : io::Node());
  node.add("evaluations", row.evaluations);
  node.add("steps", row.steps);
  node.add("events", row.events);
  node.add("ratio_to_percute", row.ratio ? io::Node(*row.ratio) : io::Node());
  return node;
}

io::Node goal_node(const Goal& goal) {
  io::Node node;
  node.add("what", goal.what);
  node.add("value", goal.value);
  node.add("unit", goal.unit);
  node.add("limit", goal.limit);
  node.add("sense", goal.at_least ? "at_least" : "at_most");
  node.add("judged", goal.judged);
  node.add("met", goal.met());
  return node;
}

}  // namespace

io::Node machine_node() {
  io::Node node;
  node.add("processor", processor());
  node.add("compiler", __VERSION__);
  node.add("assertions", kAssertions);
  node.add("version", kVersion);
  return node;
}

std::string bench_text(const BenchOutcome& outcome) {
  const Report& report = outcome.report;
  std::string out = fmt::format("{} · {} · one core, CPU time\n", outcome.benchmark->name,
                                outcome.benchmark->title);
  if (kAssertions) out += "  (a build with assertions: measure with ./run bench)\n";
  for (const bench::Reference& reference : report.references) {
    std::vector<Row> rows;
    std::copy_if(report.rows.begin(), report.rows.end(), std::back_inserter(rows),
                 [&](const Row& row) { return row.problem == reference.problem; });
    std::stable_sort(rows.begin(), rows.end(),
                     [](const Row& a, const Row& b) { return a.target > b.target; });
    out +=
        fmt::format("\n{} · {} contacts · converged value confirmed to {:.0e}\n", reference.problem,
                    rows.empty() ? 0 : rows.front().contacts, reference.difference);
    out += indented(table_of(rows));
  }
  out += "\ngoals\n";
  for (const Goal& goal : report.goals) out += goal_line(goal);
  for (const std::string& note : report.notes) out += "  " + note + "\n";
  const bool guessed = std::any_of(report.rows.begin(), report.rows.end(),
                                   [](const Row& row) { return row.extrapolated; });
  if (guessed) out += "  ~ extrapolated from a coarser run by the order of the method\n";
  return out;
}

io::Node bench_node(const std::vector<BenchOutcome>& outcomes) {
  io::Node::Array items;
  bool ok = true;
  for (const BenchOutcome& outcome : outcomes) {
    const Report& report = outcome.report;
    io::Node item;
    item.add("name", outcome.benchmark->name);
    item.add("title", outcome.benchmark->title);
    io::Node::Array references;
    for (const bench::Reference& reference : report.references) {
      io::Node node;
      node.add("problem", reference.problem);
      node.add("cross_check", reference.difference);
      references.push_back(std::move(node));
    }
    item.add("references", std::move(references));
    io::Node::Array rows;
    for (const Row& row : report.rows) rows.push_back(row_node(row));
    item.add("rows", std::move(rows));
    io::Node::Array goals;
    for (const Goal& goal : report.goals) goals.push_back(goal_node(goal));
    item.add("goals", std::move(goals));
    io::Node::Array notes;
    for (const std::string& note : report.notes) notes.emplace_back(note);
    item.add("notes", std::move(notes));
    item.add("ok", report.ok());
    ok = ok && report.ok();
    items.push_back(std::move(item));
  }
  io::Node root;
  root.add("format", "percute-bench/1");
  root.add("machine", machine_node());
  root.add("benchmarks", std::move(items));
  root.add("ok", ok);
  return root;
}

std::string bench_csv(const std::vector<BenchOutcome>& outcomes) {
  std::string out =
      "benchmark,problem,contacts,method,target_error,error,time_us,median_us,repeats,extrapolated,"
      "knob,setting,evaluations,steps,events,ratio_to_percute\n";
  for (const BenchOutcome& outcome : outcomes) {
    for (const Row& row : outcome.report.rows) {
      out += fmt::format("{},{},{},{},{:g},", outcome.benchmark->name, row.problem, row.contacts,
                         row.method, row.target);
      out += row.reached ? fmt::format("{:.3e},{:.6g},{:.6g},{},{},{},{:.4g},", row.error,
                                       1e6 * row.seconds, 1e6 * row.median, row.repeats,
                                       row.extrapolated ? 1 : 0, row.knob, row.setting)
                         : fmt::format(",,,0,0,{},,", row.knob);
      out += fmt::format("{},{},{},{}\n", count(row.evaluations), count(row.steps),
                         count(row.events), row.ratio ? fmt::format("{:.6g}", *row.ratio) : "");
    }
  }
  return out;
}

}  // namespace percute::cli

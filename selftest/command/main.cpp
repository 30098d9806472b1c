// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "apps/cli/commands.hpp"
#include "apps/cli/output.hpp"
#include "apps/cli/text_table.hpp"
#include "io/text.hpp"
#include "selftest/command/laws.hpp"
#include "selftest/command/node.hpp"
#include "selftest/command/run.hpp"
#include "selftest/random_problem.hpp"

#include <percute/io/problem_file.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <optional>
#include <set>
#include <thread>
#include <utility>

namespace percute::cli {

namespace {

constexpr const char* kSelftestDescription =
    "Solve random impacts and check each against the laws of mechanics.";

constexpr const char* kSelftestFooter = R"(
random: every problem (chains, walls, clusters, packings, plates, dense mass matrices; restitution 0
to 1, mixed exponents and contact models, precompression, redundant contacts, units from 1e-6 to
1e6) is solved by the law 'lzb' and must obey

    momentum, work, energy, ledger, dissipation, push, separation, spent, elastic, restitution,
    no_impact, unchanged, status, finite                      what any result must obey
    reuse                                                     the same bits from a used workspace
    tighter, contacts, bodies, shift, units, halves           the same outcome at a tighter
        tolerance, with contacts or bodies in another order, for a moving observer, in other units,
        with one contact split into two halves

The bound of a comparison is twice what the tolerance promises (100 tolerance · largest gap rate).
Where an impact amplifies small differences, that is measured and the bound grows by that factor.

laws: every algebraic law is applied to such problems (at most 12 contacts), and to planar and
spatial bodies, spinning disks and balls with friction 0 to infinite. What a law promises must hold
(no energy created, nothing approaches, contacts only push), its equations too, and the outcome must
not depend on the order of contacts, the observer, the units or a contact counted twice; laws that
coincide for some parameters must do so. All solvers of complementarity and friction problems must
reach an error of 1e-10 and agree to 1e-9.

friction: every problem has friction, 0 to infinite: a third of them single contacts, planar and
spatial, then bodies on several contacts, spinning disks and balls, clusters, redundant contacts. The
laws that follow friction through the impact, 'lzb' and 'darboux_keller_single', must keep the
balances of momentum and energy, Coulomb's cone, what separates; give the same outcome with contacts
in another order, in other units, with other tangents, for a moving observer, with a contact split
in two; equal the closed form of a single contact to 1e-8, and the frictionless impact as friction
vanishes: bit for bit where it is 0. Made elastic, 'compliant' (power) must give what 'lzb' gives with
tracked gaps, to 1e-7; both must keep Coulomb's cone and create no energy in each of their steps.
Problems in which changes of 1e-9 explain a difference are listed as sensitive: at most 0.5 % may be.
A referee (regularised friction, an implicit method) is asked where the two differ, and in one
problem of 50.

Problem k of a seed is the same on every machine.

Examples:
    percute selftest random                            # 1000 problems
    percute selftest random --count 100000 --seed 7    # some minutes
    percute selftest random --seed 7 --only 4711       # one of them again
    percute selftest random --seed 7 --write failing   # those that fail, as problem files
    percute selftest laws --count 100000 --seed 7      # algebraic laws and their solvers
    percute selftest friction --count 100000 --seed 7  # friction through the impact

Exit status: 0 everything holds; 1 something does not, or Ctrl-C ended it; 2 bad input.)";

/// Of counts, seeds and problem numbers: exact in every file format.
constexpr std::int64_t kLargest = 1'000'000'000'000'000;

struct SelftestOptions {
  std::string name = "random";
  std::int64_t count = 1000;
  std::int64_t seed = 1;
  std::int64_t first = 0;
  std::optional<std::int64_t> only = {};
  int jobs = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  std::string folder = {};
  std::string output = {};
  bool json = false;
  bool quiet = false;
};

constexpr std::array<Status, 5> kStatuses{Status::Ok, Status::NoImpact, Status::Zeno,
                                          Status::NotTerminated, Status::StepUnderflow};

std::string ratio_text(double worst) {
  return worst == 0.0 ? "0" : fmt::format("{:.1e}", worst);
}

TextTable tally_table(const SelftestSummary& summary) {
  std::vector<std::string> names;
  std::vector<std::string> problems;
  std::vector<std::string> worst;
  std::vector<std::string> at;
  for (const SelftestTally& tally : summary.tallies) {
    names.push_back(tally.name);
    problems.push_back(fmt::format("{}", tally.problems));
    worst.push_back(ratio_text(tally.worst));
    at.push_back(tally.worst == 0.0 ? "" : fmt::format("{}", tally.worst_at));
  }
  TextTable table;
  table.text("check", names).right("problems", problems);
  return table.right("worst value/bound", worst).right("in problem", at);
}

std::string failure_line(const SelftestFailure& failure) {
  const std::string where = fmt::format("  ✗ problem {} ({}): ", failure.index, failure.kind);
  if (!failure.message.empty()) return where + failure.message + "\n";
  return where + fmt::format("{} is {:.3e}, allowed {:.3e}\n", failure.check.name,
                             failure.check.value, failure.check.bound);
}

std::string text_of(const SelftestPlan& plan, const SelftestSummary& summary) {
  constexpr std::size_t kShown = 50;
  std::string out = fmt::format("selftest random · seed {} · {} problem{} from number {}\n\n",
                                plan.seed, plan.count, plan.count == 1 ? "" : "s", plan.first);
  out += indented(tally_table(summary)) + "\n  status    ";
  const char* separator = "";
  for (const Status status : kStatuses) {
    const std::uint64_t count = summary.statuses[static_cast<std::size_t>(status)];
    if (count == 0) continue;
    out += fmt::format("{}{} {}", separator, name(status), count);
    separator = ", ";
  }
  if (summary.amplifying > 0) {
    out += fmt::format("\n  sensitive {} (largest factor {:.1e}, problem {})", summary.amplifying,
                       summary.amplification, summary.amplification_at);
  }
  out += fmt::format("\n  time      {:.1f} s on {} thread{}\n", summary.extent.seconds, plan.jobs,
                     plan.jobs == 1 ? "" : "s");
  for (std::size_t k = 0; k < std::min(kShown, summary.failures.size()); ++k) {
    out += failure_line(summary.failures[k]);
  }
  return out + verdict_line(plan, summary.failures.empty(), summary.failures.size());
}

io::Node node_of(const SelftestPlan& plan, const SelftestSummary& summary) {
  io::Node root;
  root.add("format", "percute-selftest/1");
  root.add("seed", plan.seed);
  root.add("first", plan.first);
  root.add("count", plan.count);
  io::Node& statuses = root.add("statuses", {});
  for (const Status status : kStatuses) {
    statuses.add(name(status), summary.statuses[static_cast<std::size_t>(status)]);
  }
  io::Node::Array checks;
  for (const SelftestTally& tally : summary.tallies) {
    io::Node node;
    node.add("name", tally.name);
    node.add("problems", tally.problems);
    node.add("worst", finite_or_text(tally.worst));
    node.add("worst_at", tally.worst_at);
    checks.push_back(std::move(node));
  }
  root.add("checks", std::move(checks));
  io::Node& sensitive = root.add("sensitive", {});
  sensitive.add("problems", summary.amplifying);
  sensitive.add("largest_factor", finite_or_text(summary.amplification));
  sensitive.add("at", summary.amplification_at);
  io::Node::Array failures;
  for (const SelftestFailure& failure : summary.failures) {
    failures.push_back(
        failure_node(failure.index, failure.kind, {}, failure.check, failure.message));
  }
  root.add("failures", std::move(failures));
  root.add("ok", summary.failures.empty());
  return root;
}

/// The problems that failed, or the one asked for, as files for `percute solve`.
void write_problems(const SelftestOptions& options, const SelftestSummary& summary) {
  std::set<std::uint64_t> indices;
  for (const SelftestFailure& failure : summary.failures) indices.insert(failure.index);
  if (options.only) indices.insert(static_cast<std::uint64_t>(*options.only));
  std::error_code ignored;
  std::filesystem::create_directories(options.folder, ignored);
  for (const std::uint64_t index : indices) {
    const selftest::RandomProblem random =
        selftest::random_problem(static_cast<std::uint64_t>(options.seed), index);
    io::ProblemFile file;
    file.name = fmt::format("seed {} problem {} ({})", options.seed, index, random.kind);
    file.problem = random.problem;
    file.law = random.law;
    for (const std::vector<int>& coordinates : random.bodies) {
      file.bodies.push_back(
          {.name = fmt::format("body {}", file.bodies.size() + 1), .coordinates = coordinates});
    }
    const std::string name = fmt::format("seed{}-{}.json", options.seed, index);
    io::write_problem(std::filesystem::path(options.folder) / name, file);
  }
}

/// What a selftest found, for people and for machines.
struct SelftestReport {
  std::string text = {};
  io::Node node = {};
  bool ok = false;
};

/// Ctrl-C leaves a shorter plan.
bool kept(SelftestPlan& plan, const SelftestExtent& extent) {
  if (extent.problems == plan.count) return true;
  fmt::print(stderr, "percute: stopped by a signal after {} of {} problems\n", extent.problems,
             plan.count);
  plan.asked = std::exchange(plan.count, extent.problems);
  return false;
}

SelftestReport test_random(const SelftestOptions& options, SelftestPlan plan) {
  const SelftestSummary summary = [&] {
    const StopSignal signals;
    const Progress progress("solving random impacts", !options.quiet);
    return run_selftest(plan);
  }();
  const bool whole = kept(plan, summary.extent);
  if (!options.folder.empty()) write_problems(options, summary);
  return {.text = text_of(plan, summary),
          .node = node_of(plan, summary),
          .ok = summary.failures.empty() && whole};
}

SelftestReport test_laws(const SelftestOptions& options, SelftestPlan plan) {
  const bool friction = options.name == "friction";
  const LawsSummary summary = [&] {
    const StopSignal signals;
    const Progress progress(friction ? "following friction through random impacts"
                                     : "applying all laws to random impacts",
                            !options.quiet);
    return friction ? run_friction_selftest(plan) : run_laws_selftest(plan);
  }();
  const bool whole = kept(plan, summary.extent);
  if (!options.folder.empty()) write_law_problems(plan, summary, options.folder);
  return {.text = laws_text(plan, summary),
          .node = laws_node(plan, summary),
          .ok = summary.ok() && whole};
}

ExitCode run_selftests(const SelftestOptions& options) {
  constexpr std::array<std::string_view, 3> kNames{"random", "laws", "friction"};
  if (std::find(kNames.begin(), kNames.end(), options.name) == kNames.end()) {
    throw InvalidInput("", fmt::format("unknown selftest '{}'{}; selftests: {}", options.name,
                                       io::did_you_mean(options.name, kNames), io::join(kNames)));
  }
  SelftestPlan plan{.seed = static_cast<std::uint64_t>(options.seed),
                    .first = static_cast<std::uint64_t>(options.first),
                    .count = static_cast<std::uint64_t>(options.count),
                    .jobs = options.jobs,
                    .stop = StopSignal::wanted};
  if (options.only) {
    plan.first = static_cast<std::uint64_t>(*options.only);
    plan.count = 1;
  }
  Output file(options.output);
  const SelftestReport report =
      options.name == kNames[0] ? test_random(options, plan) : test_laws(options, plan);
  if (options.json || !options.output.empty()) {
    file.write(io::to_json(report.node) + "\n");
    file.close();
  }
  if (!options.json && !options.quiet) Output().write(report.text);
  return report.ok ? ExitCode::Accepted : ExitCode::NotAccepted;
}

int run(int argc, char** argv) {
  ExitCode code = ExitCode::Accepted;
  SelftestOptions options;
  CLI::App app(kSelftestDescription, "percute selftest");
  app.footer(kSelftestFooter);
  app.set_help_flag("-h,--help", "show this help");
  app.get_formatter()->column_width(30);
  app.add_option("NAME", options.name, "which selftest: random (the default), laws or friction")
      ->type_name("");
  app.add_option("--count", options.count, "how many problems (1000)")
      ->type_name("N")
      ->check(CLI::Range(std::int64_t{1}, kLargest));
  app.add_option("--seed", options.seed, "which sequence of problems (1)")
      ->type_name("S")
      ->check(CLI::Range(std::int64_t{0}, kLargest));
  app.add_option("--first", options.first, "begin with problem number K of the sequence (0)")
      ->type_name("K")
      ->check(CLI::Range(std::int64_t{0}, kLargest));
  app.add_option("--only", options.only, "only problem number K of the sequence")
      ->type_name("K")
      ->check(CLI::Range(std::int64_t{0}, kLargest));
  app.add_option("--jobs", options.jobs, "threads; the results do not depend on it (all cores)")
      ->type_name("J")
      ->check(CLI::Range(1, 1024));
  app.add_option("--write", options.folder,
                 "write the problems that fail, and the one of --only, to this folder")
      ->type_name("DIR");
  app.add_option("-o,--output", options.output, "write the outcome as JSON to FILE")
      ->type_name("FILE");
  app.add_flag("--json", options.json, "print the outcome as JSON");
  app.add_flag("--quiet", options.quiet, "print nothing; the exit status tells");
  app.callback([&] { code = run_selftests(options); });
  return parse(app, argc, argv).value_or(static_cast<int>(code));
}

}  // namespace

}  // namespace percute::cli

int main(int argc, char** argv) {
  return percute::cli::guarded([&] { return percute::cli::run(argc, argv); });
}

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "apps/cli/commands.hpp"
#include "apps/cli/output.hpp"
#include "bench/bench_report.hpp"
#include "io/text.hpp"

#include <percute/io/document.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace percute::cli {

namespace {

constexpr const char* kBenchDescription =
    "Measure how long impacts take, each time beside the error it was reached with.";

constexpr const char* kBenchFooter = R"(
Without NAME all benchmarks run. Each method is tuned to an error (largest error of a velocity over
the largest velocity, against a converged value that a second method confirms) and then timed on one
core. Siconos is compared with in the same run where its Debian package libsiconos-kernel-dev was
present when percute was built. Bare times depend on the machine; the ratios are what is judged.

    small    one impact with 2 to 12 contacts, to errors of 1e-3, 1e-6 and 1e-9
    chain    rows of 10 to 100 000 balls, to an error of 1e-6; LAMMPS where it is installed
    laws     algebraic laws on 10 contacts, against exact outcomes; a pile of 1000 frictional contacts
    friction friction inside the impact: one contact in closed form, a block on two corners
    simulation  six seconds of a cradle with gravity: located impacts, compliant contacts, time stepping
    bar      a bar dropped on a floor, 50 000 steps; time per step for 9 to 1000 segments

Examples:
    percute bench                       # all
    percute bench small                 # a minute or two
    percute bench small --full          # measures also what is otherwise extrapolated: minutes
    percute bench small -o small.csv    # for a spreadsheet; .json for machines
    percute bench chain                 # a minute or two; --full adds a million balls
    percute bench laws                  # seconds
    percute bench friction              # seconds
    percute bench simulation            # half a minute
    percute bench bar                   # seconds
    percute bench --list

Exit status: 0; 1 if an error asked for was not reached or a judged ratio is missed; 2 bad input.)";

struct BenchCommandOptions {
  std::vector<std::string> names = {};
  std::string output = {};
  bench::Options run = {};
  bool list = false;
  bool json = false;
  bool quiet = false;
};

std::vector<const bench::Benchmark*> chosen(const std::vector<std::string>& names) {
  std::vector<std::string_view> known;
  for (const auto& benchmark : bench::benchmarks()) known.push_back(benchmark.name);
  for (const std::string& name : names) {
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      throw InvalidInput("", fmt::format("unknown benchmark '{}'{}; benchmarks: {}", name,
                                         io::did_you_mean(name, known), io::join(known)));
    }
  }
  std::vector<const bench::Benchmark*> out;
  for (const auto& benchmark : bench::benchmarks()) {
    const bool named = std::find(names.begin(), names.end(), benchmark.name) != names.end();
    if (names.empty() || named) out.push_back(&benchmark);
  }
  return out;
}

bool wants_csv(const std::string& path) {
  const std::string suffix = std::filesystem::path(path).extension().string();
  if (!path.empty() && suffix != ".csv" && suffix != ".json") {
    throw io::FileError(path, "", "cannot write this kind of file; use .csv or .json");
  }
  return suffix == ".csv";
}

ExitCode run_benchmarks(BenchCommandOptions options) {
  const auto benchmarks = chosen(options.names);
  if (options.list) {
    std::string text;
    for (const auto* b : benchmarks) text += fmt::format("{:<10} {}\n", b->name, b->title);
    Output().write(text);
    return ExitCode::Accepted;
  }
  const bool csv = wants_csv(options.output);
  Output file(options.output);
  options.run.drivers = own_folder();

  std::vector<BenchOutcome> outcomes;
  bool ok = true;
  for (const auto* benchmark : benchmarks) {
    {
      const Progress progress("benchmark " + benchmark->name, !options.quiet);
      outcomes.push_back({.benchmark = benchmark, .report = benchmark->run(options.run)});
    }
    ok = ok && outcomes.back().report.ok();
    if (!options.json && !options.quiet) Output().write(bench_text(outcomes.back()));
  }
  const auto json = [&] { return io::to_json(bench_node(outcomes)) + "\n"; };
  if (!options.output.empty()) file.write(csv ? bench_csv(outcomes) : json());
  file.close();
  if (options.json) Output().write(json());
  return ok ? ExitCode::Accepted : ExitCode::NotAccepted;
}

int run(int argc, char** argv) {
  ExitCode code = ExitCode::Accepted;
  BenchCommandOptions options;
  CLI::App app(kBenchDescription, "percute bench");
  app.footer(kBenchFooter);
  app.set_help_flag("-h,--help", "show this help");
  app.get_formatter()->column_width(30);
  app.add_option("NAME", options.names, "benchmarks to run; default: all")->type_name("");
  app.add_flag("--list", options.list, "show the names and stop");
  auto* quick = app.add_flag("--quick", options.run.quick,
                             "few repeats and cheap comparisons only: a try, no measurement");
  app.add_flag("--full", options.run.full, "measure also what takes minutes")->excludes(quick);
  app.add_option("-o,--output", options.output, "write the measurements to FILE: .csv or .json")
      ->type_name("FILE");
  app.add_flag("--json", options.json, "print the measurements as JSON (percute-bench/1)");
  app.add_flag("--quiet", options.quiet, "print no table and no progress");
  app.callback([&] { code = run_benchmarks(options); });
  return parse(app, argc, argv).value_or(static_cast<int>(code));
}

}  // namespace

}  // namespace percute::cli

int main(int argc, char** argv) {
  return percute::cli::guarded([&] { return percute::cli::run(argc, argv); });
}

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "commands.hpp"
#include "fit_report.hpp"
#include "io/printable.hpp"
#include "output.hpp"
#include "overrides.hpp"
#include "progress.hpp"
#include "stop_signal.hpp"

#include <percute/io/fit_file.hpp>

#include <CLI/CLI.hpp>

#include <memory>

namespace percute::cli {

namespace {

constexpr const char* kFitDescription =
    "Estimate parameters of an impact from measurements, with confidence intervals.";

constexpr const char* kFitFooter =
    R"(FILE says what was measured in which impacts, and what is unknown:

    format = "percute-fit/1"
    problem = "tennis_on_basketball.toml"  # a problem or scene, or one in place

    [[parameter]]
    name = "e"
    key = "material.restitution[1]"        # as for --set; keys = [...] share one value
    start = 0.7                            # lower, upper, scale = "log", unit: optional

    [[experiment]]
    name = "from 1 m"
    set = {"start.height" = 1.0}           # what was different this time
    [[experiment.measure]]
    quantity = "rebound_height"            # of a body, with gravity; or velocity, gap_rate, impulse,
    body = "tennis ball"                   # energy_ratio, force (times, values), maximal_force,
    values = [1.90, 1.86, 1.88]            # maximal_force_time, duration of a contact
    sigma = 0.03                           # standard deviation; for all measurements or for none

    [fit]                                  # optional
    level = 0.95                           # of the intervals
    starts = 12                            # the given one and others spread between the bounds
    significance = 0.01                    # fits less likely than this are rejected

Measurements may come from a CSV file, one row per repetition: data = "drops.csv" in the experiment,
settings = {"height [m]" = "start.height"} for columns that set a key, and column = "rise [m]" (and
sigma_column) in place of values in a measure.

The sum of squared residuals is minimised within bounds from every start; the best minimum is the
answer, and other minima are listed (where one explains the measurements as well, the answer is
ambiguous). Intervals come from the Jacobian there: by the normal
distribution where sigma is given, by Student's t where noise is estimated from the residuals.

A fit is rejected where the measurements contradict it: where sigma is given, by the chi-squared test
of the residuals; where measurements are repeated, by the F test of lack of fit against their scatter.
Also reported are parameters at a bound or that the measurements do not determine, and points where
the law gave no answer. Every key is in docs/howto/fit.md.

Examples:
    percute fit drops.toml
    percute fit drops.toml --set fit.level=0.99 --set fit.starts=20
    percute fit drops.toml --json              # percute-fit-result/1

Exit status: 0 converged; 1 rejected, ambiguous, not converged, interrupted (Ctrl-C; the best
point so far is shown), or the law gave no answer; 2 bad input, with one message on stderr.)";

struct FitCommand {
  std::string file = {};
  Overrides overrides = {};
  std::string output = {};
  bool json = false;
  bool quiet = false;
};

ExitCode fit_file(const FitCommand& command) {
  const io::Document document = command.overrides.read(command.file);
  io::FitFile file = io::read_fit(document);
  file.options.stop = StopSignal::wanted;
  const fit::Fit result = [&] {
    const StopSignal signals;
    const Progress progress("fitting " + io::printable(file.name), !command.quiet);
    try {
      return fit::least_squares(io::least_squares_problem(file), file.options);
    } catch (const io::FileError&) {
      throw;
    } catch (const InvalidInput& error) {
      throw io::located(error, document);
    }
  }();
  if (command.json || !command.output.empty()) {
    Output out(command.output);
    out.write(io::to_json(io::to_node(file, result)) + "\n");
    out.close();
  }
  if (!command.json && !command.quiet) Output().write(report(file, result));
  return result.ok() ? ExitCode::Accepted : ExitCode::NotAccepted;
}

}  // namespace

void add_fit(CLI::App& app, ExitCode& code) {
  const auto options = std::make_shared<FitCommand>();
  CLI::App* command = app.add_subcommand("fit", kFitDescription);
  command->footer(kFitFooter);
  command
      ->add_option("FILE", options->file,
                   "measurements and unknowns, .toml or .json; - is standard input")
      ->type_name("")
      ->required();
  add_override_options(*command, options->overrides, "fit.level=0.99", "fit.seed");
  command->add_option("-o,--output", options->output, "write the result as JSON to FILE")
      ->type_name("FILE");
  command->add_flag("--json", options->json, "print the result as JSON (percute-fit-result/1)");
  command->add_flag("--quiet", options->quiet, "print no table and no progress");
  add_table_option(*command);
  command->callback([options, &code] { code = fit_file(*options); });
}

}  // namespace percute::cli

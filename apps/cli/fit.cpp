// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "commands.hpp"
#include "io/text.hpp"
#include "output.hpp"
#include "text_table.hpp"

#include <percute/io/fit_file.hpp>

#include <fmt/format.h>

#include <cmath>

namespace percute::cli {

namespace {

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

using io::printable;

/// Six significant digits; a dash where there is no number.
std::string number(double value) {
  return std::isnan(value) ? "–" : fmt::format("{:.6g}", value);
}

TextTable parameter_table(const io::FitFile& file, const fit::Fit& fit) {
  const auto of = [](double fit::Estimate::* member) {
    return [member](const fit::Estimate& estimate) { return number(estimate.*member); };
  };
  const auto remark = [](const fit::Estimate& estimate) {
    return estimate.at_bound == fit::AtBound::Lower   ? "at lower bound"
           : estimate.at_bound == fit::AtBound::Upper ? "at upper bound"
           : estimate.identifiable                    ? ""
                                                      : "not identifiable";
  };
  const auto& all = fit.estimates;
  TextTable table;
  table.text("parameter", file.parameters, [](const auto& parameter) { return parameter.name; });
  table.right("estimate", all, of(&fit::Estimate::value));
  table.right("std. error", all, of(&fit::Estimate::standard_error));
  table.right(fmt::format("{:g} % from", 100.0 * file.options.level), all,
              of(&fit::Estimate::lower));
  table.right("to", all, of(&fit::Estimate::upper)).text("", all, remark);
  return table;
}

TextTable measurement_table(const io::FitFile& file, const fit::Fit& fit) {
  // Noise that could not be estimated, or is none, leaves sigma as it was given.
  const double noise = fit.noise > 0.0 ? fit.noise : 1.0;
  using Measurement = io::FitMeasurement;
  const auto& all = file.measurements;
  TextTable table;
  table.text("experiment", all,
             [&](const Measurement& one) { return file.experiments[one.experiment].name; });
  table.text("quantity", all, [](const Measurement& one) {
    const std::string_view quantity = name_of(one.quantity);
    return one.of.empty() ? std::string(quantity) : fmt::format("{}, {}", quantity, one.of);
  });
  table.right("measured", all, [](const Measurement& one) { return number(one.value); });
  table.right("σ", all, [&](const Measurement& one) { return number(noise * one.sigma); });
  table.right("fitted", fit.predicted, number);
  table.right("residual/σ", fit.residual,
              [&](double residual) { return fmt::format("{:+.2f}", residual / noise); });
  return table;
}

/// Pairs of parameters, the strongest correlations first to say.
std::string correlation_lines(const io::FitFile& file, const fit::Fit& fit) {
  std::string out;
  for (Eigen::Index i = 0; i < fit.correlation.rows(); ++i) {
    for (Eigen::Index j = i + 1; j < fit.correlation.cols(); ++j) {
      if (std::isnan(fit.correlation(i, j))) continue;
      out += fmt::format("{} {:+.3f} ({}, {})", out.empty() ? "  correlation" : ",",
                         fit.correlation(i, j),
                         printable(file.parameters[static_cast<std::size_t>(i)].name),
                         printable(file.parameters[static_cast<std::size_t>(j)].name));
    }
  }
  return out.empty() ? "" : out + "\n";
}

/// Where the searches ended, the best first; nothing where all of them ended there.
std::string minima_table(const io::FitFile& file, const fit::Fit& fit) {
  if (fit.others.empty()) return "";
  std::vector<fit::OtherMinimum> all = fit.others;
  fit::OtherMinimum best{.sum_of_squares = fit.sum_of_squares, .starts = fit.search.best_starts};
  best.parameters.resize(static_cast<Eigen::Index>(fit.estimates.size()));
  for (Eigen::Index j = 0; j < best.parameters.size(); ++j) {
    best.parameters[j] = fit.estimates[static_cast<std::size_t>(j)].value;
  }
  all.insert(all.begin(), best);
  TextTable table;
  table.text("minimum", all, [&](const fit::OtherMinimum& one) {
    return &one == all.data() ? "best" : one.near ? "as good" : "worse";
  });
  for (std::size_t j = 0; j < file.parameters.size(); ++j) {
    table.right(printable(file.parameters[j].name), all, [j](const fit::OtherMinimum& one) {
      return number(one.parameters[static_cast<Eigen::Index>(j)]);
    });
  }
  table.right("sum of squares", all,
              [](const fit::OtherMinimum& one) { return number(one.sum_of_squares); });
  table.right("starts", all, &fit::OtherMinimum::starts);
  return indented(table) + "\n";
}

/// The test by repeated measurements, or that nothing tests the fit.
std::string test_line(const io::FitFile& file, const fit::Fit& fit) {
  if (const auto& test = fit.lack_of_fit) {
    return fmt::format(
        "  lack of fit F {:.4g} with {} and {} degrees of freedom, probability {:.3g}\n", test->F,
        test->freedom, test->pure_error_freedom, test->probability);
  }
  if (fit.probability || file.options.noise == fit::Noise::Known) return "";
  return "  not tested  whether the law can be true: that needs sigma, or repeated measurements\n";
}

std::string noise_line(const io::FitFile& file, const fit::Fit& fit) {
  // Where every measurement determines something there are none.
  const int freedom = fit.degrees_of_freedom;
  const std::string degrees =
      (freedom == 0 ? "no" : fmt::to_string(freedom)) + " degrees of freedom";
  if (file.options.noise == fit::Noise::Known) {
    std::string out =
        fmt::format("  noise       known; χ² {:.4g} with {}", fit.sum_of_squares, degrees);
    if (fit.probability) out += fmt::format(", probability {:.3g}", *fit.probability);
    return out + "\n";
  }
  return fmt::format("  noise       estimated from the residuals, {}; Student's t\n", degrees);
}

/// A fit for people: parameters with their intervals, residuals, correlations, warnings.
std::string fit_report(const io::FitFile& file, const fit::Fit& fit) {
  std::string out = fmt::format("{} · {} · {} · {}\n\n", printable(file.name),
                                counted(file.experiments.size(), "experiment"),
                                counted(file.measurements.size(), "measurement"),
                                counted(file.parameters.size(), "parameter"));
  if (!fit.estimates.empty()) {
    out += indented(parameter_table(file, fit)) + "\n";
    out += indented(measurement_table(file, fit));
    out += "\n" + minima_table(file, fit) + noise_line(file, fit) + test_line(file, fit) +
           correlation_lines(file, fit);
  }
  out += fmt::format(
      "  search      {} of {} starts converged, {} at the best minimum; {}; {} evaluations\n",
      fit.search.converged_starts, fit.search.starts, fit.search.best_starts,
      counted(fit.others.size(), "other minimum", "other minima"), fit.search.evaluations);
  for (const std::string& warning : io::warnings(file, fit)) {
    out += fmt::format("  warning     {}\n", warning);
  }
  return out;
}

ExitCode fit_file(const FileCommand& command) {
  const io::Document document = command.read();
  io::FitFile file = io::read_fit(document);
  file.options.stop = StopSignal::wanted;
  const fit::Fit result = io::located_in(document, [&] {
    const StopSignal signals;
    const Progress progress("fitting " + io::printable(file.name), !command.quiet);
    return fit::least_squares(io::least_squares_problem(file), file.options);
  });
  command.answer(
      command.output, [&] { return io::to_node(file, result); },
      [&] { return fit_report(file, result); });
  return result.ok() ? ExitCode::Accepted : ExitCode::NotAccepted;
}

}  // namespace

void add_fit(CLI::App& app, ExitCode& code) {
  add_command<FileCommand>(
      app, code, "fit",
      "Estimate parameters of an impact from measurements, with confidence intervals.", kFitFooter,
      fit_file, [](CLI::App& command, FileCommand& options) {
        add_file(command, options, "FILE",
                 "measurements and unknowns, .toml or .json; - is standard input");
        add_changes(command, options, "fit.level=0.99", "fit.seed");
        add_printing(command, options, "the result (percute-fit-result/1)");
      });
}

}  // namespace percute::cli

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "fit_report.hpp"

#include "io/printable.hpp"
#include "text_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace percute::cli {

namespace {

using io::printable;

/// Six significant digits; a dash where there is no number.
std::string number(double value) {
  return std::isnan(value) ? "–" : fmt::format("{:.6g}", value);
}

TextTable parameter_table(const io::FitFile& file, const fit::Fit& fit) {
  std::vector<std::string> names;
  std::vector<std::string> values;
  std::vector<std::string> errors;
  std::vector<std::string> lowers;
  std::vector<std::string> uppers;
  std::vector<std::string> remarks;
  for (std::size_t j = 0; j < fit.estimates.size(); ++j) {
    const fit::Estimate& estimate = fit.estimates[j];
    names.push_back(file.parameters[j].name);
    values.push_back(number(estimate.value));
    errors.push_back(number(estimate.standard_error));
    lowers.push_back(number(estimate.lower));
    uppers.push_back(number(estimate.upper));
    remarks.emplace_back(estimate.at_bound == fit::AtBound::Lower   ? "at lower bound"
                         : estimate.at_bound == fit::AtBound::Upper ? "at upper bound"
                         : estimate.identifiable                    ? ""
                                                                    : "not identifiable");
  }
  TextTable table;
  table.text("parameter", names).right("estimate", values).right("std. error", errors);
  table.right(fmt::format("{:g} % from", 100.0 * file.options.level), lowers).right("to", uppers);
  table.text("", remarks);
  return table;
}

TextTable measurement_table(const io::FitFile& file, const fit::Fit& fit) {
  std::vector<std::string> experiments;
  std::vector<std::string> quantities;
  std::vector<std::string> measured;
  std::vector<std::string> sigmas;
  std::vector<std::string> predicted;
  std::vector<std::string> residuals;
  // Noise that could not be estimated, or is none, leaves sigma as it was given.
  const double noise = fit.noise > 0.0 ? fit.noise : 1.0;
  for (std::size_t k = 0; k < file.measurements.size(); ++k) {
    const io::FitMeasurement& one = file.measurements[k];
    const auto i = static_cast<Eigen::Index>(k);
    const std::string_view quantity = name_of(one.quantity);
    experiments.push_back(file.experiments[one.experiment].name);
    quantities.push_back(one.of.empty() ? std::string(quantity)
                                        : fmt::format("{}, {}", quantity, one.of));
    measured.push_back(number(one.value));
    sigmas.push_back(number(noise * one.sigma));
    predicted.push_back(number(fit.predicted[i]));
    residuals.push_back(fmt::format("{:+.2f}", fit.residual[i] / noise));
  }
  TextTable table;
  table.text("experiment", experiments).text("quantity", quantities).right("measured", measured);
  table.right("σ", sigmas).right("fitted", predicted).right("residual/σ", residuals);
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

/// "16 degrees of freedom"; where every measurement determines something there are none.
std::string freedom_text(const fit::Fit& fit) {
  return fit.degrees_of_freedom == 0 ? "no degrees of freedom"
                                     : fmt::format("{} degrees of freedom", fit.degrees_of_freedom);
}

/// Where the searches ended, the best first; nothing where all of them ended there.
std::string minima_table(const io::FitFile& file, const fit::Fit& fit) {
  if (fit.others.empty()) return "";
  std::vector<std::string> names{"best"};
  std::vector<std::vector<std::string>> values(file.parameters.size());
  std::vector<std::string> sums{number(fit.sum_of_squares)};
  std::vector<std::string> starts{fmt::format("{}", fit.best_starts)};
  for (std::size_t j = 0; j < values.size(); ++j) {
    values[j].push_back(number(fit.estimates[j].value));
  }
  for (const fit::OtherMinimum& other : fit.others) {
    names.emplace_back(other.near ? "as good" : "worse");
    for (std::size_t j = 0; j < values.size(); ++j) {
      values[j].push_back(number(other.parameters[static_cast<Eigen::Index>(j)]));
    }
    sums.push_back(number(other.sum_of_squares));
    starts.push_back(fmt::format("{}", other.starts));
  }
  TextTable table;
  table.text("minimum", names);
  for (std::size_t j = 0; j < values.size(); ++j) {
    table.right(printable(file.parameters[j].name), values[j]);
  }
  table.right("sum of squares", sums).right("starts", starts);
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
  if (file.options.noise == fit::Noise::Known) {
    std::string out = fmt::format("  noise       known; χ² {:.4g} with {}", fit.sum_of_squares,
                                  freedom_text(fit));
    if (fit.probability) out += fmt::format(", probability {:.3g}", *fit.probability);
    return out + "\n";
  }
  return fmt::format("  noise       estimated from the residuals, {}; Student's t\n",
                     freedom_text(fit));
}

}  // namespace

std::string report(const io::FitFile& file, const fit::Fit& fit) {
  const auto count = [](std::size_t n, const char* what) {
    return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
  };
  std::string out = fmt::format(
      "{} · {} · {} · {}\n\n", printable(file.name), count(file.experiments.size(), "experiment"),
      count(file.measurements.size(), "measurement"), count(file.parameters.size(), "parameter"));
  if (!fit.estimates.empty()) {
    out += indented(parameter_table(file, fit)) + "\n";
    out += indented(measurement_table(file, fit));
    out += "\n" + minima_table(file, fit) + noise_line(file, fit) + test_line(file, fit) +
           correlation_lines(file, fit);
  }
  out += fmt::format(
      "  search      {} of {} starts converged, {} at the best minimum; {} other {}; {} "
      "evaluations\n",
      fit.converged_starts, fit.starts, fit.best_starts, fit.others.size(),
      fit.others.size() == 1 ? "minimum" : "minima", fit.evaluations);
  for (const std::string& warning : io::warnings(file, fit)) {
    out += fmt::format("  warning     {}\n", warning);
  }
  return out;
}

}  // namespace percute::cli

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/printable.hpp"

#include <percute/io/fit_file.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace percute::io {

namespace {

using fit::AtBound;
using fit::FitStatus;

constexpr Names<FitStatus, 6> kStatuses{{{"converged", FitStatus::Converged},
                                         {"rejected", FitStatus::Rejected},
                                         {"ambiguous", FitStatus::Ambiguous},
                                         {"interrupted", FitStatus::Interrupted},
                                         {"not_converged", FitStatus::NotConverged},
                                         {"failed", FitStatus::Failed}}};
constexpr Names<AtBound, 3> kBounds{
    {{"no", AtBound::No}, {"lower", AtBound::Lower}, {"upper", AtBound::Upper}}};

/// Chance below which residuals are called too small for the stated sigma.
constexpr double kImprobable = 1e-3;

/// Shows an interval that is none as null.
Node interval_of(const fit::Estimate& estimate) {
  if (std::isnan(estimate.lower)) return {};
  return Node::Array{estimate.lower, estimate.upper};
}

Node parameters_of(const FitFile& file, const fit::Fit& fit) {
  Node::Array out;
  out.reserve(file.parameters.size());
  for (std::size_t j = 0; j < file.parameters.size(); ++j) {
    Node::Array keys;
    for (const FitKey& key : file.keys[j]) keys.emplace_back(key.path);
    Node& node = out.emplace_back();
    node.add("name", file.parameters[j].name);
    node.add("keys", std::move(keys));
    if (fit.estimates.empty()) {
      for (const char* key : {"value", "standard_error", "interval", "at_bound", "identifiable"}) {
        node.add(key, Node());
      }
      continue;
    }
    const fit::Estimate& estimate = fit.estimates[j];
    node.add("value", estimate.value);
    node.add("standard_error", estimate.standard_error);
    node.add("interval", interval_of(estimate));
    node.add("at_bound", name_of(estimate.at_bound, kBounds));
    node.add("identifiable", estimate.identifiable);
  }
  return out;
}

Node measurements_of(const FitFile& file, const fit::Fit& fit) {
  Node::Array out;
  out.reserve(file.measurements.size());
  for (std::size_t k = 0; k < file.measurements.size(); ++k) {
    const FitMeasurement& measurement = file.measurements[k];
    const auto i = static_cast<Eigen::Index>(k);
    const bool known = i < fit.predicted.size();
    Node& node = out.emplace_back();
    node.add("experiment", file.experiments[measurement.experiment].name);
    node.add("quantity", name_of(measurement.quantity, kQuantities));
    node.add("of", measurement.of);
    node.add("value", measurement.value);
    node.add("sigma", measurement.sigma);
    node.add("predicted", known ? Node(fit.predicted[i]) : Node());
    node.add("residual", known ? Node(fit.residual[i]) : Node());
  }
  return out;
}

Node rows_of(const Matrix& matrix) {
  Node::Array rows;
  rows.reserve(static_cast<std::size_t>(matrix.rows()));
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    Node::Array row;
    row.reserve(static_cast<std::size_t>(matrix.cols()));
    for (Eigen::Index j = 0; j < matrix.cols(); ++j) row.emplace_back(matrix(i, j));
    rows.emplace_back(std::move(row));
  }
  return rows;
}

Node others_of(const fit::Fit& fit) {
  Node::Array out;
  out.reserve(fit.others.size());
  for (const fit::OtherMinimum& other : fit.others) {
    Node& node = out.emplace_back();
    node.add("parameters", Node::Array(other.parameters.begin(), other.parameters.end()));
    node.add("sum_of_squares", other.sum_of_squares);
    node.add("near", other.near);
    node.add("starts", other.starts);
  }
  return out;
}

/// "K1 and K2 can change together (1 : 1, in their units) without changing what is measured".
std::string unnoticed_text(const FitFile& file, const Vector& direction) {
  std::string names;
  std::string shares;
  int count = 0;
  for (Eigen::Index j = 0; j < direction.size(); ++j) {
    if (direction[j] == 0.0) continue;
    names += (count > 0 ? ", " : "") + printable(file.parameters[static_cast<std::size_t>(j)].name);
    shares += fmt::format("{}{:.3g}", count > 0 ? " : " : "", direction[j]);
    ++count;
  }
  if (count == 1) return fmt::format("the measurements do not depend on {}", names);
  return fmt::format(
      "{} can change together ({}, in their units) without changing what is measured", names,
      shares);
}

void warn_of_parameters(const FitFile& file, const fit::Fit& fit, std::vector<std::string>& out) {
  for (std::size_t j = 0; j < fit.estimates.size(); ++j) {
    const AtBound bound = fit.estimates[j].at_bound;
    if (bound == AtBound::No) continue;
    out.push_back(fmt::format(
        "{} is at its {} bound {:g}: it has no interval, and the other intervals assume this value",
        printable(file.parameters[j].name), name_of(bound, kBounds), fit.estimates[j].value));
  }
  for (Eigen::Index k = 0; k < fit.unnoticed.cols(); ++k) {
    out.push_back("not identifiable: " + unnoticed_text(file, fit.unnoticed.col(k)));
  }
}

/// Why the measurements contradict the fit, and what that can mean.
std::string rejection_text(const FitFile& file, const fit::Fit& fit) {
  const double limit = file.options.significance;
  std::string why;
  if (fit.probability && *fit.probability < limit) {
    why = fmt::format("residuals are too large for the stated sigma (probability {:.1e})",
                      *fit.probability);
  }
  if (fit.lack_of_fit && fit.lack_of_fit->probability < limit) {
    why += fmt::format(
        "{}the fit misses the means of repeated measurements by more than these scatter "
        "(probability {:.1e})",
        why.empty() ? "" : ", and ", fit.lack_of_fit->probability);
  }
  return fmt::format(
      "the fit is rejected: {}. Either the law, a fixed value of the file or sigma is wrong, or "
      "the "
      "search missed the right minimum (more fit.starts, other bounds). Do not use these estimates",
      why);
}

}  // namespace

std::vector<std::string> warnings(const FitFile& file, const fit::Fit& fit) {
  std::vector<std::string> out;
  if (fit.status == FitStatus::Rejected) out.push_back(rejection_text(file, fit));
  if (fit.status == FitStatus::Interrupted) {
    const std::string when =
        fit.starts == 0 ? "before the first start"
                        : fmt::format("at start {} of {}", fit.starts, file.options.starts);
    out.push_back(fmt::format("stopped by a signal {}: {}", when,
                              fit.estimates.empty() ? "there is no point yet"
                                                    : "the best point so far, without intervals"));
  }
  if (fit.status == FitStatus::NotConverged) {
    out.push_back(fmt::format("not converged within {} iterations (fit.max_iterations)",
                              file.options.max_iterations));
  }
  if (fit.status == FitStatus::Failed) {
    out.push_back("the model gave no answer where it was needed: " + printable(fit.failure, 200));
  }
  warn_of_parameters(file, fit, out);
  const auto near = std::ranges::count_if(fit.others, &fit::OtherMinimum::near);
  if (near > 0) {
    out.push_back(fmt::format(
        "the answer is ambiguous: {} explain{} the measurements as well (see the table of minima). "
        "Measure something that tells them apart, or set lower and upper where you know more",
        near == 1 ? "another minimum" : fmt::format("{} other minima", near),
        near == 1 ? "s" : ""));
  }
  const auto count = static_cast<std::ptrdiff_t>(file.measurements.size());
  const auto free = std::ranges::count(fit.estimates, AtBound::No, &fit::Estimate::at_bound);
  if (count < free) {
    out.push_back(
        fmt::format("fewer measurements ({}) than free parameters ({}): not all parameters can be "
                    "determined, and the fit cannot be tested",
                    count, free));
  }
  if (fit.degrees_of_freedom == 0 && file.options.noise == fit::Noise::Estimated && fit.ok()) {
    out.emplace_back("no degrees of freedom are left: the noise cannot be estimated");
  }
  if (fit.probability && *fit.probability > 1.0 - kImprobable) {
    out.emplace_back("residuals are too small for the stated sigma: intervals are too wide");
  }
  if (fit.ok() && fit.failed_evaluations > 0) {
    out.push_back(fmt::format("{} of {} evaluations gave no answer, the last because: {}",
                              fit.failed_evaluations, fit.evaluations,
                              printable(fit.failure, 200)));
  }
  return out;
}

Node to_node(const FitFile& file, const fit::Fit& fit) {
  Node node;
  node.add("format", "percute-fit-result/1");
  node.add("name", file.name);
  node.add("status", name_of(fit.status, kStatuses));
  node.add("parameters", parameters_of(file, fit));
  node.add("level", file.options.level);
  node.add("noise", file.options.noise == fit::Noise::Known ? "known" : "estimated");
  // Without a point there is nothing to say of it.
  const auto known = [&fit](const Node& value) { return fit.estimates.empty() ? Node() : value; };
  node.add("noise_factor", known(fit.noise));
  node.add("correlation", rows_of(fit.correlation));
  node.add("rank", known(fit.rank));
  node.add("unnoticed", rows_of(fit.unnoticed.transpose()));
  node.add("sum_of_squares", known(fit.sum_of_squares));
  node.add("degrees_of_freedom", known(fit.degrees_of_freedom));
  node.add("probability", fit.probability ? Node(*fit.probability) : Node());
  Node lack;
  if (const auto& test = fit.lack_of_fit) {
    lack.add("F", test->F);
    lack.add("degrees_of_freedom", Node::Array{test->freedom, test->pure_error_freedom});
    lack.add("probability", test->probability);
  }
  node.add("lack_of_fit", std::move(lack));
  node.add("significance", file.options.significance);
  node.add("measurements", measurements_of(file, fit));
  node.add("other_minima", others_of(fit));
  Node diagnostics;
  diagnostics.add("starts", fit.starts);
  diagnostics.add("converged_starts", fit.converged_starts);
  diagnostics.add("best_starts", fit.best_starts);
  diagnostics.add("iterations", fit.iterations);
  diagnostics.add("evaluations", fit.evaluations);
  diagnostics.add("failed_evaluations", fit.failed_evaluations);
  diagnostics.add("difference_step", fit.step);
  node.add("diagnostics", std::move(diagnostics));
  Node::Array lines;
  for (std::string& warning : warnings(file, fit)) lines.emplace_back(std::move(warning));
  node.add("warnings", std::move(lines));
  return node;
}

}  // namespace percute::io

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/printable.hpp"

#include <percute/io/fit_file.hpp>

#include <fmt/format.h>

#include <cmath>

namespace percute::io {

namespace {

using fit::AtBound;
using fit::FitStatus;

constexpr Names<FitStatus, 3> kStatuses{{{"converged", FitStatus::Converged},
                                         {"not_converged", FitStatus::NotConverged},
                                         {"failed", FitStatus::Failed}}};
constexpr Names<AtBound, 3> kBounds{
    {{"no", AtBound::No}, {"lower", AtBound::Lower}, {"upper", AtBound::Upper}}};

/// Chance below which residuals are called too large, or too small, for the stated sigma.
constexpr double kImprobable = 1e-3;

/// Shows an interval that is none as null.
Node interval_of(const fit::Estimate& estimate) {
  if (std::isnan(estimate.lower)) return {};
  return Node::Array{estimate.lower, estimate.upper};
}

Node parameters_of(const FitFile& file, const fit::Fit& fit) {
  Node::Array out;
  out.reserve(fit.estimates.size());
  for (std::size_t j = 0; j < fit.estimates.size(); ++j) {
    const fit::Estimate& estimate = fit.estimates[j];
    Node::Array keys;
    for (const FitKey& key : file.keys[j]) keys.emplace_back(key.path);
    Node& node = out.emplace_back();
    node.add("name", file.parameters[j].name);
    node.add("keys", std::move(keys));
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
  }
  return out;
}

/// "K1 and K2 can change together (1 : 1) without a trace in the measurements".
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
  if (count == 1) return fmt::format("{} leaves no trace in the measurements", names);
  return fmt::format(
      "{} can change together ({}, in their units) without a trace in the measurements", names,
      shares);
}

void warn_of_parameters(const FitFile& file, const fit::Fit& fit, std::vector<std::string>& out) {
  for (std::size_t j = 0; j < fit.estimates.size(); ++j) {
    const AtBound bound = fit.estimates[j].at_bound;
    if (bound == AtBound::No) continue;
    out.push_back(fmt::format(
        "{} is at its {} bound {:g}: no interval, and the other intervals "
        "hold with it there",
        printable(file.parameters[j].name), name_of(bound, kBounds), fit.estimates[j].value));
  }
  for (Eigen::Index k = 0; k < fit.unnoticed.cols(); ++k) {
    out.push_back("not identifiable: " + unnoticed_text(file, fit.unnoticed.col(k)));
  }
}

}  // namespace

std::vector<std::string> warnings(const FitFile& file, const fit::Fit& fit) {
  std::vector<std::string> out;
  if (fit.status == FitStatus::NotConverged) {
    out.push_back(fmt::format("not converged within {} iterations (fit.max_iterations)",
                              file.options.max_iterations));
  }
  if (fit.status == FitStatus::Failed) {
    out.push_back("the model gave no answer where it was needed: " + printable(fit.failure, 200));
  }
  warn_of_parameters(file, fit, out);
  for (const fit::OtherMinimum& other : fit.others) {
    if (!other.near) continue;
    std::string values;
    for (Eigen::Index j = 0; j < other.parameters.size(); ++j) {
      values += fmt::format("{}{} = {:.6g}", j > 0 ? ", " : "",
                            printable(file.parameters[static_cast<std::size_t>(j)].name),
                            other.parameters[j]);
    }
    out.push_back(
        fmt::format("another minimum explains the measurements about as well (sum of "
                    "squares {:.6g}): {}",
                    other.sum_of_squares, values));
  }
  const auto count = static_cast<int>(file.measurements.size());
  if (fit.degrees_of_freedom < 0) {
    out.push_back(fmt::format(
        "fewer measurements ({}) than free parameters ({}): they cannot determine all, and "
        "nothing is left to judge the fit by",
        count, count - fit.degrees_of_freedom));
  }
  if (fit.degrees_of_freedom == 0 && file.options.noise == fit::Noise::Estimated && fit.ok()) {
    out.emplace_back(
        "as many parameters as measurements: nothing is left to estimate the noise from");
  }
  if (fit.probability && *fit.probability < kImprobable) {
    out.push_back(
        fmt::format("residuals are too large for the stated sigma (probability {:.1e}): "
                    "the model or sigma is wrong, and intervals are too narrow",
                    *fit.probability));
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
  node.add("noise_factor", fit.noise);
  node.add("correlation", rows_of(fit.correlation));
  node.add("rank", fit.rank);
  node.add("unnoticed", rows_of(fit.unnoticed.transpose()));
  node.add("sum_of_squares", fit.sum_of_squares);
  node.add("degrees_of_freedom", fit.degrees_of_freedom);
  node.add("probability", fit.probability ? Node(*fit.probability) : Node());
  node.add("measurements", measurements_of(file, fit));
  node.add("other_minima", others_of(fit));
  Node diagnostics;
  diagnostics.add("starts", fit.starts);
  diagnostics.add("converged_starts", fit.converged_starts);
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

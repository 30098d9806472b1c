// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/fit_measurements.hpp"
#include "io/text.hpp"

#include <percute/io/fit_file.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace percute::io {

namespace {

/// Errors of velocities stay below 100 tolerances on all published impacts.
constexpr double kErrorPerTolerance = 100.0;

/// Force of a contact at an instant; after the end of the impact there is none.
double force_at(const ImpactHistory& history, int contact, double time) {
  const double* begin = history.time.data();
  const double* end = begin + history.time.size();
  const double* next = std::lower_bound(begin, end, time);
  if (next == end) return 0.0;
  if (*next == time || next == begin) return history.force(contact, next - begin);
  // Recorded instants are met exactly but for a rounding of their time.
  const double share = (time - *(next - 1)) / (*next - *(next - 1));
  const Eigen::Index k = next - begin;
  return (1.0 - share) * history.force(contact, k - 1) + share * history.force(contact, k);
}

/// What a law with an inner time says about a contact.
const ContactSummary& summary_of(const FitMeasurement& measurement, const ImpactResult& result) {
  return result.diagnostics.contacts[static_cast<std::size_t>(measurement.index)];
}

double value_of(const FitMeasurement& measurement, const ImpactResult& result) {
  const int i = measurement.index;
  switch (measurement.quantity) {
    case Quantity::Velocity:
      return result.velocity[i];
    case Quantity::Rebound: {
      const double up = measurement.gravity < 0.0 ? result.velocity[i] : -result.velocity[i];
      return up > 0.0 ? up * up / (2.0 * std::abs(measurement.gravity)) : 0.0;
    }
    case Quantity::GapRate:
      return result.gap_rate[i];
    case Quantity::Impulse:
      return result.impulse[i];
    case Quantity::EnergyRatio:
      return result.energy.after / result.energy.before;
    case Quantity::Force:
      return force_at(result.history, i, measurement.time);
    case Quantity::MaximalForce:
      return summary_of(measurement, result).maximal_force;
    case Quantity::MaximalForceTime:
      return summary_of(measurement, result).maximal_force_time;
    case Quantity::Duration:
      return summary_of(measurement, result).duration;
  }
  return 0.0;
}

/// Algebraic laws know neither forces nor times.
void require_inner_time(const FitFile& file, const FitMeasurement& measurement,
                        const ImpactResult& result, const AnyLaw& law) {
  const Quantity quantity = measurement.quantity;
  if (!kind_of(quantity).needs_inner_time || !result.diagnostics.contacts.empty()) return;
  throw FileError(file.file, measurement.path + ".quantity",
                  fmt::format("\"{}\" needs a law with an inner time (lzb, compliant), not '{}'",
                              name_of(quantity), law.kind()));
}

/// The document of an experiment with the parameters that concern it.
Document with_parameters(const FitFile& file, std::size_t experiment, const Vector& parameters) {
  Document document = file.experiments[experiment].document;
  for (std::size_t j = 0; j < file.parameters.size(); ++j) {
    if (!file.concerned[j][experiment]) continue;
    const std::string text = to_json(Node(parameters[static_cast<Eigen::Index>(j)]));
    for (const FitKey& key : file.keys[j]) {
      override_value(document, key.path, text, key.origin + " = " + text);
    }
  }
  return document;
}

using fit::AtBound;
using fit::FitStatus;

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
    node.add("at_bound", name_of(estimate.at_bound));
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
    node.add("quantity", name_of(measurement.quantity));
    node.add("of", measurement.of);
    node.add("value", measurement.value);
    node.add("sigma", measurement.sigma);
    node.add("predicted", known ? Node(fit.predicted[i]) : Node());
    node.add("residual", known ? Node(fit.residual[i]) : Node());
  }
  return out;
}

Node others_of(const fit::Fit& fit) {
  Node::Array out;
  out.reserve(fit.others.size());
  for (const fit::OtherMinimum& other : fit.others) {
    out.emplace_back(Node::Object{{"parameters", other.parameters},
                                  {"sum_of_squares", other.sum_of_squares},
                                  {"near", other.near},
                                  {"starts", other.starts}});
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
        printable(file.parameters[j].name), name_of(bound), fit.estimates[j].value));
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

fit::Prediction predict(const FitFile& file, const Vector& parameters) {
  fit::Prediction out;
  out.values.resize(static_cast<Eigen::Index>(file.measurements.size()));
  std::size_t next = 0;
  for (std::size_t k = 0; k < file.experiments.size(); ++k) {
    const FitExperiment& experiment = file.experiments[k];
    const Document document = with_parameters(file, k, parameters);
    const ProblemFile problem = read_problem_or_scene(document);
    const ImpactResult result =
        experiment.times.empty()
            ? resolve(problem, document)
            : resolve(problem, document, Recording{.every = 0, .times = experiment.times});
    if (!result.ok()) {
      out.failure = fmt::format("{}: {} ended with status {}", experiment.name, problem.law.kind(),
                                name(result.status));
      return out;
    }
    out.accuracy = std::max(out.accuracy, kErrorPerTolerance * result.diagnostics.tolerance);
    // Measurements come in the order of their experiments.
    for (; next < file.measurements.size() && file.measurements[next].experiment == k; ++next) {
      require_inner_time(file, file.measurements[next], result, problem.law);
      out.values[static_cast<Eigen::Index>(next)] = value_of(file.measurements[next], result);
    }
  }
  return out;
}

fit::LeastSquaresProblem least_squares_problem(const FitFile& file) {
  fit::LeastSquaresProblem problem;
  problem.parameters = file.parameters;
  const auto m = static_cast<Eigen::Index>(file.measurements.size());
  problem.measured.resize(m);
  problem.sigma.resize(m);
  std::map<std::tuple<std::size_t, Quantity, int, double, double>, int> quantities;
  for (Eigen::Index k = 0; k < m; ++k) {
    const FitMeasurement& one = file.measurements[static_cast<std::size_t>(k)];
    problem.measured[k] = one.value;
    problem.sigma[k] = one.sigma;
    problem.repeats.push_back(
        quantities
            .emplace(std::tuple(one.experiment, one.quantity, one.index, one.time, one.gravity),
                     static_cast<int>(quantities.size()))
            .first->second);
  }
  problem.model = [&file](const Vector& parameters) { return predict(file, parameters); };
  return problem;
}

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
  node.add("status", name_of(fit.status));
  node.add("parameters", parameters_of(file, fit));
  node.add("level", file.options.level);
  node.add("noise", name_of(file.options.noise));
  // Without a point there is nothing to say of it.
  const auto known = [&fit](const Node& value) { return fit.estimates.empty() ? Node() : value; };
  node.add("noise_factor", known(fit.noise));
  node.add("correlation", fit.correlation);
  node.add("rank", known(fit.rank));
  node.add("unnoticed", Matrix(fit.unnoticed.transpose()));
  node.add("sum_of_squares", known(fit.sum_of_squares));
  node.add("degrees_of_freedom", known(fit.degrees_of_freedom));
  node.add("probability", fit.probability);
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
  node.add("warnings", warnings(file, fit));
  return node;
}

}  // namespace percute::io

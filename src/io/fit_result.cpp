// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/columns.hpp"
#include "io/fit_measurements.hpp"
#include "io/text.hpp"

#include <percute/io/fit_file.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
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

/// v²/2g of a coordinate that moves up; gravity points down.
double rebound(double velocity, double gravity) {
  const double up = gravity < 0.0 ? velocity : -velocity;
  return up > 0.0 ? up * up / (2.0 * std::abs(gravity)) : 0.0;
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

Node parameters_of(const FitFile& file, const fit::Fit& fit) {
  Node::Array out;
  for (std::size_t j = 0; j < file.parameters.size(); ++j) {
    const bool known = j < fit.estimates.size();
    const fit::Estimate one = known ? fit.estimates[j] : fit::Estimate{};
    const auto if_known = [known](Node value) { return known ? std::move(value) : Node(); };
    // An interval that is none is null.
    const Node interval = std::isnan(one.lower) ? Node() : Node::Array{one.lower, one.upper};
    out.emplace_back(Node::Object{{"name", file.parameters[j].name},
                                  {"keys", each(file.keys[j], &FitKey::path)},
                                  {"value", if_known(one.value)},
                                  {"standard_error", if_known(one.standard_error)},
                                  {"interval", if_known(interval)},
                                  {"at_bound", if_known(name_of(one.at_bound))},
                                  {"identifiable", if_known(one.identifiable)}});
  }
  return out;
}

Node measurements_of(const FitFile& file, const fit::Fit& fit) {
  Node::Array out;
  for (const FitMeasurement& one : file.measurements) {
    const auto k = static_cast<Eigen::Index>(out.size());
    const bool known = k < fit.predicted.size();
    out.emplace_back(Node::Object{{"experiment", file.experiments[one.experiment].name},
                                  {"quantity", name_of(one.quantity)},
                                  {"of", one.of},
                                  {"value", one.value},
                                  {"sigma", one.sigma},
                                  {"predicted", known ? Node(fit.predicted[k]) : Node()},
                                  {"residual", known ? Node(fit.residual[k]) : Node()}});
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

const QuantityKind& kind_of(Quantity quantity) {
  using One = const FitMeasurement&;
  using Result = const ImpactResult&;
  // What a law with an inner time says about the contact.
  static constexpr auto summary = [](One one, Result result) -> const ContactSummary& {
    return result.diagnostics.contacts[static_cast<std::size_t>(one.index)];
  };
  constexpr auto kCoordinate = Owner::Coordinate;
  constexpr auto kContact = Owner::Contact;
  static constexpr std::array<QuantityKind, 9> kKinds{{
      {kCoordinate, "m/s", false, false,
       [](One one, Result result) { return result.velocity[one.index]; }},
      {kCoordinate, "m", true, false,
       [](One one, Result result) { return rebound(result.velocity[one.index], one.gravity); }},
      {kContact, "m/s", false, false,
       [](One one, Result result) { return result.gap_rate[one.index]; }},
      {kContact, "N s", false, false,
       [](One one, Result result) { return result.impulse[one.index]; }},
      {Owner::Nothing, "1", true, false,
       [](One, Result result) { return result.energy.after / result.energy.before; }},
      {kContact, "N", false, true,
       [](One one, Result result) { return force_at(result.history, one.index, one.time); }},
      {kContact, "N", false, true,
       [](One one, Result result) { return summary(one, result).maximal_force; }},
      {kContact, "s", false, true,
       [](One one, Result result) { return summary(one, result).maximal_force_time; }},
      {kContact, "s", true, true,
       [](One one, Result result) { return summary(one, result).duration; }},
  }};
  return kKinds[static_cast<std::size_t>(quantity)];
}

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
      out.values[static_cast<Eigen::Index>(next)] =
          kind_of(file.measurements[next].quantity).value(file.measurements[next], result);
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
        fit.search.starts == 0
            ? "before the first start"
            : fmt::format("at start {} of {}", fit.search.starts, file.options.starts);
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
  if (fit.ok() && fit.search.failed_evaluations > 0) {
    out.push_back(fmt::format("{} of {} evaluations gave no answer, the last because: {}",
                              fit.search.failed_evaluations, fit.search.evaluations,
                              printable(fit.failure, 200)));
  }
  return out;
}

Node to_node(const FitFile& file, const fit::Fit& fit) {
  // Without a point there is nothing to say of it.
  const auto known = [&fit](const Node& value) { return fit.estimates.empty() ? Node() : value; };
  Node lack;
  if (const auto& test = fit.lack_of_fit) {
    lack =
        Node::Object{{"F", test->F},
                     {"degrees_of_freedom", Node::Array{test->freedom, test->pure_error_freedom}},
                     {"probability", test->probability}};
  }
  const auto other = [](const fit::OtherMinimum& one) {
    return Node(Node::Object{{"parameters", one.parameters},
                             {"sum_of_squares", one.sum_of_squares},
                             {"near", one.near},
                             {"starts", one.starts}});
  };
  const fit::FitSearch& search = fit.search;
  return Node::Object{
      {"format", "percute-fit-result/1"},
      {"name", file.name},
      {"status", name_of(fit.status)},
      {"parameters", parameters_of(file, fit)},
      {"level", file.options.level},
      {"noise", name_of(file.options.noise)},
      {"noise_factor", known(fit.noise)},
      {"correlation", fit.correlation},
      {"rank", known(fit.rank)},
      {"unnoticed", Matrix(fit.unnoticed.transpose())},
      {"sum_of_squares", known(fit.sum_of_squares)},
      {"degrees_of_freedom", known(fit.degrees_of_freedom)},
      {"probability", fit.probability},
      {"lack_of_fit", std::move(lack)},
      {"significance", file.options.significance},
      {"measurements", measurements_of(file, fit)},
      {"other_minima", each(fit.others, other)},
      {"diagnostics", Node::Object{{"starts", search.starts},
                                   {"converged_starts", search.converged_starts},
                                   {"best_starts", search.best_starts},
                                   {"iterations", search.iterations},
                                   {"evaluations", search.evaluations},
                                   {"failed_evaluations", search.failed_evaluations},
                                   {"difference_step", search.step}}},
      {"warnings", warnings(file, fit)}};
}

}  // namespace percute::io

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
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
  const bool timed = quantity == Quantity::Force || quantity == Quantity::MaximalForce ||
                     quantity == Quantity::MaximalForceTime || quantity == Quantity::Duration;
  if (!timed || !result.diagnostics.contacts.empty()) return;
  throw FileError(file.file, measurement.path + ".quantity",
                  fmt::format("\"{}\" needs a law with an inner time (lzb, compliant), not '{}'",
                              name_of(quantity, kQuantities), law.kind()));
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

}  // namespace percute::io

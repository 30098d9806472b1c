// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/model/fields.hpp>
#include <percute/numerics/linear_algebra.hpp>

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace percute::fit {

/// How a parameter is searched, and its interval made.
enum class Scale {
  Linear,
  Logarithmic,  ///< in ln x, for positive parameters over decades: stiffnesses
};
constexpr Names<Scale, 2> names(Scale) {
  return {{{"linear", Scale::Linear}, {"log", Scale::Logarithmic}}};
}

/// One unknown.
struct Parameter {
  std::string name = {};
  double start = 0.0;
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  Scale scale = Scale::Linear;
  double unit = 0.0;  ///< a change that matters, for Linear; 0: |start|, else the range, else 1
};

/// All but its name, which a file may leave out.
template <Same<Parameter> P>
void fields(P& parameter, auto&& visit) {
  visit(Field{"start", "where the search begins"}.needed(), parameter.start);
  visit(Field{"lower", "bound"}, parameter.lower);
  visit(Field{"upper", "bound", Range{}.or_infinite()}, parameter.upper);
  visit(Field{"unit", "a change that matters", Range::positive()}, parameter.unit);
  visit(Field{"scale", "how it is searched"}, parameter.scale);
}

/// What the model says for given parameters.
struct Prediction {
  Vector values = {};        ///< one per measurement; unused where there is a failure
  double accuracy = 0.0;     ///< relative error of the values; 0: rounding
  std::string failure = {};  ///< why there is no answer, e.g. the law did not terminate
};

struct LeastSquaresProblem {
  std::vector<Parameter> parameters = {};
  Vector measured = {};
  Vector sigma = {};  ///< standard deviations of the measurements, or their ratios: see Noise
  std::function<Prediction(const Vector& parameters)> model = {};
  /// Measurements with the same number are repeats: one quantity, measured again under the same
  /// conditions. Empty: there are none.
  std::vector<int> repeats = {};
};

enum class Noise {
  Known,      ///< sigma is true: intervals by the normal distribution, χ² judges the model
  Estimated,  ///< only ratios of sigma are: its size comes from the residuals, Student's t
};
constexpr Names<Noise, 2> names(Noise) {
  return {{{"known", Noise::Known}, {"estimated", Noise::Estimated}}};
}

struct FitOptions {
  double level = 0.95;  ///< of the intervals, in (0, 1)
  Noise noise = Noise::Known;
  double significance = 0.01;  ///< a test that good fits fail less often than this rejects, [0, 1)
  int starts = 12;         ///< the given one, and up to 9999 others over the range of the search
  std::uint64_t seed = 1;  ///< of those; the same everywhere
  int max_iterations = 200;
  /// Step of the central differences in units of a parameter (of ln x, if logarithmic); none:
  /// ∛accuracy, where truncation h² and the error accuracy/h of the model are about the same.
  std::optional<double> step = {};
  /// Asked before every evaluation of the model: true ends the search with what it has found.
  std::function<bool()> stop = {};
};

template <Same<FitOptions> Options>
void fields(Options& options, auto&& visit) {
  visit(Field{"level", "of the intervals", Range::between(0.0, 1.0)}, options.level);
  visit(Field{"noise", "whether sigma is true, or only its ratios are"}, options.noise);
  visit(
      Field{"starts", "searches, the first one from the given start", Range::closed(1.0, 10'000.0)},
      options.starts);
  visit(Field{"seed", "of the other starts", Range::not_negative()}, options.seed);
  visit(Field{"max_iterations", "of each search", Range::closed(1.0, 1e6)}, options.max_iterations);
  visit(Field{"step", "of the differences, in units of a parameter",
              Range{.lowest = 0.0, .highest = 0.5, .above = true}},
        options.step);
  visit(Field{"significance", "a test that good fits fail less often than this rejects",
              Range{.lowest = 0.0, .highest = 1.0, .below = true}},
        options.significance);
}

enum class AtBound { No, Lower, Upper };
constexpr Names<AtBound, 3> names(AtBound) {
  return {{{"no", AtBound::No}, {"lower", AtBound::Lower}, {"upper", AtBound::Upper}}};
}

/// What is known about one parameter. Where it is at a bound, or not identifiable, the last three
/// are NaN: the others then hold with this one where it is.
struct Estimate {
  double value = 0.0;
  AtBound at_bound = AtBound::No;
  bool identifiable = true;  ///< false: the measurements do not determine it
  double standard_error = 0.0;
  double lower = 0.0;  ///< of the interval, never beyond a bound
  double upper = 0.0;
};

/// A point where the search ended other than the best one.
struct OtherMinimum {
  Vector parameters = {};
  double sum_of_squares = 0.0;
  bool near = false;  ///< the measurements cannot tell it from the best at this level
  int starts = 0;     ///< that ended there
};

/// Whether the model meets the means of repeated measurements as well as these scatter. Pure error
/// is Σ w (y − ȳ)² over repeats; what else is in the sum of squares is lack of fit. Their mean
/// squares have a ratio F, distributed as Fisher's where the model is true (Draper & Smith,
/// Applied Regression Analysis, section 2.1). It does not need the size of sigma.
struct LackOfFit {
  double F = 0.0;
  int freedom = 0;             ///< of the lack of fit: different quantities − rank
  int pure_error_freedom = 0;  ///< measurements − different quantities
  double probability = 1.0;    ///< that F is so large by chance
};

/// What the searches took.
struct FitSearch {
  int starts = 0;  ///< that were made
  int converged_starts = 0;
  int best_starts = 0;          ///< that ended at the best
  long iterations = 0;          ///< of all starts
  long evaluations = 0;         ///< of the model
  long failed_evaluations = 0;  ///< steps into where it has no answer were taken back
  double step = 0.0;            ///< of the differences, in units of a parameter
};

enum class FitStatus {
  Converged,
  Rejected,      ///< converged, but the measurements contradict the model: see the tests of Fit
  Ambiguous,     ///< converged, but another minimum explains the measurements as well: see others
  Interrupted,   ///< stopped; the best point so far, if there is one
  NotConverged,  ///< limit of iterations; the best point so far
  Failed,        ///< the model gave no answer where it was needed; see `failure`
};
constexpr Names<FitStatus, 6> names(FitStatus) {
  return {{{"converged", FitStatus::Converged},
           {"rejected", FitStatus::Rejected},
           {"ambiguous", FitStatus::Ambiguous},
           {"interrupted", FitStatus::Interrupted},
           {"not_converged", FitStatus::NotConverged},
           {"failed", FitStatus::Failed}}};
}

/// min Σ ((model_k(x) − measured_k)/σ_k)² within bounds, by a trust-region method (Ceres Solver).
/// Where a logarithmic parameter has no bound the search ends six decades from its start.
struct Fit {
  std::vector<Estimate> estimates = {};
  Matrix correlation = {};  ///< of the estimates; NaN where there are none
  Vector predicted = {};
  Vector residual = {};  ///< (measured − predicted)/σ
  FitStatus status = FitStatus::Failed;

  double sum_of_squares = 0.0;                ///< Σ residual²
  int degrees_of_freedom = 0;                 ///< measurements − rank
  double noise = 1.0;                         ///< σ is to be multiplied by it; 1 where known
  std::optional<double> probability = {};     ///< known noise: that χ² is so large by chance
  std::optional<LackOfFit> lack_of_fit = {};  ///< where measurements were repeated
  int rank = 0;  ///< of the Jacobian, columns scaled; below the number of free parameters: see next
  /// Directions in which parameters can move together unnoticed, one column each, largest entry 1:
  /// changes in units of the parameters, of ln x where logarithmic.
  Matrix unnoticed = {};

  std::vector<OtherMinimum> others = {};  ///< ascending sums of squares
  FitSearch search = {};
  std::string failure = {};  ///< the last reason the model gave

  bool ok() const { return status == FitStatus::Converged; }
};

/// Throws InvalidInput where the problem makes no sense, and what the model throws at the start.
Fit least_squares(const LeastSquaresProblem& given, const FitOptions& options = {});

}  // namespace percute::fit

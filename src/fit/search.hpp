// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/fit/least_squares.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace percute::fit {

/// The coordinates y in which parameters are searched, all of order one: x = u y, or x = exp(y).
class Coordinates {
 public:
  explicit Coordinates(const std::vector<Parameter>& parameters) : parameters_(&parameters) {
    const auto n = static_cast<Eigen::Index>(parameters.size());
    start_.resize(n);
    lower_.resize(n);
    upper_.resize(n);
    for (Eigen::Index j = 0; j < n; ++j) {
      start_[j] = inside(j, at(j).start);
      lower_[j] = inside(j, at(j).lower);
      upper_[j] = inside(j, at(j).upper);
    }
  }

  Eigen::Index size() const { return start_.size(); }
  const Vector& start() const { return start_; }
  const Vector& lower() const { return lower_; }
  const Vector& upper() const { return upper_; }

  /// x of one parameter; exactly at a bound where y is.
  double outside(Eigen::Index j, double y) const {
    const Parameter& parameter = at(j);
    if (y <= lower_[j]) return parameter.lower;
    if (y >= upper_[j]) return parameter.upper;
    const double x = parameter.scale == Scale::Logarithmic ? std::exp(y) : unit(j) * y;
    return std::clamp(x, parameter.lower, parameter.upper);
  }
  Vector outside(const Vector& y) const {
    Vector x(y.size());
    for (Eigen::Index j = 0; j < y.size(); ++j) x[j] = outside(j, y[j]);
    return x;
  }
  /// dx/dy.
  double slope(Eigen::Index j, double y) const {
    return at(j).scale == Scale::Logarithmic ? std::exp(y) : unit(j);
  }

 private:
  const Parameter& at(Eigen::Index j) const { return (*parameters_)[static_cast<std::size_t>(j)]; }
  double unit(Eigen::Index j) const {
    const Parameter& parameter = at(j);
    if (parameter.unit > 0.0) return parameter.unit;
    if (parameter.start != 0.0) return std::abs(parameter.start);
    const double range = parameter.upper - parameter.lower;
    return std::isfinite(range) && range > 0.0 ? range : 1.0;
  }
  double inside(Eigen::Index j, double x) const {
    return at(j).scale == Scale::Logarithmic ? std::log(x) : x / unit(j);
  }

  const std::vector<Parameter>* parameters_;
  Vector start_;
  Vector lower_;  ///< −∞ where there is none, and for ln 0
  Vector upper_;
};

/// The residuals r(y) = (model(x(y)) − measured)/σ and their derivatives.
class Residuals {
 public:
  Residuals(const LeastSquaresProblem& problem, const Coordinates& coordinates,
            const FitOptions& options)
      : problem_(&problem), coordinates_(&coordinates), options_(&options) {}

  Eigen::Index size() const { return problem_->measured.size(); }

  /// False where the model has no answer, or the search was stopped. What it throws as InvalidInput
  /// is no answer either: a law may refuse what a parameter has become.
  /// `last`: even then.
  bool evaluate(const Vector& y, Vector& r, bool last = false);

  /// Central differences; at a bound, and next to where the model has no answer, the one-sided
  /// formula of the same order (−3 r(0) + 4 r(h) − r(2h))/2h. False where neither can be had.
  bool jacobian(const Vector& y, Matrix& J);

  /// Of the differences: ∛ of the model's accuracy, unless it was given.
  double step() const;
  /// What an entry in each row of the Jacobian may be by the model's own error alone, at the last
  /// point: ten times accuracy/h, as the accuracy bounds the errors of values, not of differences.
  Vector row_error() const;

  /// Whether the caller's stop has refused a value.
  bool stopped = false;
  long evaluations = 0;
  long failed_evaluations = 0;
  std::string failure = {};

 private:
  bool derivative(const Vector& y, Eigen::Index j, const Vector& r, Eigen::Ref<Vector> column);

  const LeastSquaresProblem* problem_;
  const Coordinates* coordinates_;
  const FitOptions* options_;
  double accuracy_ = 0.0;
  Vector last_y_ = {};  ///< asked for again with the derivatives
  Vector last_r_ = {};
};

/// Where a search from one starting point ended.
struct Descent {
  Vector y = {};
  Vector residual = {};  ///< empty where the model had no answer at the start
  FitStatus status = FitStatus::Failed;
  long iterations = 0;

  double sum_of_squares() const { return residual.squaredNorm(); }
};

/// Levenberg–Marquardt within the bounds. `scale` divides the residuals, so that the solver sees
/// numbers of order one whatever their unit.
Descent descend(Residuals& residuals, const Coordinates& coordinates, const Vector& start,
                double scale, int max_iterations);

}  // namespace percute::fit

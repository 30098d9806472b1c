// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "fit/coordinates.hpp"

#include <string>

namespace percute::fit {

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

}  // namespace percute::fit

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "fit/residuals.hpp"

namespace percute::fit {

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

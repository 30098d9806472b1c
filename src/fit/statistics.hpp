// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "fit/search.hpp"

namespace percute::fit {

/// Intervals, correlations and identifiability at the point y, from the Jacobian J there, whose
/// entries in row k mean nothing up to row_error[k].
void add_statistics(const Coordinates& coordinates, const FitOptions& options, const Vector& y,
                    const Matrix& J, const Vector& row_error, double step, Fit& fit);

/// The test that repeated measurements allow; nothing where there are none, where they do not
/// scatter, or where parameters take up all there is.
std::optional<LackOfFit> lack_of_fit(const LeastSquaresProblem& problem, const Fit& fit);

/// Factor on standard errors that makes an interval of the level of the options.
double quantile(const FitOptions& options, int degrees_of_freedom);

}  // namespace percute::fit

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "fit/residuals.hpp"

namespace percute::fit {

/// Intervals, correlations and identifiability at the point y, from the Jacobian J there.
void add_statistics(const Coordinates& coordinates, const FitOptions& options, const Vector& y,
                    const Matrix& J, double column_error, double step, Fit& fit);

/// Factor on standard errors that makes an interval of the level of the options.
double quantile(const FitOptions& options, int degrees_of_freedom);

}  // namespace percute::fit

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

namespace percute::numerics {

// What confidence intervals need of the normal, Student's t and χ² distributions, to about 1e-12.
// Arguments out of range throw std::invalid_argument.

/// x with P(X ≤ x) = probability, in (0, 1), for a standard normal X: 1.959964 at 0.975.
double normal_quantile(double probability);

/// The same for Student's t with `freedom` > 0 degrees of freedom: 12.706 at 0.975 for one.
double student_t_quantile(double probability, double freedom);

/// P(X > x) of χ² with `freedom` > 0 degrees of freedom.
double chi_squared_tail(double x, double freedom);

}  // namespace percute::numerics

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

namespace percute::numerics {

// What confidence intervals and tests need of the normal, Student's t, χ² and F distributions, to
// about 1e-12.
// Arguments out of range throw std::invalid_argument.

/// x with P(X ≤ x) = probability, in (0, 1), for a standard normal X: 1.959964 at 0.975.
double normal_quantile(double probability);

/// The same for Student's t with `freedom` > 0 degrees of freedom: 12.706 at 0.975 for one.
double student_t_quantile(double probability, double freedom);

/// P(X > x) of χ² with `freedom` > 0 degrees of freedom.
double chi_squared_tail(double x, double freedom);

/// P(X > x) of Fisher's F, a ratio of mean squares with these degrees of freedom > 0: 0.05 at
/// 161.4476 for (1, 1).
double f_tail(double x, double above, double below);

}  // namespace percute::numerics

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/numerics/linear_algebra.hpp>

#include <functional>

namespace percute::analysis {

/// Minimises a function on the unit cube by the simplex method (Nelder, Mead 1965), from a point
/// and steps of size `step` along the axes. `x` becomes the best point; its value is returned.
double nelder_mead(const std::function<double(const Vector&)>& function, double step,
                   int evaluations, Vector& x);

}  // namespace percute::analysis

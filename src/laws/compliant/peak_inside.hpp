// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "numerics/bracketed_root.hpp"

namespace percute::laws {

/// Where the force F(θ) is largest inside a step, 0 < θ < until: where dF/dθ, by central
/// differences on the dense output, changes its sign. −1 if it does not.
template <class Force>
double peak_inside(Force&& F, double until) {
  constexpr double kDifference = 1e-4;
  const double d = kDifference * until;
  const auto growth = [&](double theta) { return F(theta + d) - F(theta - d); };
  if (!(growth(d) > 0.0 && growth(until - d) < 0.0)) return -1.0;
  return numerics::bracketed_root(growth, d, until - d, 1e-14);
}

}  // namespace percute::laws

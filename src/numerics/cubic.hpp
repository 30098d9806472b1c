// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

namespace percute::numerics {

/// Cubic on [0, h] with values v and slopes a at its ends.
struct Cubic {
  double h = 0.0;
  double v0 = 0.0;
  double v1 = 0.0;
  double a0 = 0.0;
  double a1 = 0.0;

  double operator()(double s) const {
    const double x = s / h;
    const double y = 1.0 - x;
    return y * y * ((1.0 + 2.0 * x) * v0 + x * h * a0) +
           x * x * ((1.0 + 2.0 * y) * v1 - y * h * a1);
  }
  double slope(double s) const {
    const double x = s / h;
    const double y = 1.0 - x;
    return 6.0 * x * y * (v1 - v0) / h + y * (1.0 - 3.0 * x) * a0 + x * (1.0 - 3.0 * y) * a1;
  }
};

}  // namespace percute::numerics

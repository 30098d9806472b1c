// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <algorithm>
#include <cmath>

namespace percute::numerics {

/// Root of a continuous scalar function in [a, b] where g(a) and g(b) have opposite signs (or one
/// is 0): regula falsi in its Illinois variant, with a bisection every third step so that flat
/// roots cannot stall it. Stops at an interval of `width` or at an exact zero.
template <class Function>
double bracketed_root(Function&& g, double a, double b, double width) {
  double ga = g(a);
  double gb = g(b);
  if (ga == 0.0) return a;
  if (gb == 0.0) return b;
  for (int i = 0; i < 100 && std::abs(b - a) > width; ++i) {
    // Illinois variant of regula falsi, with a bisection every third step.
    double x = (i % 3 == 2) ? 0.5 * (a + b) : b - gb * (b - a) / (gb - ga);
    if (!(x > std::min(a, b) && x < std::max(a, b))) x = 0.5 * (a + b);
    const double gx = g(x);
    if (gx == 0.0) return x;
    if ((gx > 0.0) == (gb > 0.0)) {
      ga *= 0.5;
    } else {
      a = b;
      ga = gb;
    }
    b = x;
    gb = gx;
  }
  return b;
}

}  // namespace percute::numerics

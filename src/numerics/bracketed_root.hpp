// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <algorithm>
#include <cmath>

namespace percute::numerics {

/// Root of a continuous scalar function in [a, b] where g(a) and g(b) have opposite signs (or one
/// is 0), to `width`: inverse quadratic interpolation through the last three places where it can be
/// trusted, else bisection (Chandrupatla, Adv. Eng. Software 28, 1997); the first step is a secant.
template <class Function>
double bracketed_root(Function&& g, double a, double b, double width) {
  double ga = g(a);
  double gb = g(b);
  if (ga == 0.0) return a;
  if (gb == 0.0) return b;
  double c = b;  // the place before
  double gc = gb;
  double part = ga / (ga - gb);
  for (int i = 0; i < 200; ++i) {
    // Not nearer to either end than the root is to be known.
    const double least = 0.5 * width / std::abs(b - a);
    if (least > 0.5) break;
    const double x = a + std::clamp(part, least, 1.0 - least) * (b - a);
    const double gx = g(x);
    if (gx == 0.0) return x;
    if ((gx > 0.0) == (ga > 0.0)) {
      c = a;
      gc = ga;
    } else {
      c = b;
      gc = gb;
      b = a;
      gb = ga;
    }
    a = x;
    ga = gx;
    const double place = (a - b) / (c - b);
    const double value = (ga - gb) / (gc - gb);
    const bool straight = value * value < place && (1.0 - value) * (1.0 - value) < 1.0 - place;
    part = straight ? ga / (gb - ga) * gc / (gb - gc) +
                          (c - a) / (b - a) * ga / (gc - ga) * gb / (gc - gb)
                    : 0.5;
  }
  return std::abs(ga) < std::abs(gb) ? a : b;
}

}  // namespace percute::numerics

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

// Zeros of functions of one variable: between two places, the first of a step; and a cubic.

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

/// Does the cubic through (0, g0) and (1, g1) with slopes d0, d1 dip below zero between its ends?
/// A cheap screen for functions that touch zero and return within one step; it errs on the side of
/// suspicion.
inline bool may_dip_below_zero(double g0, double d0, double g1, double d1) {
  if (!(d0 < 0.0 && d1 > 0.0)) return false;
  // The end tangents meet below any convex arc.
  const double theta = (g1 - d1 - g0) / (d0 - d1);
  if (!(theta > 0.0 && theta < 1.0)) return false;
  return g0 + d0 * theta < 0.0;
}

/// Least value of a smooth function on [a, b] by golden sections, to the width at which its values
/// no longer change (a minimum is flat).
template <class Function>
double minimiser(Function&& g, double a, double b) {
  constexpr double kGolden = 0.61803398874989485;
  double left = b - kGolden * (b - a);
  double right = a + kGolden * (b - a);
  double g_left = g(left);
  double g_right = g(right);
  for (int i = 0; i < 36; ++i) {
    if (g_left < g_right) {
      b = right;
      right = left;
      g_right = g_left;
      left = b - kGolden * (b - a);
      g_left = g(left);
    } else {
      a = left;
      left = right;
      g_left = g_right;
      right = a + kGolden * (b - a);
      g_right = g(right);
    }
  }
  return g_left < g_right ? left : right;
}

/// A place with the value of the function there.
struct CrossingEnd {
  double theta = 0.0;
  double value = 0.0;
};

/// First zero in (from, 1] of a function that is positive just after `from`; 2 if there is none.
/// Samples, looks between them for dips, and brackets. `armed` false means that g(from) counts as
/// zero, already left behind: the search begins where g has become positive, however briefly.
/// `root(CrossingEnd, CrossingEnd)` is to find a zero of g between places where it has opposite
/// signs.
template <class Function, class Root>
double first_crossing(Function&& g, double from, bool armed, Root&& root) {
  constexpr int kSamples = 12;  // about two per possible extremum of a polynomial of degree 7
  double oldest = from;
  double left = from;
  double g_oldest = armed ? g(from) : 0.0;
  double g_left = g_oldest;
  bool positive = armed;
  for (int s = 1; s <= kSamples; ++s) {
    const double theta = from + (1.0 - from) * s / kSamples;
    const double value = g(theta);
    if (positive && value <= 0.0) {
      return root(CrossingEnd{.theta = left, .value = g_left},
                  CrossingEnd{.theta = theta, .value = value});
    }
    if (positive && g_left < g_oldest && g_left < value) {
      // A minimum lies between the neighbours of `left`.
      const double lowest = minimiser(g, oldest, theta);
      const double least = g(lowest);
      if (least <= 0.0) {
        return root(CrossingEnd{.theta = oldest, .value = g_oldest},
                    CrossingEnd{.theta = lowest, .value = least});
      }
    }
    positive = positive || value > 0.0;
    oldest = left;
    g_oldest = g_left;
    left = theta;
    g_left = value;
  }
  if (!positive) {
    // Perhaps positive only at the very beginning.
    double width = (1.0 - from) / kSamples;
    while (width > 1e-12) {
      const double middle = from + 0.5 * width;
      if (const double value = g(middle); value > 0.0) {
        return root(CrossingEnd{.theta = middle, .value = value},
                    CrossingEnd{.theta = from + width, .value = g(from + width)});
      }
      width *= 0.5;
    }
  }
  return 2.0;
}

template <class Function>
double first_crossing(Function&& g, double from, bool armed) {
  return first_crossing(g, from, armed, [&](CrossingEnd a, CrossingEnd b) {
    return numerics::bracketed_root(g, a.theta, b.theta, 1e-14);
  });
}

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

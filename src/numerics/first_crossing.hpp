// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "numerics/bracketed_root.hpp"

#include <array>
#include <cmath>

namespace percute::numerics {

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

}  // namespace percute::numerics

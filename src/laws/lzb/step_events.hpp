// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/numerics/bracketed_root.hpp>

#include <algorithm>
#include <cmath>

namespace percute::laws {

/// Does the cubic through (0, g0) and (1, g1) with slopes d0, d1 dip below `level` between its ends?
/// A cheap screen for functions that touch zero and return within one step; the margin errs on the
/// side of suspicion.
inline bool cubic_dips_below(double g0, double d0, double g1, double d1, double level) {
  if (!(d0 < 0.0 && d1 > 0.0)) return false;
  // Lower bound of a convex-like arc: where the end tangents meet.
  const double theta = (g1 - d1 - g0) / (d0 - d1);
  if (!(theta > 0.0 && theta < 1.0)) return false;
  return g0 + d0 * theta < level;
}

/// First zero of g on (0, 1], g(0) > 0, found by sampling and bracketing; 2 if there is none.
/// `armed` false means that g(0) is a zero already left behind: the search starts once g is positive.
template <class Function>
double first_crossing(Function&& g, bool armed) {
  constexpr int kSamples = 12;  // two per possible extremum of a polynomial of degree 7
  double left = 0.0;
  bool positive = armed;
  for (int s = 1; s <= kSamples; ++s) {
    const double theta = static_cast<double>(s) / kSamples;
    const double value = g(theta);
    if (value > 0.0) {
      positive = true;
      left = theta;
    } else if (positive) {
      return numerics::bracketed_root(g, left, theta, 1e-15);
    }
  }
  return 2.0;
}

}  // namespace percute::laws

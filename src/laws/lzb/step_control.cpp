// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/lzb/step_control.hpp"

#include <algorithm>
#include <cmath>

namespace percute::laws {

namespace {

/// A landing begins when the opening is nearer than this part of the step …
constexpr double kLandingReach = 1.8;
/// … and steps in time keep this part of the distance to it.
constexpr double kOpeningDistance = 0.6;
/// Growth of steps in √τ: a step reaches three times as far from the start as the one before.
constexpr double kStartGrowth = 0.75;

}  // namespace

void StepControl::begin(double time_scale, double growth) {
  fraction = 1.0;
  landing_blocked = false;
  first = time_scale * std::min(0.3, 1.0 / growth);
  dt = first;
}

void StepControl::begin_landing(double xi, int radical) {
  x = radical == 2 ? std::sqrt(xi) : xi;
  fraction = 1.0;
}

bool StepControl::lands(const Opening& opening, double length, int landing, int radical) const {
  // What starts is smooth in √τ only.
  if (landing < 0 && radical == 2) return false;
  // The variable is good where the rate of the contact changes little on the way.
  const bool straight = opening.growth > 0.25 && opening.growth < 4.0 && !landing_blocked;
  return straight && (landing == opening.contact || length > kLandingReach * opening.time_left);
}

double StepControl::short_of(double time_left, double length) {
  return std::min(length, kOpeningDistance * time_left);
}

double StepControl::in_time(double length, int radical) {
  dt = length;
  return radical == 1 ? length : std::sqrt(x * x + length) - x;
}

bool StepControl::shorten_landing(double factor) {
  fraction *= factor;
  landing_blocked = landing_blocked || fraction < 1e-3;
  return !(fraction < 1e-3);
}

void StepControl::lengthen_landing(double h, double growth) {
  fraction = std::abs(h) * growth / x;
  // Two equal steps rather than a long one and a tiny one.
  fraction = fraction >= 1.0 ? 1.0 : std::min(fraction, 0.55);
}

bool StepControl::lengthen(double h, double growth, int radical) {
  if (x == 0.0) return false;  // a new segment has begun: keep the natural step
  if (radical == 1) {
    dt = h * growth;
    return false;
  }
  const double next = x + h * std::min(growth, kStartGrowth);
  dt = next * next - x * x;
  return h * growth * 2.0 * x < x * x;
}

}  // namespace percute::laws

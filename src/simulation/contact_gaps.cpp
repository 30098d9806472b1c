// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "simulation/contact_gaps.hpp"

#include "simulation/smooth_gap.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace percute::simulation {

namespace {

constexpr double kEps = std::numeric_limits<double>::epsilon();
/// Of a distance that was integrated, in units of its rounding: what a step leaves.
constexpr double kOfDistance = 0.05;
/// Contacts close at the same instant if all but this part of their ways is behind them.
constexpr double kSimultaneous = 1e-6;
/// Contacts are held where their gaps are this part of those that close together.
constexpr double kOfGrouping = 1e-3;

}  // namespace

ContactGaps::ContactGaps(const AnySystem& system, const std::optional<double>& grouping,
                         EventDrivenMemory& memory)
    : system_(system),
      grouping_(grouping),
      length_(scene_length(system, memory.origin)),
      now_{.gaps = Vector(system.contacts()),
           .rates = Vector(system.contacts()),
           .gradients = Matrix(system.coordinates(), system.contacts())},
      end_(now_),
      noise_(system.contacts()),
      rate_noise_(system.contacts()),
      widest_(memory.widest),
      depth_(memory.depth),
      reach_(memory.reach),
      inside_(system.contacts()),
      rounding_(system.coordinates()),
      column_(system.coordinates()) {}

std::vector<int> ContactGaps::begin() {
  std::vector<int> closed;
  for (int i = 0; i < now_.gaps.size(); ++i) {
    widest_[i] = std::max(now_.gaps[i], 0.0);
    if (now_.gaps[i] > (grouping_ ? hold_gap(i) : kTenDigits * length_)) continue;
    // Closed to the digits that were written: from now on by the same rule as after any flight.
    widest_[i] = length_;
    closed.push_back(i);
  }
  return closed;
}

/// Rounding of gaps: of the coordinates they are made of, and, where these come back to 0, of the
/// distances that were integrated.
void ContactGaps::measure(const MotionState& state, GapsAtEnd& at) {
  system_.gaps(state.q, at.gaps);
  rounding_ = kEps * (8.0 * state.q.cwiseAbs() + kOfDistance * reach_);
  for (int i = 0; i < at.gaps.size(); ++i) {
    system_.gradient(i, state.q, column_);
    at.gradients.col(i) = column_;
    at.rates[i] = column_.dot(state.v);
    noise_[i] = column_.cwiseAbs().dot(rounding_);
    rate_noise_[i] = 1e-13 * column_.cwiseAbs().dot(state.v.cwiseAbs());
  }
}

void ContactGaps::follow(double h) {
  for (int i = 0; i < now_.gaps.size(); ++i) {
    widest_[i] = std::max(widest_[i], peak(i, h));
    if (now_.gaps[i] > noise_[i]) depth_[i] = 0.0;
  }
}

/// Widest gap in the step just taken: on the cubic through both ends.
double ContactGaps::peak(int i, double h) const {
  const double rise = h * end_.rates[i];
  const double fall = h * now_.rates[i];
  if (!(rise > 0.0 && fall < 0.0)) return std::max(now_.gaps[i], end_.gaps[i]);
  const double jump = now_.gaps[i] - end_.gaps[i];
  const double b = 3.0 * jump - 2.0 * rise - fall;
  const double c = rise + fall - 2.0 * jump;
  const double x = rise / (std::sqrt(b * b - 3.0 * rise * c) - b);
  return end_.gaps[i] + x * (rise + x * (b + x * c));
}

/// A part of the way that the contact came, never less than the last digits of the scene's lengths.
double ContactGaps::hold_gap(int i) const {
  const double closed = grouping_ ? *grouping_ : kSimultaneous * widest_[i];
  return std::max(kOfGrouping * closed, last_digits(i));
}

double ContactGaps::grouping_gap(int i, int struck) const {
  if (grouping_) return *grouping_;
  const double way = struck < 0 ? widest_[i] : std::min(widest_[i], widest_[struck]);
  return std::max(kSimultaneous * way, last_digits(i));
}

bool ContactGaps::nearly_closed(int i, int struck) const {
  return !grouping_ && now_.gaps[i] <= kSimultaneous * std::min(widest_[struck], length_) &&
         widest_[i] <= 2.0 * now_.gaps[i];
}

bool ContactGaps::smooth(int i, double h, const MotionState& now, const Vector& acceleration,
                         const MotionState& end, const Vector& end_acceleration) const {
  const auto at = [&](const GapsAtEnd& gaps, const MotionState& state, const Vector& a) {
    return GapAt{
        .gap = gaps.gaps[i],
        .rate = gaps.rates[i],
        .acceleration = gaps.gradients.col(i).dot(a) + system_.gap_curvature(i, state.q, state.v)};
  };
  const GapDeviation deviation =
      gap_deviation(at(now_, now, acceleration), at(end_, end, end_acceleration), h);
  return !(deviation.error > deviation.allowed + noise_[i]);
}

void ContactGaps::begin_ways(const std::vector<int>& struck) {
  for (const int i : struck) widest_[i] = 0.0;
  for (int i = 0; i < now_.gaps.size(); ++i) {
    if (touches(i)) widest_[i] = std::max(now_.gaps[i], 0.0);
  }
}

}  // namespace percute::simulation

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "simulation/scene.hpp"

#include <percute/simulation/memory.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

namespace percute::simulation {

/// Gaps at one end of a step.
struct GapsAtEnd {
  Vector gaps;
  Vector rates;
  Matrix gradients;  ///< by column
};

/// Gaps of contacts and their rates, now and at the other end of a step: what of them is rounding,
/// and which gaps count as closed.
class ContactGaps {
 public:
  /// `grouping`: gaps up to this are closed together, m; empty: a part of the way they came.
  /// `memory`: how wide and deep contacts were is kept there; distances of coordinates are read.
  ContactGaps(const AnySystem& system, const std::optional<double>& grouping,
              EventDrivenMemory& memory);
  /// The first ways of contacts; returns those that touch.
  std::vector<int> begin();

  void measure(const MotionState& now) { measure(now, now_); }
  /// At the end of a step being judged.
  void measure_end(const MotionState& end) { measure(end, end_); }
  /// The step is taken: what is now is its end, and the other end where it began.
  void turn_step() { std::swap(now_, end_); }
  /// Ways and depths after that step of length h, its end measured.
  void follow(double h);
  /// Gaps at some position.
  const Vector& inside(const Vector& q) {
    system_.gaps(q, inside_);
    return inside_;
  }

  const Vector& gaps() const { return now_.gaps; }
  const Vector& rates() const { return now_.rates; }
  double gap(int i) const { return now_.gaps[i]; }
  double rate(int i) const { return now_.rates[i]; }
  double noise(int i) const { return noise_[i]; }
  double rate_noise(int i) const { return rate_noise_[i]; }
  double length() const { return length_; }  ///< of the scene, where the run began

  bool approaches(int i) const { return now_.rates[i] < -rate_noise_[i]; }
  /// Gaps up to this are closed when contacts are held: the projection onto them moves no more.
  double hold_gap(int i) const;
  bool touches(int i) const { return now_.gaps[i] <= hold_gap(i); }
  /// Contact i takes part in the impact of another if it approaches and its gap is not wider.
  double grouping_gap(int i, int struck) const;
  /// Whether contact i has never been closed, and is open by nothing beside the way of `struck`.
  bool nearly_closed(int i, int struck) const;
  /// Rebounds of contact i up to this cannot be told from contact: they rise by no more than
  /// rounding of the gap before the acceleration takes them back, U² = 2 |a| h.
  double lowest_rebound(int i, double acceleration) const {
    const double back = std::min(acceleration, 0.0);
    return std::max(rate_noise_[i], std::sqrt(2.0 * -back * kUnseen * noise_[i]));
  }
  /// How deep contact i may be: as when it was released, if it has not opened since, or as
  /// rounding.
  double deepest(int i) const { return depth_[i] > 0.0 ? depth_[i] : noise_[i]; }
  /// Whether contact i cannot have closed in a step: far from 0 beside what its rate covers.
  bool surely_open(int i, double h) const {
    return std::min(now_.gaps[i], end_.gaps[i]) >
           1.5 * h * (std::abs(now_.rates[i]) + std::abs(end_.rates[i])) + noise_[i];
  }
  /// Whether looks at the gap in the step see all of it; both ends are measured, and accelerations
  /// there are given.
  bool smooth(int i, double h, const MotionState& now, const Vector& acceleration,
              const MotionState& end, const Vector& end_acceleration) const;

  /// Ways of contacts that have been closed, by an impact or without, begin anew.
  void begin_ways(const std::vector<int>& struck);
  /// Contact i is closed, and held no longer.
  void release(int i) { depth_[i] = hold_gap(i) + std::max(-now_.gaps[i], 0.0); }

 private:
  /// Gaps must open by this many times their rounding to be seen open.
  static constexpr double kUnseen = 4.0;
  /// Last digits of lengths.
  static constexpr double kDigits = 1e-13;

  void measure(const MotionState& state, GapsAtEnd& at);
  double last_digits(int i) const { return std::max(kDigits * length_, kUnseen * noise_[i]); }
  double peak(int i, double h) const;

  const AnySystem& system_;
  std::optional<double> grouping_;
  double length_;
  GapsAtEnd now_;
  GapsAtEnd end_;
  Vector noise_;
  Vector rate_noise_;
  Vector& widest_;       // gap since the contact was closed: the way it has to come back
  Vector& depth_;        // of contacts that were released and have not opened since
  const Vector& reach_;  // distances that were integrated, by coordinate
  Vector inside_;
  Vector rounding_;  // of coordinates
  Vector column_;    // memory to work in
};

}  // namespace percute::simulation

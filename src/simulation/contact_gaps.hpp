// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "simulation/scene.hpp"

#include <percute/simulation/memory.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace percute::simulation {

/// A gap h at one instant.
struct GapAt {
  double gap = 0.0;
  double rate = 0.0;          ///< h′
  double acceleration = 0.0;  ///< h″
};

/// Far ends of a body that turns move on circles, whatever the step of its centre: errors of q and
/// v do not tell how long a step may be. The trapezoidal rule with its first correction,
///
///     h₁ = h₀ + ½ s (h₀′ + h₁′) + s²/12 (h₀″ − h₁″) + O(s⁵),
///
/// has an error of 1e-3 of its terms where the motion turns by about 1 rad. Up to that, a few looks
/// at a gap within a step of length s see all that it does. Returns the error beyond it.
inline double deviation_from_smooth(const GapAt& from, const GapAt& to, double s) {
  constexpr double kPart = 1e-3;
  const double error = to.gap - from.gap - 0.5 * s * (from.rate + to.rate) -
                       s * s / 12.0 * (from.acceleration - to.acceleration);
  const double terms = std::max(std::min(from.gap, to.gap), 0.0) +
                       s * (std::abs(from.rate) + std::abs(to.rate)) +
                       s * s * (std::abs(from.acceleration) + std::abs(to.acceleration));
  return std::abs(error) - kPart * terms;
}

/// Open gaps in steps to come, on the parabola q + s v + ½ s² a with which these begin.
class GapOutlook {
 public:
  explicit GapOutlook(const AnySystem& system)
      : system_(system),
        start_{.q = Vector(system.coordinates()), .v = Vector(system.coordinates())},
        ahead_(start_),
        acceleration_(system.coordinates()),
        gaps_(system.contacts()),
        gradient_(system.coordinates()),
        size_(system.coordinates()) {}

  /// Steps are to begin at the state y, which has this slope; contacts are added after that.
  void begin(double time, const double* y, const double* slope) {
    const Eigen::Index n = acceleration_.size();
    start_.read(time, y);
    acceleration_ = Eigen::Map<const Vector>(slope + n, n);
    open_.clear();
    system_.gaps(start_.q, gaps_);
  }
  void add(int contact) {
    open_.push_back({.contact = contact, .start = gap_at(contact, gaps_[contact], start_)});
  }
  bool empty() const { return open_.empty(); }
  /// Whether these gaps are smooth in a step of length h from there, so that a few looks at them
  /// see all that they do.
  /// A whole turn looks like none from its ends; half of it does not.
  bool smooth(double h) {
    for (const double s : {h, 0.5 * h}) {
      ahead_.q = start_.q + s * (start_.v + 0.5 * s * acceleration_);
      ahead_.v = start_.v + s * acceleration_;
      system_.gaps(ahead_.q, gaps_);
      for (const OpenGap& open : open_) {
        const GapAt end = gap_at(open.contact, gaps_[open.contact], ahead_);
        const double deviation = deviation_from_smooth(open.start, end, s);
        if (deviation <= 0.0) continue;
        // Rounding of the gaps, and of rates that cancel.
        constexpr double kRounding = 64.0 * std::numeric_limits<double>::epsilon();
        size_ = ahead_.q.cwiseAbs() + start_.q.cwiseAbs() +
                s * (start_.v.cwiseAbs() + ahead_.v.cwiseAbs());
        const double noise = kRounding * gradient_.cwiseAbs().dot(size_);
        if (!(deviation <= noise)) return false;
      }
    }
    return true;
  }

 private:
  struct OpenGap {
    int contact = 0;
    GapAt start;
  };
  /// h′ = ∇h · v, h″ = ∇h · a + vᵀ ∇²h v.
  GapAt gap_at(int i, double gap, const MotionState& state) {
    system_.gradient(i, state.q, gradient_);
    return {
        .gap = gap,
        .rate = gradient_.dot(state.v),
        .acceleration = gradient_.dot(acceleration_) + system_.gap_curvature(i, state.q, state.v)};
  }

  const AnySystem& system_;
  std::vector<OpenGap> open_;
  MotionState start_;    ///< of the steps
  MotionState ahead_;    ///< in them
  Vector acceleration_;  ///< at their start
  Vector gaps_;
  Vector gradient_;
  Vector size_;
};

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
  /// The first ways of contacts; returns those that touch.
  std::vector<int> begin() {
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

  void measure(const MotionState& now) { measure(now, now_); }
  /// At the end of a step being judged.
  void measure_end(const MotionState& end) { measure(end, end_); }
  /// The step is taken: what is now is its end, and the other end where it began.
  void turn_step() { std::swap(now_, end_); }
  /// Ways and depths after that step of length h, its end measured.
  void follow(double h) {
    for (int i = 0; i < now_.gaps.size(); ++i) {
      widest_[i] = std::max(widest_[i], peak(i, h));
      if (now_.gaps[i] > noise_[i]) depth_[i] = 0.0;
    }
  }
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
  /// A part of the way that the contact came, never less than the last digits of the scene's
  /// lengths.
  double hold_gap(int i) const {
    const double closed = grouping_ ? *grouping_ : kSimultaneous * widest_[i];
    return std::max(kOfGrouping * closed, last_digits(i));
  }
  bool touches(int i) const { return now_.gaps[i] <= hold_gap(i); }
  /// Contact i takes part in the impact of another if it approaches and its gap is not wider.
  double grouping_gap(int i, int struck) const {
    if (grouping_) return *grouping_;
    const double way = struck < 0 ? widest_[i] : std::min(widest_[i], widest_[struck]);
    return std::max(kSimultaneous * way, last_digits(i));
  }
  /// Whether contact i has never been closed, and is open by nothing beside the way of `struck`.
  bool nearly_closed(int i, int struck) const {
    return !grouping_ && now_.gaps[i] <= kSimultaneous * std::min(widest_[struck], length_) &&
           widest_[i] <= 2.0 * now_.gaps[i];
  }
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
              const MotionState& end, const Vector& end_acceleration) const {
    const auto at = [&](const GapsAtEnd& gaps, const MotionState& state, const Vector& a) {
      return GapAt{.gap = gaps.gaps[i],
                   .rate = gaps.rates[i],
                   .acceleration =
                       gaps.gradients.col(i).dot(a) + system_.gap_curvature(i, state.q, state.v)};
    };
    return !(deviation_from_smooth(at(now_, now, acceleration), at(end_, end, end_acceleration),
                                   h) > noise_[i]);
  }

  /// Ways of contacts that have been closed, by an impact or without, begin anew.
  void begin_ways(const std::vector<int>& struck) {
    for (const int i : struck) widest_[i] = 0.0;
    for (int i = 0; i < now_.gaps.size(); ++i) {
      if (touches(i)) widest_[i] = std::max(now_.gaps[i], 0.0);
    }
  }
  /// Contact i is closed, and held no longer.
  void release(int i) { depth_[i] = hold_gap(i) + std::max(-now_.gaps[i], 0.0); }

 private:
  /// Gaps must open by this many times their rounding to be seen open.
  static constexpr double kUnseen = 4.0;
  /// Last digits of lengths.
  static constexpr double kDigits = 1e-13;
  static constexpr double kEps = std::numeric_limits<double>::epsilon();
  /// Of a distance that was integrated, in units of its rounding: what a step leaves.
  static constexpr double kOfDistance = 0.05;
  /// Contacts close at the same instant if all but this part of their ways is behind them.
  static constexpr double kSimultaneous = 1e-6;
  /// Contacts are held where their gaps are this part of those that close together.
  static constexpr double kOfGrouping = 1e-3;

  /// Rounding of gaps: of the coordinates they are made of, and, where these come back to 0, of the
  /// distances that were integrated.
  void measure(const MotionState& state, GapsAtEnd& at) {
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
  double last_digits(int i) const { return std::max(kDigits * length_, kUnseen * noise_[i]); }
  /// Widest gap in the step just taken: on the cubic through both ends.
  double peak(int i, double h) const {
    const double rise = h * end_.rates[i];
    const double fall = h * now_.rates[i];
    if (!(rise > 0.0 && fall < 0.0)) return std::max(now_.gaps[i], end_.gaps[i]);
    const double jump = now_.gaps[i] - end_.gaps[i];
    const double b = 3.0 * jump - 2.0 * rise - fall;
    const double c = rise + fall - 2.0 * jump;
    const double x = rise / (std::sqrt(b * b - 3.0 * rise * c) - b);
    return end_.gaps[i] + x * (rise + x * (b + x * c));
  }

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

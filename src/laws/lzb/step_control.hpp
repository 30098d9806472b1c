// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "laws/lzb/phase_rules.hpp"

namespace percute::laws {

/// Where an integration stands in its independent variable, and how far the next step may go.
///
/// The variable is time τ; √τ where contacts with fractional exponents start (radical 2); or √ξ, or
/// ξ, of the contact that opens next, which runs down to zero: a landing.
struct StepControl {
  /// Part of the user's tolerance allowed to one step: errors of a few dozen steps add up, and gap
  /// rates combine several impulses.
  static constexpr double kStepShare = 0.1;
  /// Part of the step that the error estimate would allow: a rejected step costs more than a short
  /// one.
  static constexpr double kSafety = 0.8;
  static constexpr double kMostGrowth = 6.0;
  /// Defect of the dense output, relative to the tolerance, above which no event is taken from it.
  /// It is about ten times the error there; values up to ten are common, useless dense output has
  /// 1e6.
  static constexpr double kLargestDefect = 30.0;

  double x = 0.0;
  double first = 0.0;            ///< step in τ at the start of a contact
  double dt = 0.0;               ///< next step in τ
  double fraction = 1.0;         ///< landing: part of the way to try
  bool landing_blocked = false;  ///< the last landing failed: approach in time first

  /// The natural first step; `growth` is that of a step with the tolerance for an error.
  void begin(double time_scale, double growth);
  /// The variable is time, counted from here.
  void count_time() {
    fraction = 1.0;
    x = 0.0;
  }
  /// The variable is √τ, in which nothing moves at first.
  template <class RK>
  void start_from_rest(RK& rk);
  /// Far enough from there: slopes in √τ become slopes in τ.
  template <class RK>
  void leave_start(RK& rk);
  /// The variable is that of an opening contact at ξ.
  void begin_landing(double xi, int radical);

  /// Whether to land at the next opening, rather than to go on by `length` in time. `landing` is
  /// the contact of the present landing, or −1, `radical` that of the present variable.
  bool lands(const Opening& opening, double length, int landing, int radical) const;
  /// Time steps keep their distance to what comes.
  static double short_of(double time_left, double length);
  /// The step in x that goes on by `length` in time.
  double in_time(double length, int radical);
  /// After a step that was too long. False once the landing makes no headway.
  bool shorten_landing(double factor);
  /// After a step h whose error allows the next to grow so much.
  void lengthen_landing(double h, double growth);
  /// Outside landings. True where a start can be left.
  bool lengthen(double h, double growth, int radical);
};

template <class RK>
void StepControl::start_from_rest(RK& rk) {
  dt = dt < first ? dt : first;
  for (int k = 0; k < rk.size(); ++k) rk.slope()[k] = 0.0;  // dτ/dx = 0 at x = 0
}

template <class RK>
void StepControl::leave_start(RK& rk) {
  const double pace = 2.0 * x;
  for (int k = 0; k < rk.size(); ++k) rk.slope()[k] /= pace;
  x = 0.0;
}

}  // namespace percute::laws

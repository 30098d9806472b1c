// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <limits>

namespace percute::numerics {

/// What HybridIntegrator asks beyond the slope, the norm of errors, the time scale and the guards,
/// and what it is told if a client has nothing to say.
struct HybridClient {
  static constexpr double kShortestStep = 1e-15;  ///< over the time scale
  /// Whether the client knows, as the program is compiled, how many components it may have: then
  /// with_size(use) calls use(own), where `own` has slope(), norm() and measure() for kSize of
  /// them, quadratures aside; 0 for any other number.
  static constexpr bool kSized = false;
  static constexpr int kSize = 0;
  /// Whether the client screens its guards, all of which are linear in the state, by both ends of a
  /// step, so that only few need a look. Then it has, in place of evaluate_guards() and linear(),
  ///
  ///     bool suspect()               whether guards() of them are to be looked at in this step
  ///     double at_start(int k)       the value of one at the start of the step
  ///     terms(int k, add)            its gradient: add(component, weight)
  ///
  /// and implicit steps get a dense output of the same kind as explicit ones.
  static constexpr bool kScreens = false;
  /// The scales of errors may grow by this state, the end of a step.
  void measure(const double* /*y*/) {}
  /// From the present state.
  double longest_step() { return std::numeric_limits<double>::infinity(); }
  /// Is an implicit step needed here? Such clients have stiff_frame() and stiff_part() of
  /// LowRankRadau.
  bool stiff() { return false; }
  /// Whether a step that has kept the tolerance is to be believed; else it is tried half as long.
  bool trusted() { return true; }

  /// Before each step. False if guards are those of the step before, and so is their meaning.
  bool prepare_guards() { return true; }
  /// A guard that begins a step at or below this has just been set: it must rise first.
  double unarmed(int /*k*/) const { return 0.0; }
  enum class Late { AtOnce, AtEnd, Ignore };
  /// What to do about one that has not risen in the step and is g < 0 at its end. An exact step
  /// ignores what is ignored here if another event ends it.
  Late late(int /*k*/, double /*g*/, double /*x*/) const { return Late::AtOnce; }
  /// Parts of the step to be looked at for events.
  int looks(double /*h*/) { return 1; }
  /// Whether guard k is linear in the state; w: its gradient.
  bool linear(int /*k*/, double* /*w*/) { return false; }
  /// Whether guard k is looked at at kCostlyLooks places only, and not between; looks() is a
  /// multiple of it then.
  bool costly(int /*k*/) const { return false; }
  static constexpr int kCostlyLooks = 4;
  /// evaluate_guards() may have one more argument: the guard that is wanted, or one of these.
  static constexpr int kAllGuards = -1;
  static constexpr int kCheapGuards = -2;

  /// Whether events are located to rounding: parts of a step are looked at on the dense output from
  /// the beginning, and the step up to an event is taken again, its length corrected.
  bool exact() const { return false; }
  /// An exact step must end where guard k is already below 0.
  bool oversteps(int /*k*/) const { return false; }

  /// The step is taken up to this part: outputs.
  void passed(double /*until*/) {}
  /// So it is; may change what slopes do not depend on.
  void accept(const double* /*from*/, double* /*to*/) {}
  /// Asked after a step that was rejected.
  bool interrupted() { return false; }
};

}  // namespace percute::numerics

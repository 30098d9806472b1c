// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "numerics/hybrid_integrator.hpp"
#include "simulation/contact_gaps.hpp"
#include "simulation/error_scales.hpp"
#include "simulation/held_contacts.hpp"

#include <cmath>
#include <vector>

namespace percute::simulation {

/// Motion between events, the set of held contacts fixed: steps, and what ends them. State of the
/// integrator: q, v, and the energy that sliding of held contacts has taken in the step.
class SmoothMotion : public numerics::HybridClient {
 public:
  /// What a step must not pass.
  struct Guard {
    enum class Kind {
      Gap,      ///< of a free contact reaches 0
      Load,     ///< a held contact would pull, or moves away
      Grip,     ///< friction of a sticking contact reaches its limit
      Sliding,  ///< stops
      Forces,   ///< no forces keep all held contacts as they are
    };
    Kind kind = Kind::Gap;
    int index = -1;      ///< contact, or place among those held
    double above = 0.0;  ///< gaps must be so wide: rounding, where it has not been seen open
  };

  /// References are kept; `now` is the present state, which events may change.
  SmoothMotion(const EventDriven& method, const AnySystem& system, MotionState& now,
               ContactGaps& gaps, HeldContacts& held, RunLedger& ledger);

  ErrorScales& scales() { return scales_; }
  const ErrorScales& scales() const { return scales_; }
  const Guard& guard(int k) const { return guards_[static_cast<std::size_t>(k)]; }
  double time() const { return integrator_.time(); }  ///< later than the state before take_step()
  double next_step() const { return integrator_.next_step(); }
  void set_next_step(double h) { integrator_.set_next_step(h); }
  double shortest_step() const { return integrator_.shortest(); }
  void set_time(double time);
  /// In the next step contact i, which closes without having been seen open, may sink until it
  /// approaches: the time in which it is open is too short to be seen.
  void let_sink(int i) { sinks_ = i; }

  /// Slopes, gaps and scales where velocities or the set of held contacts have changed. False where
  /// forces are not finite or masses not positive.
  bool restart();
  /// The length of the first step after that; `flight`: time until the next impact, as foreseen.
  void set_first_step(double flight);
  /// One step, to `limit` at most; take_step() follows if time has passed.
  numerics::HybridStep advance(double limit);
  bool take_step();
  void measure_gaps() { gaps_.measure(now_, scales_.reach()); }
  void note_sliding(int contact) { held_.note_sliding(contact, now_, integrator_.next_step()); }

  // What HybridIntegrator asks.
  bool slope(double t, double* y, double* out);
  double norm(const double* error) const { return scales_.norm(error); }
  void measure(const double* end) { scales_.measure(now_.q, end, integrator_.step()); }
  double time_scale() const { return std::abs(now_.time); }
  double longest_step() const { return system_.longest_step(now_.time); }
  bool trusted();
  bool exact() const { return true; }
  bool prepare_guards();
  int guards() const { return static_cast<int>(guards_.size()); }
  void evaluate_guards(double t, const double* y, double* g, int which);
  bool costly(int k) const { return guard(k).kind != Guard::Kind::Gap; }
  bool oversteps(int k) const { return costly(k); }
  Late late(int k, double g, double t) const;
  int looks(double h) const;
  void passed(double until);

 private:
  double closing_step(double h);
  double held_margin(const Guard& guard);

  const AnySystem& system_;
  MotionState& now_;
  ContactGaps& gaps_;
  HeldContacts& held_;
  RunLedger& ledger_;
  ErrorScales scales_;
  numerics::HybridIntegrator<SmoothMotion, 1> integrator_;
  int n_;
  std::vector<Guard> guards_;
  int sinks_ = -1;      // contact
  MotionState inside_;  // of a step
  Vector acceleration_;
  Vector end_acceleration_;
};

}  // namespace percute::simulation

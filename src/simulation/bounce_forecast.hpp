// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "simulation/accumulation.hpp"
#include "simulation/contact_gaps.hpp"
#include "simulation/held_contacts.hpp"

#include <percute/simulation/event_driven.hpp>

#include <vector>

namespace percute::simulation {

/// When bounces that become shorter and shorter will be over, and which rebounds are left out until
/// then, their contacts held closed.
class BounceForecast {
 public:
  /// Contacts that touch, ascending.
  struct Touching {
    std::vector<int> closed = {};    ///< do not leave, or are told to stay
    std::vector<int> rebounds = {};  ///< leave no faster than what may be cut off
  };

  /// Contacts whose bounces are left out from now on, ascending.
  struct Cut {
    std::vector<int> contacts = {};
    bool in_turns = false;  ///< they bounce because of each other
  };

  /// References are kept; `now` is the present state.
  BounceForecast(const EventDriven& method, const AnySystem& system, const AnyLaw& law,
                 const MotionState& now, const ContactGaps& gaps, HeldContacts& held,
                 const RunLedger& ledger);

  Accumulation& accumulation() { return accumulation_; }
  const Accumulation& accumulation() const { return accumulation_; }

  /// An impact of these contacts, the fastest at this speed.
  void impact(const std::vector<int>& approaching, double speed);
  /// Its restitution, where it was that of a single contact.
  void set_restitution(double restitution) { restitution_ = restitution; }
  /// Rates below these parts of the approach before are none: approach that the law has left, and
  /// rebounds, m/s.
  double left_speed() const { return kLeft * impact_speed_; }
  double no_rebound_speed() const { return kNoRebound * impact_speed_; }

  /// Which contacts touch; `forced` are told to stay.
  Touching touching(bool after_impact, const std::vector<int>& forced);
  /// After an impact, with `others` held: which of the rebounds are those of bounces whose end is
  /// known, and are left out until then (Accumulation::endings); and those that are left out all
  /// the same.
  Cut cut(const std::vector<int>& rebounds, const std::vector<HeldContact>& others);
  /// Impacts in turns that have come so near to each other that they cannot be told apart: the last
  /// one was of all that were left; `old` were held before. When they would have ended follows from
  /// those before.
  void end_turns(const std::vector<HeldContact>& old);

 private:
  static constexpr double kLeft = 1e-9;
  static constexpr double kNoRebound = 10.0 * kLeft;

  double lowest_rebound(int i);
  double flight(int i);
  double next_closing(const std::vector<HeldContact>& others);
  std::vector<int> cut_regardless(const std::vector<int>& rebounds, bool collapses);
  Cut foresee(const std::vector<int>& rebounds, const std::vector<HeldContact>& others,
              const Cut& collapsing);
  Cut foresee_end(const std::vector<int>& rebounds, const std::vector<int>& must,
                  const Cut& collapsing);
  std::vector<int> foresee_alone(const std::vector<int>& rebounds, const std::vector<int>& must);
  double time_alone(int i);
  bool slows_down() const;
  double end_slack(double left, const std::vector<int>& rebounds) const;
  Cut follow_collapse(const std::vector<HeldContact>& others);

  const EventDriven& method_;
  const AnySystem& system_;
  const AnyLaw& law_;
  const MotionState& now_;
  const ContactGaps& gaps_;
  HeldContacts& held_;
  const RunLedger& ledger_;
  Accumulation accumulation_;
  double impact_speed_ = 0.0;  // largest approach of the last impact
  double restitution_ = 0.0;   // of that, if of a single contact; else 0
  Vector acceleration_;        // with the contacts held that a function speaks of
};

}  // namespace percute::simulation

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "simulation/contact_gaps.hpp"
#include "simulation/held_contacts.hpp"

#include <percute/simulation/event_driven.hpp>

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace percute::simulation {

/// Impacts that follow each other faster and faster, and when infinitely many of them are over.
///
/// A body that comes back onto a contact with constant acceleration a flies for 2 v/|a| after an
/// impact that it leaves at speed v. If every impact keeps the part r of the speed, flights shrink
/// by r too and end after 2 v/(|a| (1 − r)).
///
/// Where contacts take turns (a block that rocks, a body that slides to and fro in a groove, three
/// balls on a line that collapse) the flights of a turn of p impacts are those of the turn before
/// times r. With f_0 the next flight, f_1 the last one, and so on, each as velocities, gaps and
/// accelerations foresaw it after an impact,
///
///     r = (f_0 + … + f_{p−1})/(f_p + … + f_{2p−1}),
///     remaining time = (f_0 + r (f_1 + … + f_{p−1}))/(1 − r).
///
/// (Not the ratio of speeds: without forces gaps shrink by another factor than speeds do, and
/// flights by the ratio of both. Not the instants of impacts: rounding of positions is in them, and
/// not in the velocities that bodies fall back with.) Either is exact only where impacts are alike.
/// What is foreseen after one impact must be what was foreseen after the one before: that decides
/// whether it is believed.
class Accumulation {
 public:
  static constexpr double kNever = AccumulationMemory::kNever;

  using Impact = AccumulationMemory::Impact;
  using Ending = AccumulationMemory::Ending;

  /// What is known is kept in `memory`.
  explicit Accumulation(AccumulationMemory& memory) : known_(memory) {}

  /// `rates` are those of all contacts.
  void impact(double time, const std::vector<int>& contacts, const Vector& rates);
  void forget() { known_.impacts.clear(); }
  int known() const { return static_cast<int>(known_.impacts.size()); }
  /// The k-th last impact.
  const Impact& last(int k) const {
    return known_.impacts[known_.impacts.size() - 1 - static_cast<std::size_t>(k)];
  }

  /// Impacts in a turn: after so many the same contacts approach again, as they did in the turn
  /// before. 0: there is no such number. The last `but` impacts are left out.
  int turn(int but = 0) const;
  /// Contacts of the last turn, ascending.
  std::vector<int> contacts_of_turn(int p, int but = 0) const;
  /// How long it is until the next impact, as foreseen after the last.
  void set_flight(double flight) {
    if (known() > 0) known_.impacts.back().flight = flight;
  }
  /// That, from an impact at this time; infinite where there was none, or it is not known.
  double flight_from(double time) const {
    return known() > 0 && last(0).time == time ? last(0).flight : kNever;
  }
  /// Time from the last impact until they end, if they take turns of p. Infinite where they do not
  /// shrink, or not all flights of two turns are known.
  double remaining(int p) const;
  /// When they end, from those before the last alone: for the last that could be told apart.
  double end_of_turns(int p) const;

  /// By how much ends may differ that are the same: parts of what remains until then and of how
  /// long the impacts that are remembered took, the tolerance of the run; and rounding.
  double slack(double remaining, double tolerance) const {
    constexpr double kAlike = 1e-5;
    return kAlike * remaining + slack(tolerance);
  }
  double slack(double tolerance) const {
    constexpr double kRounding = 4.0 * std::numeric_limits<double>::epsilon();
    const double time = last(0).time;
    return tolerance * (time - last(known() - 1).time) + kRounding * std::abs(time);
  }

  AccumulationMemory::Alone& alone(int contact) {
    return known_.alone[static_cast<std::size_t>(contact)];
  }
  /// Ends that were foreseen last.
  double& in_turns() { return known_.in_turns; }
  double& followed() { return known_.followed; }  ///< impact by impact, where nothing is held

  std::vector<Ending>& endings() { return known_.endings; }  ///< those under way
  double next_end() const;
  /// Takes out those that `which` is true of, from number `from` on.
  template <class Which>
  std::vector<Ending> take(Which which, std::size_t from = 0) {
    std::vector<Ending> taken;
    for (std::size_t k = from; k < known_.endings.size();) {
      if (!which(known_.endings[k])) {
        ++k;
        continue;
      }
      taken.push_back(std::move(known_.endings[k]));
      known_.endings.erase(known_.endings.begin() + static_cast<std::ptrdiff_t>(k));
    }
    return taken;
  }
  /// Whether the contact is held until the end of its bounces is told.
  bool waits(int contact) const;

 private:
  AccumulationMemory& known_;
};

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
                 const RunLedger& ledger, AccumulationMemory& memory);

  Accumulation& accumulation() { return accumulation_; }

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
  /// known, and are left out until then (Accumulation::endings()); and those that are left out all
  /// the same.
  Cut cut(const std::vector<int>& rebounds, const std::vector<HeldContact>& others);
  /// Impacts in turns that have come so near to each other that they cannot be told apart: the last
  /// one was of all that were left; `old` were held before. When they would have ended follows from
  /// those before.
  void end_turns(const std::vector<HeldContact>& old);

 private:
  static constexpr double kLeft = 1e-9;
  static constexpr double kNoRebound = 10.0 * kLeft;

  double gap_acceleration(int i) { return held_.mass().gap_acceleration(i, now_, acceleration_); }
  double lowest_rebound(int i) { return gaps_.lowest_rebound(i, gap_acceleration(i)); }
  double next_closing(const std::vector<HeldContact>& others);
  std::vector<int> cut_regardless(const std::vector<int>& rebounds, bool collapses);
  Cut foresee_end(const std::vector<int>& rebounds, const std::vector<int>& must,
                  const Cut& collapsing);
  std::vector<int> foresee_alone(const std::vector<int>& rebounds, const std::vector<int>& must);
  double time_alone(int i);
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

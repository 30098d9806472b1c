// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/simulation/memory.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
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
  static constexpr int kKept = 16;  ///< impacts remembered: turns of up to 8

  using Impact = AccumulationMemory::Impact;
  using Ending = AccumulationMemory::Ending;

  /// An instant that was foreseen after one impact, and is again after another.
  class Foreseen {
   public:
    /// Whether it is the same as the last time, to `slack`.
    bool again(double end, double slack) {
      const double before = std::exchange(end_, end);
      return std::isfinite(end) && std::isfinite(before) && std::abs(end - before) <= slack;
    }
    /// The same, but what was foreseen first stays: it had the most digits.
    bool still(double end, double slack) {
      const double before = end_;
      const bool same = again(end, slack);
      if (same) end_ = before;
      return same;
    }
    double& end() { return end_; }
    double end() const { return end_; }

   private:
    double end_ = kNever;
  };

  /// One contact, as if it bounced by itself.
  struct Alone {
    double approach = 0.0;  ///< of its last impact, m/s
    double ratio = 0.0;     ///< over that of the one before; 0 if there was none
    Foreseen end = {};
    double slow =
        0.0;  ///< rebounds in a row that could have been cut off, had their end been known
  };

  explicit Accumulation(int contacts) : alone_(static_cast<std::size_t>(contacts)) {}

  /// `rates` are those of all contacts.
  template <class Rates>
  void impact(double time, const std::vector<int>& contacts, const Rates& rates) {
    for (const int i : contacts) {
      Alone& one = alone(i);
      one.ratio = one.approach > 0.0 ? -rates[i] / one.approach : 0.0;
      one.approach = -rates[i];
    }
    impact(time, contacts);
  }
  void impact(double time, const std::vector<int>& contacts) {
    if (count_ > 0 && time == last(0).time) return;  // the same instant
    impacts_[static_cast<std::size_t>(count_++ % kKept)] = {.time = time, .contacts = contacts};
  }
  void forget() { count_ = 0; }
  int known() const { return std::min(count_, kKept); }
  /// The k-th last impact.
  const Impact& last(int k) const {
    return impacts_[static_cast<std::size_t>((count_ - 1 - k) % kKept)];
  }

  /// Impacts in a turn: after so many the same contacts approach again, as they did in the turn
  /// before. 0: there is no such number. The last `but` impacts are left out.
  int turn(int but = 0) const {
    for (int p = 1; but + 2 * p <= known(); ++p) {
      bool same = true;
      for (int k = but; k < but + p && same; ++k) same = last(k).contacts == last(k + p).contacts;
      if (same) return p;
    }
    return 0;
  }
  /// Contacts of the last turn, ascending.
  std::vector<int> contacts_of_turn(int p, int but = 0) const {
    std::vector<int> all;
    for (int k = but; k < but + p; ++k) {
      all.insert(all.end(), last(k).contacts.begin(), last(k).contacts.end());
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
  }
  /// How long it is until the next impact, as foreseen after the last.
  void set_flight(double flight) {
    if (count_ > 0) impacts_[static_cast<std::size_t>((count_ - 1) % kKept)].flight = flight;
  }
  /// That, from an impact at this time; infinite where there was none, or it is not known.
  double flight_from(double time) const {
    return count_ > 0 && last(0).time == time ? last(0).flight : kNever;
  }
  /// Time from the last impact until they end, if they take turns of p. Infinite where they do not
  /// shrink, or not all flights of two turns are known.
  double remaining(int p) const {
    if (p == 0) return kNever;
    const auto flights = [this](int from, int to) {
      double sum = 0.0;
      for (int k = from; k < to; ++k) sum += last(k).flight;
      return sum;
    };
    const double before = flights(p, 2 * p);
    if (!std::isfinite(before)) return kNever;
    const double r = flights(0, p) / before;
    return r < 1.0 ? (last(0).flight + r * flights(1, p)) / (1.0 - r) : kNever;
  }
  /// When they end, from those before the last alone: for the last that could be told apart.
  double end_of_turns(int p) const {
    if (p == 0 || known() < 2 * p + 2) return kNever;
    const double turn = last(1).time - last(1 + p).time;
    const double r = turn / (last(1 + p).time - last(1 + 2 * p).time);
    // The last one is one of them if it came as soon as they do.
    if (!(r < 1.0) || last(0).time - last(1).time > turn) return kNever;
    return last(1).time + r * turn / (1.0 - r);
  }

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

  Alone& alone(int contact) { return alone_[static_cast<std::size_t>(contact)]; }
  Foreseen& in_turns() { return in_turns_; }
  Foreseen& followed() { return followed_; }

  std::vector<Ending> endings = {};  ///< those under way
  double next_end() const {
    double next = kNever;
    for (const Ending& ending : endings) next = std::min(next, ending.time);
    return next;
  }
  /// Takes out those that `which` is true of, from number `from` on.
  template <class Which>
  std::vector<Ending> take(Which which, std::size_t from = 0) {
    std::vector<Ending> taken;
    for (std::size_t k = from; k < endings.size();) {
      if (!which(endings[k])) {
        ++k;
        continue;
      }
      taken.push_back(std::move(endings[k]));
      endings.erase(endings.begin() + static_cast<std::ptrdiff_t>(k));
    }
    return taken;
  }
  /// Whether the contact is held until the end of its bounces is told.
  bool waits(int contact) const {
    return std::any_of(endings.begin(), endings.end(), [contact](const Ending& ending) {
      return std::binary_search(ending.contacts.begin(), ending.contacts.end(), contact);
    });
  }

  AccumulationMemory memory() const {
    AccumulationMemory memory{
        .endings = endings, .in_turns = in_turns_.end(), .followed = followed_.end()};
    for (const Alone& one : alone_) {
      memory.alone.push_back(
          {.approach = one.approach, .ratio = one.ratio, .end = one.end.end(), .slow = one.slow});
    }
    for (int k = known() - 1; k >= 0; --k) memory.impacts.push_back(last(k));
    return memory;
  }
  void resume(const AccumulationMemory& memory) {
    endings = memory.endings;
    in_turns_.end() = memory.in_turns;
    followed_.end() = memory.followed;
    for (std::size_t i = 0; i < alone_.size(); ++i) {
      const AccumulationMemory::Alone& one = memory.alone[i];
      alone_[i] = {.approach = one.approach, .ratio = one.ratio, .end = {}, .slow = one.slow};
      alone_[i].end.end() = one.end;
    }
    for (const Impact& one : memory.impacts) {
      impact(one.time, one.contacts);
      set_flight(one.flight);
    }
  }

 private:
  std::array<Impact, kKept> impacts_;
  int count_ = 0;
  std::vector<Alone> alone_;  // by contact
  Foreseen in_turns_;
  Foreseen followed_;  // impact by impact, where nothing is held
};

}  // namespace percute::simulation

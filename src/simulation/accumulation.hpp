// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace percute::simulation {

/// Impacts that follow each other faster and faster, and when infinitely many of them are over.
///
/// A body that comes back onto a contact with constant acceleration a flies for 2 v/|a| after an
/// impact that it leaves at speed v. If every impact keeps the part r of the speed, flights shrink
/// by r too and end after 2 v/(|a| (1 − r)). Between two contacts in turn (a block that rocks, a
/// body that slides to and fro in a groove) every second flight is alike: with the flight before,
/// Δ,
///
///     remaining time = (2 v/|a| + r² Δ)/(1 − r²).
class Accumulation {
 public:
  static constexpr double kNever = std::numeric_limits<double>::infinity();

  struct Impact {
    double time = 0.0;
    double speed = 0.0;              ///< largest approach, m/s
    std::vector<int> contacts = {};  ///< those that approached
  };

  void impact(double time, double speed, const std::vector<int>& contacts) {
    if (count_ > 0 && time == last(0).time) return;  // the same instant
    impacts_[count_++ % 3] = {.time = time, .speed = speed, .contacts = contacts};
  }
  void forget() { count_ = 0; }
  int known() const { return count_ < 3 ? count_ : 3; }
  /// The k-th last impact.
  const Impact& last(int k) const { return impacts_[(count_ - 1 - k) % 3]; }

  /// Time from the last impact until they end, if the next flight takes `flight` and the impact
  /// kept `ratio` of the speed (of the same contact; 0: not known). Infinite where impacts do not
  /// shrink.
  double remaining(double flight, double ratio) const {
    if (ratio > 0.0 && ratio < 1.0) return flight / (1.0 - ratio);
    if (known() < 3) return kNever;
    const double before = last(0).time - last(1).time;
    if (last(0).contacts == last(1).contacts) {
      const double r = last(0).speed / last(1).speed;
      return r < 1.0 ? flight / (1.0 - r) : kNever;
    }
    const double r2 = last(0).speed / last(2).speed;
    return r2 < 1.0 ? (flight + r2 * before) / (1.0 - r2) : kNever;
  }

  double end = kNever;            ///< when the accumulation that is under way is over
  std::vector<int> closing = {};  ///< what will be closed then
  double lost = 0.0;              ///< energy of the bounces that are left out, J

  /// As numbers, and from them.
  void save(std::vector<double>& numbers) const {
    numbers.push_back(end);
    numbers.push_back(lost);
    save(closing, numbers);
    numbers.push_back(known());
    for (int k = known() - 1; k >= 0; --k) {
      numbers.push_back(last(k).time);
      numbers.push_back(last(k).speed);
      save(last(k).contacts, numbers);
    }
  }
  /// False if they are not what save() has written for a system of so many contacts.
  bool load(const double* numbers, std::size_t count, int of_contacts) {
    Numbers from{.next = numbers, .end = numbers + count, .of_contacts = of_contacts};
    end = from.number();
    lost = from.number();
    closing = from.contacts();
    const double known = from.number();
    if (std::isnan(end) || !std::isfinite(lost) || !(known >= 0.0 && known <= 3.0)) return false;
    for (int k = 0; k < known && from.good; ++k) {
      const double time = from.number();
      const double speed = from.number();
      if (!std::isfinite(time) || !std::isfinite(speed)) return false;
      impact(time, speed, from.contacts());
    }
    return from.good && from.next == from.end;
  }

 private:
  static void save(const std::vector<int>& contacts, std::vector<double>& numbers) {
    numbers.push_back(static_cast<double>(contacts.size()));
    for (const int i : contacts) numbers.push_back(i);
  }
  struct Numbers {
    const double* next;
    const double* end;
    int of_contacts;
    bool good = true;

    double number() {
      if (next == end) good = false;
      return good ? *next++ : 0.0;
    }
    std::vector<int> contacts() {
      const double size = number();
      if (!(size >= 0.0 && size <= of_contacts)) good = false;
      std::vector<int> some(good ? static_cast<std::size_t>(size) : 0);
      for (int& i : some) {
        const double x = number();
        if (!(x >= 0.0 && x < of_contacts)) good = false;
        i = good ? static_cast<int>(x) : 0;
      }
      return some;
    }
  };

  std::array<Impact, 3> impacts_;
  int count_ = 0;
};

}  // namespace percute::simulation

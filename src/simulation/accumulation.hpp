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

  /// As numbers, and from them.
  void save(std::vector<double>& numbers) const {
    numbers.push_back(end);
    save(closing, numbers);
    numbers.push_back(known());
    for (int k = known() - 1; k >= 0; --k) {
      numbers.push_back(last(k).time);
      numbers.push_back(last(k).speed);
      save(last(k).contacts, numbers);
    }
  }
  void load(const double* numbers) {
    end = *numbers++;
    closing = load_contacts(numbers);
    const int known = static_cast<int>(*numbers++);
    for (int k = 0; k < known; ++k) {
      const double time = *numbers++;
      const double speed = *numbers++;
      impact(time, speed, load_contacts(numbers));
    }
  }

 private:
  static void save(const std::vector<int>& contacts, std::vector<double>& numbers) {
    numbers.push_back(static_cast<double>(contacts.size()));
    for (const int i : contacts) numbers.push_back(i);
  }
  static std::vector<int> load_contacts(const double*& numbers) {
    std::vector<int> contacts(static_cast<std::size_t>(*numbers++));
    for (int& i : contacts) i = static_cast<int>(*numbers++);
    return contacts;
  }

  std::array<Impact, 3> impacts_;
  int count_ = 0;
};

}  // namespace percute::simulation

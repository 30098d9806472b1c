// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "model/text.hpp"

#include <percute/model/invalid_input.hpp>

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

namespace percute::simulation {

/// Moment::memory as a method reads it back. Numbers that no run remembers are refused: a file that
/// was edited must not move anything.
class Recalled {
 public:
  explicit Recalled(const std::vector<double>& numbers) : numbers_(numbers) {}

  /// Throws unless there are so many.
  void require_size(std::size_t size, const char* what) const {
    if (numbers_.size() == size) return;
    throw InvalidInput("start.memory", "has " + std::to_string(numbers_.size()) + " numbers, not " +
                                           std::to_string(size) + ", " + what);
  }
  double finite(std::size_t k) const {
    if (!std::isfinite(numbers_[k])) refuse(k, "a finite number");
    return numbers_[k];
  }
  /// May be infinite.
  double known(std::size_t k) const {
    if (std::isnan(numbers_[k])) refuse(k, "a number");
    return numbers_[k];
  }
  double not_negative(std::size_t k) const {
    if (!(finite(k) >= 0.0)) refuse(k, "0 or above");
    return numbers_[k];
  }
  /// 0, 1, … highest.
  int whole(std::size_t k, int highest) const {
    const double x = numbers_[k];
    if (!(x >= 0.0 && x <= highest && x == std::floor(x))) {
      refuse(k, highest == 1 ? "0 or 1" : "a whole number up to " + std::to_string(highest));
    }
    return static_cast<int>(x);
  }
  bool flag(std::size_t k) const { return whole(k, 1) == 1; }

  [[noreturn]] void refuse(std::size_t k, const std::string& allowed) const {
    throw InvalidInput("start.memory[" + std::to_string(k) + "]",
                       "must be " + allowed + ", got " + text(numbers_[k]));
  }

 private:
  const std::vector<double>& numbers_;
};

}  // namespace percute::simulation

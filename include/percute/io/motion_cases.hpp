// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/io/reproduction.hpp>

#include <string>
#include <vector>

namespace percute::io {

/// A number that a motion must give: "angle_k_i" (degrees; the largest of ball i in half swing k,
/// balls counted from the one that flies off), "energy_drift" (relative to the energy at the
/// start), "impact_time_k" (s), "speed_k" (m/s, after impact k), "tilt_k" (degrees, after impact
/// k), "accumulation" (s). All count from 1.
struct MotionNumber {
  std::string name;
  double value = 0.0;
  double tolerance = 0.0;  ///< of |computed − value|, absolute
};

/// One motion with its numbers.
struct MotionCase {
  std::string id;     ///< "lzb", within its item
  std::string label;  ///< "impacts by LZB"
  std::string run;    ///< which motion: "cradle.lzb", "v_groove" …
  std::vector<MotionNumber> expected = {};
  std::string note = {};
};

/// Motions that belong together.
struct MotionItem {
  std::string id;  ///< "motion.cradle"
  std::string title;
  std::string source;
  std::string note = {};
  std::vector<MotionCase> cases = {};
};

/// The items that come with the library.
std::vector<MotionItem> motion_items();

/// Moves a system and says the numbers, in the order of `expected`; `status` becomes that of the
/// run. Throws InvalidInput if there is no such motion or it has no such number.
std::vector<double> numbers_of(const MotionCase& reference, std::string& status);

/// Moves all and compares.
Reproduction reproduce(const MotionItem& item);

}  // namespace percute::io

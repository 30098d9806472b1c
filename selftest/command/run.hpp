// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "selftest/invariants.hpp"

#include <percute/model/status.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace percute::cli {

/// Which random problems to solve, and how.
struct SelftestPlan {
  std::uint64_t seed = 1;
  std::uint64_t first = 0;
  std::uint64_t count = 1000;
  std::uint64_t asked = 0;  ///< for, where a signal ended it after `count`
  int jobs = 1;
  bool (*stop)() = nullptr;  ///< asked before each problem
};

/// How far a plan was followed.
struct SelftestExtent {
  std::uint64_t problems = 0;
  double seconds = 0.0;
};

/// A check that does not hold.
struct SelftestFailure {
  std::uint64_t index = 0;
  std::string kind = {};
  selftest::Check check = {};
  std::string message = {};  ///< of an exception, instead of a check
};

/// One check over all problems.
struct SelftestTally {
  std::string name = {};
  std::uint64_t problems = 0;  ///< it applied to
  double worst = 0.0;          ///< largest value / bound
  std::uint64_t worst_at = 0;  ///< and the problem it belongs to
};

struct SelftestSummary {
  std::array<std::uint64_t, 5> statuses = {};  ///< by Status
  std::vector<SelftestTally> tallies = {};     ///< in the order the checks first occurred
  std::vector<SelftestFailure> failures = {};  ///< in the order of the problems
  std::uint64_t amplifying = 0;                ///< problems that amplify small differences
  double amplification = 1.0;                  ///< largest
  std::uint64_t amplification_at = 0;
  SelftestExtent extent = {};
};

/// Solves and checks the problems on `jobs` threads. All but the time is independent of `jobs`.
SelftestSummary run_selftest(const SelftestPlan& plan);

}  // namespace percute::cli

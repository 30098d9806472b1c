// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "selftest/command/run.hpp"
#include "selftest/random_laws.hpp"

#include <percute/io/document.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace percute::cli {

/// One law or solver over all problems.
struct LawTally {
  std::string name = {};
  std::uint64_t problems = 0;
  std::uint64_t answered = 0;    ///< the others: an honest "no answer"
  std::uint64_t non_unique = 0;  ///< friction: several outcomes
  std::uint64_t checks = 0;
  std::uint64_t failed = 0;
  double worst = 0.0;                           ///< largest value / bound
  std::string worst_check = {};                 ///< of which check
  std::uint64_t worst_at = 0;                   ///< in which problem
  std::array<std::uint64_t, 12> statuses = {};  ///< by Status; laws only
  std::vector<std::uint64_t> sensitive = {};    ///< problems in which tiny changes explain all

  /// Sensitive problems say nothing: one in 200 may be so, or a single one of fewer.
  bool too_sensitive() const {
    return sensitive.size() > std::max<std::uint64_t>(1, problems / 200);
  }
};

/// A check that does not hold.
struct LawFailure {
  std::uint64_t index = 0;
  std::string kind = {};
  std::string law = {};  ///< or solver; empty: an exception
  selftest::Check check = {};
  std::string message = {};  ///< of an exception
};

struct LawsSummary {
  std::string name = {};               ///< of the selftest
  std::vector<LawTally> tallies = {};  ///< in the order they first occurred
  std::vector<LawFailure> failures = {};
  SelftestExtent extent = {};
  double slowest = 0.0;  ///< seconds of the slowest problem
  std::uint64_t slowest_at = 0;

  bool ok() const;  ///< every check holds, and few enough problems are sensitive
};

/// Applies all algebraic laws and solvers to the problems of the plan, on its threads. All but the
/// time is independent of the number of threads.
LawsSummary run_laws_selftest(const SelftestPlan& plan);

/// Applies the laws that follow friction through the impact, likewise.
LawsSummary run_friction_selftest(const SelftestPlan& plan);

std::string laws_text(const SelftestPlan& plan, const LawsSummary& summary);

/// "  ✓ every check holds", or how many fail; where a signal ended it, in how many problems.
std::string verdict_line(const SelftestPlan& plan, bool ok, std::size_t failures);
io::Node laws_node(const SelftestPlan& plan, const LawsSummary& summary);

/// Writes the problems that failed, each with the law that did, and problem `only` with every law
/// if it is the only one.
void write_law_problems(const SelftestPlan& plan, const LawsSummary& summary,
                        const std::string& folder);

}  // namespace percute::cli

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "selftest/command/run.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <limits>
#include <thread>
#include <vector>

namespace percute::cli {

/// Examines the problems of a plan on its threads, and adds the outcomes up in the order of the
/// problems, whatever thread they came from. make_worker() gives each thread its own
/// `Outcome(index)`. Where the plan says stop, it ends with the problems that were begun.
template <class Outcome, class MakeWorker, class Add>
SelftestExtent run_in_blocks(const SelftestPlan& plan, MakeWorker&& make_worker, Add&& add) {
  const auto start = std::chrono::steady_clock::now();
  SelftestExtent extent;
  constexpr std::uint64_t kBlock = 1024;
  const auto stopped = [&plan] { return plan.stop != nullptr && plan.stop(); };
  while (extent.problems < plan.count && !stopped()) {
    const std::uint64_t done = extent.problems;
    const std::uint64_t size = std::min(kBlock, plan.count - done);
    std::vector<Outcome> outcomes(size);
    std::atomic<std::uint64_t> next{0};
    const auto work = [&] {
      auto examine = make_worker();
      while (!stopped()) {
        const std::uint64_t k = next++;
        if (k >= size) break;
        outcomes[k] = examine(plan.first + done + k);
      }
    };
    {
      std::vector<std::jthread> threads;
      for (int j = 1; j < plan.jobs; ++j) threads.emplace_back(work);
      work();
    }
    const std::uint64_t begun = std::min<std::uint64_t>(next, size);
    for (std::uint64_t k = 0; k < begun; ++k) add(outcomes[k], plan.first + done + k);
    extent.problems += begun;
  }
  extent.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return extent;
}

/// Value over bound: above 1 the check fails.
inline double severity(const selftest::Check& check) {
  if (check.value <= 0.0) return 0.0;
  return check.bound > 0.0 ? check.value / check.bound : std::numeric_limits<double>::infinity();
}

}  // namespace percute::cli

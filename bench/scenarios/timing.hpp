// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "bench/scenarios/benchmark.hpp"

#include <functional>

namespace percute::bench {

struct Timing {
  double minimum = 0.0;  ///< s per call, of the fastest sample
  double median = 0.0;   ///< s per call
  long samples = 0;
};

/// CPU time of one call, on this thread. Short calls are timed in batches long enough for the
/// clock; sampling stops after `budget` seconds, with at least one sample.
Timing time_calls(const std::function<void()>& call, double budget);

/// Writes it into a row.
void set_time(Row& row, const Timing& timing);

/// CPU time this thread has used, s.
double thread_seconds();

}  // namespace percute::bench

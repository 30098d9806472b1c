// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "bench/scenarios/timing.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <vector>

namespace percute::bench {

double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

Timing time_calls(const std::function<void()>& call, double budget) {
  // Reading the clock costs about a microsecond: a batch of 0.2 ms makes that half a percent.
  constexpr double kBatch = 2e-4;
  constexpr std::size_t kMostSamples = 2000;
  const double begin = thread_seconds();
  call();
  const double first = std::max(thread_seconds() - begin, 1e-9);
  std::vector<double> samples;
  if (first > budget) {
    samples.push_back(first);
  } else {
    const long batch = std::max(1L, std::lround(kBatch / first));
    do {
      const double start = thread_seconds();
      for (long k = 0; k < batch; ++k) call();
      samples.push_back((thread_seconds() - start) / static_cast<double>(batch));
    } while (thread_seconds() - begin < budget && samples.size() < kMostSamples);
  }
  std::sort(samples.begin(), samples.end());
  return {.minimum = samples.front(),
          .median = samples[samples.size() / 2],
          .samples = static_cast<long>(samples.size())};
}

void set_time(Row& row, const Timing& timing) {
  row.seconds = timing.minimum;
  row.median = timing.median;
  row.repeats = timing.samples;
}

}  // namespace percute::bench

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include <percute/analysis/chain_waves.hpp>

#include <algorithm>
#include <cstddef>

namespace percute::analysis {

std::vector<ForcePeak> force_peaks(const ImpactHistory& history, int contact) {
  std::vector<ForcePeak> peaks;
  for (const ImpactEvent& event : history.events) {
    // Without restitution the force is gone at the instant at which it is largest.
    const bool ends =
        event.kind == EventKind::CompressionEnd || event.kind == EventKind::PlasticLoss;
    if (event.contact != contact || !ends) continue;
    if (!peaks.empty() && peaks.back().time == event.time) {
      peaks.back().force = std::max(peaks.back().force, event.force);
    } else {
      peaks.push_back({.time = event.time, .force = event.force});
    }
  }
  return peaks;
}

ForcePeak largest(const std::vector<ForcePeak>& peaks) {
  const auto found =
      std::max_element(peaks.begin(), peaks.end(),
                       [](const ForcePeak& a, const ForcePeak& b) { return a.force < b.force; });
  return found != peaks.end() ? *found : ForcePeak{};
}

std::vector<ForcePeak> wave_train(const std::vector<ForcePeak>& peaks, double least) {
  const double limit = least * largest(peaks).force;
  std::vector<ForcePeak> train;
  std::copy_if(peaks.begin(), peaks.end(), std::back_inserter(train),
               [limit](const ForcePeak& peak) { return peak.force > limit; });
  return train;
}

std::optional<Period> period(const std::vector<ForcePeak>& peaks) {
  if (peaks.size() < 3) return {};
  const double first = peaks[1].time - peaks[0].time;
  Period out{.shortest = first, .longest = first};
  for (std::size_t k = 1; k + 2 < peaks.size(); ++k) {
    const double interval = peaks[k + 1].time - peaks[k].time;
    out.shortest = std::min(out.shortest, interval);
    out.longest = std::max(out.longest, interval);
  }
  return out;
}

}  // namespace percute::analysis

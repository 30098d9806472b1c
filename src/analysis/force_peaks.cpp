// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "model/text.hpp"

#include <percute/analysis/chain_waves.hpp>
#include <percute/model/invalid_input.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <numbers>

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

namespace {

void require_above(double value, double bound, const char* field) {
  if (value > bound && std::isfinite(value)) return;
  throw InvalidInput(field, text(value) + " is not above " + text(bound));
}

}  // namespace

double SolitaryWave::velocity(double x) const {
  if (2.0 * std::abs(x) >= support) return 0.0;
  return peak_velocity * std::pow(std::cos(std::numbers::pi * x / support), 2.0 / (exponent - 1.0));
}

SolitaryWave solitary_wave(double mass, double stiffness, double exponent, double peak_velocity) {
  require_above(mass, 0.0, "mass");
  require_above(stiffness, 0.0, "stiffness");
  require_above(exponent, 1.0, "exponent");
  require_above(peak_velocity, 0.0, "peak_velocity");
  const double eta = exponent;
  SolitaryWave wave{.peak_velocity = peak_velocity, .exponent = eta};
  wave.speed = std::pow(2.0 * stiffness / ((eta + 1.0) * mass), 1.0 / (eta + 1.0)) *
               std::pow(peak_velocity, (eta - 1.0) / (eta + 1.0));
  wave.peak_force = stiffness * std::pow(peak_velocity / wave.speed, eta);
  wave.support = std::numbers::pi / (eta - 1.0) * std::sqrt(eta * (eta + 1.0) / 6.0);
  wave.half_width =
      2.0 * wave.support / std::numbers::pi * std::acos(std::pow(2.0, -0.5 * (eta - 1.0)));
  return wave;
}

}  // namespace percute::analysis

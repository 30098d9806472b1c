// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "bench/scenarios/plain_chain.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace percute::bench {

namespace {

constexpr double kLargestStep = 0.005;
/// Overlaps behind the wave that are left alone: a force of 3e-14 would have to last for ever.
constexpr double kLeastOverlap = 1e-9;
/// The wave is shorter than this number of balls.
constexpr Eigen::Index kWave = 30;

struct Motion {
  Vector x;  ///< displacements
  Vector v;
};

/// x' = v, v' = F_left − F_right for balls first … last − 1.
void slopes(const Motion& y, Eigen::Index first, Eigen::Index last, Motion& out) {
  double left = 0.0;
  for (Eigen::Index i = first; i < last; ++i) {
    const double overlap = i + 1 < last ? y.x[i] - y.x[i + 1] : 0.0;
    const double right = overlap > 0.0 ? overlap * std::sqrt(overlap) : 0.0;
    out.x[i] = y.v[i];
    out.v[i] = left - right;
    left = right;
  }
}

}  // namespace

Vector plain_chain(int balls) {
  Motion y{.x = Vector::Zero(balls), .v = Vector::Zero(balls)};
  y.v[0] = 1.0;
  Motion stage = y;
  std::array<Motion, 4> k{y, y, y, y};
  Eigen::Index first = 0;
  Eigen::Index last = std::min(balls, 2);
  const double end = 1.19 * balls + 20.0;
  double h = 0.0;
  for (double t = 0.0; t < end; t += h) {
    h = std::min(kLargestStep, 1e-6 + 0.01 * t);
    while (last < balls && y.x[last - 1] > 1e-15) ++last;
    while (first + kWave < last && y.x[first] - y.x[first + 1] < kLeastOverlap) ++first;
    const auto part = [&](Vector& v) { return v.segment(first, last - first).array(); };
    slopes(y, first, last, k[0]);
    for (std::size_t s = 1; s < 4; ++s) {
      const double share = s == 3 ? h : 0.5 * h;
      part(stage.x) = part(y.x) + share * part(k[s - 1].x);
      part(stage.v) = part(y.v) + share * part(k[s - 1].v);
      slopes(stage, first, last, k[s]);
    }
    part(y.x) += h / 6.0 * (part(k[0].x) + 2.0 * (part(k[1].x) + part(k[2].x)) + part(k[3].x));
    part(y.v) += h / 6.0 * (part(k[0].v) + 2.0 * (part(k[1].v) + part(k[2].v)) + part(k[3].v));
  }
  return y.v;
}

}  // namespace percute::bench

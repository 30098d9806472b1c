// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/analysis/uniqueness.hpp>

#include <algorithm>

namespace percute::analysis {

/// Notes an answer; `scale` is the velocity differences are measured against.
inline void note(DistinctOutcomes& outcomes, const Vector& velocity, double scale) {
  constexpr double kSame = 1e-8;  // above what solvers leave, far below what matters
  ++outcomes.tried;
  double spread = outcomes.spread;
  for (std::size_t k = 0; k < outcomes.velocities.size(); ++k) {
    const double distance = (outcomes.velocities[k] - velocity).cwiseAbs().maxCoeff();
    if (distance <= kSame * scale) {
      ++outcomes.counts[k];
      return;
    }
    spread = std::max(spread, distance);
  }
  outcomes.velocities.push_back(velocity);
  outcomes.counts.push_back(1);
  outcomes.spread = spread;
}

}  // namespace percute::analysis

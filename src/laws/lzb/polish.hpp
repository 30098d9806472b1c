// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <cmath>

namespace percute::laws {

/// Newton corrections of the end x of a step that began at x0, along the slope of its trial state,
/// until the event function there vanishes to a hundredth of `floor`; the dense output has left
/// little to correct. value() and slope() are those of the event function at the trial state.
template <class Step, class Value, class Slope>
void polish(Step& step, double x0, double floor, Value&& value, Slope&& slope, double& x) {
  for (int round = 0; round < 3; ++round) {
    const double g = value();
    const double rate = slope();
    if (std::abs(g) <= 0.01 * floor || rate == 0.0) return;
    const double correction = -g / rate;
    if (!(std::abs(correction) > 1e-16 * std::abs(x)) ||
        !(std::abs(correction) < 1e-6 * std::abs(x - x0))) {
      return;
    }
    for (int k = 0; k < step.rk.size(); ++k) {
      step.rk.trial()[k] += correction * step.rk.trial_slope()[k];
    }
    x += correction;
    step.evaluate_trial(x);
  }
}

}  // namespace percute::laws

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "model/text.hpp"
#include "systems/checks.hpp"

#include <percute/model/invalid_input.hpp>
#include <percute/systems/any_system.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace percute::systems {

double BaseMotion::at(double time) const {
  const double turns = (time - start) * frequency;
  if (!moves() || turns < 0.0 || turns > cycles) return 0.0;
  return acceleration * std::sin(2.0 * std::numbers::pi * turns + phase);
}

double BaseMotion::longest_step(double time) const {
  const double end = start + cycles / frequency;
  if (!moves() || time >= end) return std::numeric_limits<double>::infinity();
  if (time < start) return start - time;
  return std::min(0.125 / frequency, end - time);
}

double PlanarBaseMotion::longest_step(double time) const {
  return std::min(horizontal.longest_step(time), vertical.longest_step(time));
}

void validate(const BaseMotion& motion, const std::string& base) {
  require_finite(motion.acceleration, base + ".acceleration");
  require_positive(motion.frequency, base + ".frequency");
  require_finite(motion.phase, base + ".phase");
  require_finite(motion.start, base + ".start");
  if (!(motion.cycles > 0.0)) {
    throw InvalidInput(base + ".cycles", text(motion.cycles) + " is not a number > 0");
  }
}

}  // namespace percute::systems

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "simulation/fixed_steps.hpp"

#include <percute/io/motion_file.hpp>

namespace percute::io {

Node stability(const MotionFile& file) {
  const auto omega = simulation::highest_frequency(file.system, file.start.state.position);
  const bool vibrates = omega && *omega > 0.0;
  Node node;
  node.add("omega_max", vibrates ? Node(*omega) : Node());
  node.add("step_limit", vibrates ? Node(2.0 / *omega) : Node());
  node.add("first_bending_hz", file.first_bending_hz ? Node(*file.first_bending_hz) : Node());
  return node;
}

}  // namespace percute::io

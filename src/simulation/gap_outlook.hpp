// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "simulation/motion_state.hpp"
#include "simulation/smooth_gap.hpp"

#include <percute/systems/any_system.hpp>

#include <vector>

namespace percute::simulation {

/// Open gaps in steps to come, on the parabola q + s v + ½ s² a with which these begin.
class GapOutlook {
 public:
  explicit GapOutlook(const systems::AnySystem& system);

  /// Steps are to begin at the state y, which has this slope; contacts are added after that.
  void begin(double time, const double* y, const double* slope);
  void add(int contact);
  bool empty() const { return open_.empty(); }
  /// Whether these gaps are smooth in a step of length h from there, so that a few looks at them
  /// see all that they do.
  bool smooth(double h);

 private:
  struct OpenGap {
    int contact = 0;
    GapAt start;
  };
  GapAt gap_at(int i, double gap, const MotionState& state);

  const systems::AnySystem& system_;
  std::vector<OpenGap> open_;
  MotionState start_;    ///< of the steps
  MotionState ahead_;    ///< in them
  Vector acceleration_;  ///< at their start
  Vector gaps_;
  Vector gradient_;
  Vector size_;
};

}  // namespace percute::simulation

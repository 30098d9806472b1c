// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/simulation/run.hpp>
#include <percute/systems/any_system.hpp>

#include <string>
#include <vector>

namespace percute::simulation {

/// How far contacts are open, overlap and move in fixed steps; and whether steps are too long for
/// that motion.
class GapWatch {
 public:
  /// `reaches` are in the books of the run. References are kept.
  GapWatch(const systems::AnySystem& system, const Vector& start,
           std::vector<ContactReach>& reaches);

  /// Gaps at the start, and at the end of every step.
  void note(const Vector& gaps);
  /// How far a contact was open at the most, m.
  double widest(int contact) const { return reaches_[static_cast<std::size_t>(contact)].gap; }
  /// Time stepping: a contact closes in a step that begins with this gap. Its way in the step is
  /// `approach` by the velocities before, `fall` with what forces do, m.
  void note_way(int contact, double gap, double approach, double fall);
  /// What is to be said of time stepping with steps of this length, s; "" if nothing.
  std::string coarse_step(double step, const RunOptions& run) const;

 private:
  const systems::AnySystem& system_;
  std::vector<ContactReach>& reaches_;
  double closed_;  ///< gaps up to this are none: ten digits of the scene's length, m
};

}  // namespace percute::simulation

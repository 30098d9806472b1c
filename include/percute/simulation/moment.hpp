// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/model/state.hpp>
#include <percute/simulation/record.hpp>

#include <optional>
#include <vector>

namespace percute::simulation {

/// An instant of a run with all that is needed to go on from it. A start needs time and state only;
/// a run that begins where another one ended, with the same system and method, gives the same bits
/// as one run through.
struct Moment {
  double time = 0.0;  ///< s
  State state;

  // What a method remembers; empty at a start.
  double step = 0.0;                ///< proposed next step, s; 0: the method chooses
  Vector previous_position = {};    ///< two-step methods: q one step earlier
  std::vector<int> held = {};       ///< contacts that are held closed
  std::vector<int> sticking = {};   ///< those of them that do not slide
  std::vector<double> memory = {};  ///< other numbers, of a meaning the method knows

  std::optional<Books> books = {};  ///< of the run that ended here; for RunOptions::resume
};

}  // namespace percute::simulation

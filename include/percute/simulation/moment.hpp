// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/model/state.hpp>

#include <vector>

namespace percute::simulation {

/// An instant of a run with all that is needed to go on from it. A start needs time and state only;
/// a run that begins where another one ended, with the same system and method, gives the same bits
/// as one run through.
struct Moment {
  double time = 0.0;  ///< s
  State state;

  // What a method remembers; empty at a start.
  double step = 0.0;               ///< proposed next step, s; 0: the method chooses
  Vector previous_position = {};   ///< two-step methods: q one step earlier
  Vector acceleration = {};        ///< implicit methods: v′, as far as it was solved for
  std::vector<int> held = {};      ///< contacts that are held closed
  std::vector<int> sticking = {};  ///< those of them that do not slide
};

}  // namespace percute::simulation

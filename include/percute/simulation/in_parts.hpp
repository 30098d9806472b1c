// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/simulation/run.hpp>

#include <functional>

namespace percute::simulation {

/// Who looks after a run while it goes; all may be empty.
struct Care {
  Observer observer = {};  ///< may throw: that ends the run, too, and goes on when it is kept
  std::function<bool()> due = {};  ///< asked after every step: is it to be kept now?
  std::function<void(const Run& part)> keep = {};  ///< keeps where it has got to: then, and at its
                                                   ///< end
};

/// Moves in parts, each from where the one before ended; the bits are those of one run.
/// `move` moves by any method, with RunOptions::resume where the moment has books.
Run run_in_parts(const std::function<Run(const Moment& from, const Observer& observer)>& move,
                 Moment from, const Care& care);

}  // namespace percute::simulation

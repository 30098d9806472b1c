// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/model/invalid_input.hpp>
#include <percute/simulation/run.hpp>
#include <percute/systems/any_system.hpp>

#include <variant>

// What a moment must be, so that a run may begin or go on there: a file that was edited must not
// move anything.

namespace percute::simulation {

/// Throws InvalidInput, naming the field ("start.memory.reach[1]"), unless all numbers fit the
/// system and the method whose memory it is.
void validate(Moment start, const systems::AnySystem& system);

/// What the method that is to go on remembers; nullptr at a start. Throws InvalidInput where it is
/// the memory of another method.
template <class Memory>
const Memory* remembered(const Moment& start) {
  if (std::holds_alternative<std::monostate>(start.memory)) return nullptr;
  const auto* memory = std::get_if<Memory>(&start.memory);
  if (memory == nullptr) throw InvalidInput("start.memory", "is that of another method");
  return memory;
}

/// A run that is to go on.
struct Continuation {
  const systems::AnySystem& system;
  const Moment& start;  ///< of its first part
  const RunOptions& run;
  double step = 0.0;      ///< s, of methods with fixed steps
  double grouping = 0.0;  ///< m, where a length is given
};

/// Throws InvalidInput unless that run could have ended in this moment, with its totals, as far as
/// can be known without moving: besides validate(), bodies overlap by no more than the method lets
/// them, the energy is that of the state, and sums and times agree.
void validate(const Moment& moment, const Continuation& run);

}  // namespace percute::simulation

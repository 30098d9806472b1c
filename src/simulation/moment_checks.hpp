// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/model/invalid_input.hpp>
#include <percute/simulation/run.hpp>
#include <percute/systems/any_system.hpp>

#include <variant>

namespace percute::simulation {

/// What a moment must be, so that a run may begin or go on there: throws InvalidInput, naming the
/// field ("start.memory.reach"), unless state and memory have the sizes of the system.
void validate(const Moment& start, const systems::AnySystem& system);

/// What the method that is to go on remembers; nullptr at a start. Throws InvalidInput where it is
/// the memory of another method.
template <class Memory>
const Memory* remembered(const Moment& start) {
  if (std::holds_alternative<std::monostate>(start.memory)) return nullptr;
  const auto* memory = std::get_if<Memory>(&start.memory);
  if (memory == nullptr) throw InvalidInput("start.memory", "is that of another method");
  return memory;
}

}  // namespace percute::simulation

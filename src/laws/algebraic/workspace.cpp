// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/algebraic/memory.hpp"
#include "model/text.hpp"

#include <percute/model/invalid_input.hpp>

#include <string>

namespace percute::laws {

AlgebraicWorkspace::AlgebraicWorkspace() = default;
AlgebraicWorkspace::~AlgebraicWorkspace() = default;
AlgebraicWorkspace::AlgebraicWorkspace(AlgebraicWorkspace&&) noexcept = default;
AlgebraicWorkspace& AlgebraicWorkspace::operator=(AlgebraicWorkspace&&) noexcept = default;

AlgebraicWorkspace::Memory& AlgebraicWorkspace::memory() {
  if (!memory_) memory_ = std::make_unique<Memory>();
  return *memory_;
}

void validate(const AlgebraicOptions& options) {
  if (options.max_stages < 1) {
    throw InvalidInput("law.max_stages", std::to_string(options.max_stages) + " is not >= 1");
  }
}

}  // namespace percute::laws

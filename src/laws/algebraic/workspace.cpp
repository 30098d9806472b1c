// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/algebraic/memory.hpp"

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
  require_ranges("law", options);
}

}  // namespace percute::laws

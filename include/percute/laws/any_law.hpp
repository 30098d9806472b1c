// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/laws/impact_law.hpp>

#include <functional>

namespace percute {

/// Any law, as a value; made from a law, or from a function that keeps its workspace.
using AnyLaw = std::function<ImpactResult(const ImpactProblem&)>;
static_assert(ImpactLaw<AnyLaw>);

}  // namespace percute

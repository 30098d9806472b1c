// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/laws/compliant.hpp>

namespace percute::laws {

/// Throws InvalidInput, naming the key, for contacts this law cannot treat.
void check_applicable(const ImpactProblem& problem, const Compliant& law);

}  // namespace percute::laws

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/model/impact_problem.hpp>

namespace percute::bench {

/// v⁺ of the LZB law (bi-stiffness, zero-gap re-engagement) by a plain method that shares no code
/// with the library's: classical Runge–Kutta of order 4 on (ξ, P) with tiny steps, shortened
/// towards events, which are found by bisection. Slow, and good to about 1e-11.
Vector plain_reference(const ImpactProblem& problem);

}  // namespace percute::bench

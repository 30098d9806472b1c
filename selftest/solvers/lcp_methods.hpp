// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "numerics/lcp_methods.hpp"

namespace percute::selftest {

using numerics::lcp::Best;
using numerics::lcp::Memory;
using numerics::lcp::Outcome;
using numerics::lcp::Problem;
using numerics::lcp::SupportEquations;

// Each method starts from the z given, and leaves its best z ≥ 0 there.
Outcome solve_by_gauss_seidel(const Problem& problem, double relaxation, Memory& memory, double* z);

enum class NewtonMap { Min, FischerBurmeister };
Outcome solve_by_newton(const Problem& problem, NewtonMap map, Memory& memory, double* z);

}  // namespace percute::selftest

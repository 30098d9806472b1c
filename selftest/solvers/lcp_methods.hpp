// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "numerics/lcp_methods.hpp"

namespace percute::selftest {

using numerics::lcp::Best;
using numerics::lcp::Need;
using numerics::lcp::Outcome;
using numerics::lcp::Problem;
using numerics::lcp::support_need;

// Each method starts from the z given, and leaves its best z ≥ 0 there.
Need gauss_seidel_need(int size);
Outcome solve_by_gauss_seidel(const Problem& problem, double relaxation, double* numbers,
                              double* z);

enum class NewtonMap { Min, FischerBurmeister };
Need newton_need(int size);
Outcome solve_by_newton(const Problem& problem, NewtonMap map, double* numbers, int* indices,
                        double* z);

}  // namespace percute::selftest

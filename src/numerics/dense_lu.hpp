// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

namespace percute::numerics {

/// P M = L U in place, M n × n by columns, rows exchanged for the largest pivot; `exchange` (n)
/// keeps the exchanges. False as soon as a pivot is at most `smallest`. Does not allocate.
bool lu_factor(double* M, int n, int* exchange, double smallest);

/// x ← M⁻¹ x with the factors of lu_factor.
void lu_solve(const double* LU, int n, const int* exchange, double* x);

}  // namespace percute::numerics

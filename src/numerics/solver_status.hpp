// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

namespace percute::numerics {

/// How the search for the solution of a problem of contacts ended.
enum class SolverStatus {
  Solved,          ///< error ≤ tolerance, or ≤ 1e-10 where rounding does not allow more
  IterationLimit,  ///< best point found; its error says how good
  NoSlipSolution,  ///< a contact cannot stick as it should: alone (singular block) or unpressed
  Infeasible,      ///< proved: no solution
};

}  // namespace percute::numerics

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "numerics/coulomb_blocks.hpp"

namespace percute::numerics {

constexpr int kLargestEnumeration = 6;  ///< contacts: at most 6⁶ combinations

/// Whether every mode of every contact is linear, and there are not too many combinations: one
/// tangent, or friction that is zero or infinite.
bool enumerable(const CoulombBlocks& blocks);

/// All solutions of such a problem; see enumerate_coulomb.
std::vector<CoulombSolution> enumerate_modes(const CoulombProblem& problem,
                                             const CoulombBlocks& blocks);

/// A planar problem as a linear complementarity problem of size 3m, solved by Lemke's method: with
/// z_t = z⁺ − z⁻ and p_t = ξ − μ p_n,
///
///   z_n ⟂ p_n − floor,   z⁺ ⟂ ξ = μ p_n + p_t,   2μ p_n − ξ = μ p_n − p_t ⟂ z⁻   (Pfeiffer &
///   Glocker 1996).
///
/// Not for μ = ∞. Updates p, z, error, iterations and status.
void solve_planar_lcp(const CoulombProblem& problem, const CoulombBlocks& blocks, double tolerance,
                      CoulombSolution& solution);

}  // namespace percute::numerics

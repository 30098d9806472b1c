// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <numerics/coulomb_blocks.hpp>

namespace percute::numerics {

constexpr int kLargestEnumeration = 6;  ///< contacts: at most 6⁶ combinations

/// All solutions of a planar problem; see enumerate_coulomb.
std::vector<CoulombSolution> enumerate_modes(const CoulombProblem& problem,
                                             const CoulombBlocks& blocks);

}  // namespace percute::numerics

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/model/mass_matrix.hpp>

#include <vector>

namespace percute {

/// Whether these columns of H, directions h of impulses with mobilities hᵀ M⁻¹ h, are dependent:
/// then other impulses along them give the same velocities. A column of which 1e-12 of its mobility
/// is left by the others depends on them.
bool redundant(const MassMatrix& mass, const SparseMatrix& H, const std::vector<int>& columns,
               const Vector& mobility);
/// All of them.
bool redundant(const MassMatrix& mass, const SparseMatrix& H);

}  // namespace percute

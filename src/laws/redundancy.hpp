// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/model/mass_matrix.hpp>

namespace percute {

/// Whether the columns of H, directions of impulses, are dependent: then other impulses along them
/// give the same velocities. A column of which 1e-12 of its mobility is left by the others depends
/// on them.
bool redundant(const MassMatrix& mass, const SparseMatrix& H);

}  // namespace percute

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "numerics/pivoted_cholesky.hpp"

namespace percute::analysis {

/// ½ uᵀ S⁺ u for u in the range of S: a largest set of independent rows says it all. With these
/// rows L_r of L (lower triangular in the order chosen), it is ½ |L_r⁻¹ u_r|².
double reachable_energy(const numerics::PivotedCholesky& pivots, const Vector& scaled_rates);

}  // namespace percute::analysis

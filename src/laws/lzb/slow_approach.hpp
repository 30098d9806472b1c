// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "laws/lzb/impact_setup.hpp"

#include <percute/numerics/linear_algebra.hpp>

#include <vector>

namespace percute::laws {

/// Ends what is left of an impact by one plastic step (Moreau, e = 0) on the gap rates U,
///
///     0 ≤ U + G p ⊥ p ≥ 0,
///
/// to a tenth of tol_U: the rest of an infinite cascade, or, with many contacts, approach slower
/// than the tolerance resolves. Gives p, and adds what it costs to the losses. False if the step
/// was not solved.
bool plastic_step(const ImpactSetup& setup, const std::vector<double>& U, Vector& impulse,
                  Vector& dissipated);

}  // namespace percute::laws

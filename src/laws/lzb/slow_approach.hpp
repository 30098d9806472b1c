// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "laws/lzb/impact_setup.hpp"

#include <percute/numerics/linear_algebra.hpp>

#include <vector>

namespace percute::laws {

/// What is left of an impact with many contacts may approach more slowly than its tolerance
/// resolves. Removes that by one plastic step (Moreau, e = 0),
///
///     0 ≤ U + G p ⊥ p ≥ 0,
///
/// to a tenth of tol_U. Adds p to the impulses and what it costs to the losses; U holds the gap
/// rates before and after. Returns the fastest approach removed, 0 if there was none beyond tol_U.
double remove_slow_approach(const ImpactSetup& setup, std::vector<double>& U, Vector& impulse,
                            Vector& dissipated);

/// Ends an infinite cascade with one plastic step (Moreau, e = 0) on the residual gap rates; the
/// change of velocity is bounded by the residual. False if the step was not solved.
bool finish_plastically(const ImpactSetup& setup, const std::vector<double>& U, Vector& impulse,
                        Vector& dissipated);

}  // namespace percute::laws

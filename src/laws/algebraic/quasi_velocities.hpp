// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/laws/impact_law.hpp>

namespace percute::laws {

/// ζ⁺ = −ℰ ζ⁻ in kinetic quasi-velocities; see RestitutionMatrix. With N = M⁻¹W D^(−½), unit
/// columns in the kinetic metric, C = NᵀMN and T as there, v = N C⁻¹ζ_n + T ζ_t. Impulses follow
/// from
///
///     Δζ_n = C D^½ p_n + NᵀH_t p_t,      Δζ_t = TᵀH_t p_t   (least squares).
ImpactResult resolve_quasi_velocities(const ImpactProblem& problem, const Matrix& E);

}  // namespace percute::laws

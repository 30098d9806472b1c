// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "laws/algebraic/friction_space.hpp"

namespace percute::laws {

/// Compression and expansion of Poisson's law with Coulomb friction in both:
///
///     compression   0 ≤ U_n^c ⟂ p_n^c ≥ 0,             friction μ p_n^c against U_t^c
///     expansion     0 ≤ U_n⁺ ⟂ p_n^e − E p_n^c ≥ 0,    friction μ p_n^e against U_t⁺
ImpactResult frictional_poisson(const ImpactProblem& problem, const AlgebraicOptions& options);

}  // namespace percute::laws

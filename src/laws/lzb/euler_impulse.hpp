// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "laws/lzb/impact_setup.hpp"

#include <percute/model/impact_history.hpp>

namespace percute::laws {

/// The explicit Euler scheme of the papers in the impulse of the primary contact (Liu, Zhao,
/// Brogliato 2008, section 5; 2009, section 2), with the corrections that make it work: increments
/// of contact j in its work, exponent η/(1+η), bounded restarts, energies clipped at zero. First
/// order; for comparison and teaching.
///
/// With P the impulse of contact i, the one with the largest energy,
///
///     dP_j/dP = λ_j/λ_i,   dU = G dP,   dE_j = −U_j dP_j  (in expansion −U_j dP_j/e_j²),
///     λ_j = (1+η)^(η/(1+η)) K_j^(1/(1+η)) E_j^(η/(1+η)).
ImpactResult run_euler_impulse(const ImpactProblem& problem, const Lzb& law,
                               const ImpactSetup& setup, const Recording* recording);

}  // namespace percute::laws

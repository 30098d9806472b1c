// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/laws/algebraic.hpp>

namespace percute::laws {

/// Newton's kinematic law with a coefficient e_i at each contact, E = diag(e_i):
///
///     complementarity    0 ≤ U⁺ + E U⁻ ⟂ p ≥ 0
///     equality           U⁺ = −E U⁻,   p = −G⁻¹ (I + E) U⁻
///
/// The first changes the energy by ½ Σ p_i (1 − e_i) U_i⁻, so it loses energy whatever the e_i in
/// [0, 1] as long as nothing separated before. The second may pull (p_i < 0) or gain energy where
/// coefficients differ: it is for analysis, and the verdicts of its result tell.
struct Newton {
  enum class Form { Complementarity, Equality };

  Form form = Form::Complementarity;
  AlgebraicOptions options = {};

  ImpactResult operator()(const ImpactProblem& problem) const;
  ImpactResult operator()(const ImpactProblem& problem, AlgebraicWorkspace& workspace) const;
};

void validate(const Newton& law);

}  // namespace percute::laws

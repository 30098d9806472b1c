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
  static constexpr std::string_view kKind = "newton";
  enum class Form { Complementarity, Equality };

  Form form = Form::Complementarity;
  AlgebraicOptions options = {};

  ImpactResult operator()(const ImpactProblem& problem) const;
  ImpactResult operator()(const ImpactProblem& problem, AlgebraicWorkspace& workspace) const;
};

constexpr Names<Newton::Form, 2> names(Newton::Form) {
  return {
      {{"complementarity", Newton::Form::Complementarity}, {"equality", Newton::Form::Equality}}};
}
template <Same<Newton> Law>
void fields(Law& law, auto&& visit) {
  visit(Field{"form", "0 ≤ U⁺ + E U⁻ ⟂ p ≥ 0, or U⁺ = −E U⁻"}, law.form);
  fields(law.options, visit);
}
void validate(const Newton& law);

}  // namespace percute::laws

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/laws/algebraic.hpp>

namespace percute::laws {

/// Two-phase law with Poisson's kinetic coefficients e_i, E = diag(e_i) (Pfeiffer, Glocker 1996):
///
///     compression   0 ≤ U^c = U⁻ + G p^c ⟂ p^c ≥ 0
///     expansion     0 ≤ U⁺ = U^c + G p^e ⟂ p^e − E p^c ≥ 0
///
/// With 0 ≤ e_i ≤ 1 no energy is created and nothing approaches afterwards, whatever happened
/// before; with equal e_i and nothing separating it is Moreau's law. Coefficients up to 2 are
/// accepted, because some admissible outcomes need them: the energy verdict tells whether they made
/// sense. For three equal balls e₁ = x + y/2, e₂ = x + 2y reach U⁺ = (x, y) V.
///
/// With Coulomb friction (μ_i > 0 at a contact with tangents) both phases obey Coulomb's law with
/// their final sliding velocity; expansion may then create energy, which the verdict reports.
struct Poisson {
  static constexpr std::string_view kKind = "poisson";
  static constexpr bool uses_friction() { return true; }

  AlgebraicOptions options = {};

  ImpactResult operator()(const ImpactProblem& problem) const;
  ImpactResult operator()(const ImpactProblem& problem, AlgebraicWorkspace& workspace) const;
};

template <Same<Poisson> Law>
void fields(Law& law, auto&& visit) {
  fields(law.options, visit);
}
void validate(const Poisson& law);

}  // namespace percute::laws

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/laws/algebraic.hpp>

#include <optional>

namespace percute::laws {

/// Moreau's law (Moreau 1988): one restitution coefficient e for the whole impact,
///
///     v⁺ = −e v⁻ + (1 + e) proj_M[V; v⁻],      V = { w : Wᵀw ≥ 0 },
///     0 ≤ U⁺ + e U⁻ ⟂ p ≥ 0,
///
/// so p = (1 + e) p⁰ with p⁰ the impulses of the plastic impact. Energy changes by
/// −½ (1−e)/(1+e) pᵀGp ≤ 0. Nothing approaches afterwards if nothing separated before. A row of N
/// equal balls struck at speed V ends with v₁ = V (1 − (1+e)(N−1)/N) and all others (1+e) V/N: this
/// law knows no waves.
struct Moreau {
  static constexpr std::string_view kKind = "moreau";

  std::optional<double> restitution = {};
  AlgebraicOptions options = {};

  ImpactResult operator()(const ImpactProblem& problem) const;
  ImpactResult operator()(const ImpactProblem& problem, AlgebraicWorkspace& workspace) const;
};

template <Same<Moreau> Law>
void fields(Law& law, auto&& visit) {
  visit(Field{"restitution", "the one coefficient e; none: that of the contacts, if all agree",
              Range::fraction()},
        law.restitution);
  fields(law.options, visit);
}

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

/// Newton's law with Coulomb friction at the level of impulses, e_i and μ_i at each contact:
///
///     z_n = U_n⁺ + e_i U_n⁻,       0 ≤ z_n ⟂ p_n ≥ 0,
///     z_t = U_t⁺ + θ U_t⁻,         |p_t| ≤ μ p_n,   z_t ≠ 0 ⇒ p_t = −μ p_n z_t/|z_t|.
///
/// θ = 1, the mean sliding velocity (Frémond 1995), never creates energy for 0 ≤ e_i ≤ 1 where
/// nothing separates before; θ = 0, the sliding velocity after the impact (Moreau 1988), may do so
/// unless all e_i are 0: Kane's double pendulum gains 59 % at e = μ = 0.5. Between them θ acts as
/// tangential restitution (Leine, van de Wouw 2008). Velocities may be non-unique.
struct Coulomb {
  static constexpr std::string_view kKind = "coulomb";
  static constexpr bool uses_friction() { return true; }
  enum class OnEnergyGrowth {
    Report,           ///< keep the outcome; the verdict tells
    FallbackFremond,  ///< solve again with θ = 1
    ReduceE,          ///< shrink all e_i by the largest common factor that creates no energy
  };

  double tangential = 1.0;
  OnEnergyGrowth on_energy_growth = OnEnergyGrowth::Report;
  AlgebraicOptions options = {};

  ImpactResult operator()(const ImpactProblem& problem) const;
};

constexpr Names<Coulomb::OnEnergyGrowth, 3> names(Coulomb::OnEnergyGrowth) {
  return {{{"report", Coulomb::OnEnergyGrowth::Report},
           {"fallback_fremond", Coulomb::OnEnergyGrowth::FallbackFremond},
           {"reduce_e", Coulomb::OnEnergyGrowth::ReduceE}}};
}
template <Same<Coulomb> Law>
void fields(Law& law, auto&& visit) {
  visit(Field{"tangential", "θ: friction opposes the mean sliding velocity (1) or the last (0)",
              Range::closed(-1.0, 1.0)},
        law.tangential);
  visit(Field{"on_energy_growth", "if energy grew: keep and tell, θ = 1, or smaller e"},
        law.on_energy_growth);
  fields(law.options, visit);
}

}  // namespace percute::laws

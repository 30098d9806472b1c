// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/laws/algebraic.hpp>

namespace percute::laws {

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
void validate(const Coulomb& law);

}  // namespace percute::laws

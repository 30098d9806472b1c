// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/laws/impact_law.hpp>
#include <percute/model/fields.hpp>

namespace percute::laws {

/// A single contact with Coulomb friction in the impulse variable (Darboux 1880; Routh's diagrams;
/// Keller 1986; Stronge 1990). The normal impulse p grows from 0, and with U = U⁻ + A (p, p_t)
///
///     slip    dp_t/dp = −μ U_t/|U_t|,
///     stick   dp_t/dp = −A_tt⁻¹ A_tn,  where slip has stopped and |A_tt⁻¹ A_tn| ≤ μ,
///     else slip goes on along the one direction u with A_tn − μ A_tt u = α u, α > 0.
///
/// Compression lasts until U_n = 0; expansion ends as `termination` says. One tangent (planar):
/// U_n(p) is piecewise linear, all in closed form. Two tangents (spatial): the slip direction turns
/// meanwhile, an integration to 1e-13. Where A_nn < μ A_nt u the impact jams: the bodies are drawn
/// together first, slip stops, and they come apart all the same.
///
/// Who takes part: the one contact that approaches. Others may be closed as long as nothing drives
/// them together meanwhile; then they take no part and no impulse. Otherwise the status is
/// NotApplicable, with the reason in the diagnostics and velocities left as they are.
///
/// Infinite friction stops all sliding at once; where that alone separates the bodies no pressure
/// would be left to do it, and the status is NoSlipSolution.
///
/// On status Ok: p ≥ 0, U_n⁺ ≥ 0, |p_t| ≤ μ p, and no energy is created but by Termination::Newton.
/// Energy stored in contacts stays there.
struct DarbouxKellerSingle {
  static constexpr std::string_view kKind = "darboux_keller_single";
  static constexpr bool uses_friction() { return true; }

  /// End of expansion; p_c is the impulse of compression and W(p) = ∫ U_n dp, work on the bodies.
  enum class Termination {
    Energetic,  ///< W(p_f) = (1 − e²) W(p_c), Stronge
    Poisson,    ///< p_f = (1 + e) p_c; never creates energy either for e ≤ 1
    Newton,     ///< U_n⁺ = −e U_n⁻; may create energy, for comparison
  };

  Termination termination = Termination::Energetic;
  bool impact_without_collision = false;  ///< Painlevé's paradox

  ImpactResult operator()(const ImpactProblem& problem) const;
};

constexpr Names<DarbouxKellerSingle::Termination, 3> names(DarbouxKellerSingle::Termination) {
  return {{{"energetic", DarbouxKellerSingle::Termination::Energetic},
           {"poisson", DarbouxKellerSingle::Termination::Poisson},
           {"newton", DarbouxKellerSingle::Termination::Newton}}};
}
template <Same<DarbouxKellerSingle> Law>
void fields(Law& law, auto&& visit) {
  visit(Field{"termination", "when expansion ends: e of work, of impulse, of velocity"},
        law.termination);
  visit(Field{"impact_without_collision",
              "a contact that slides with U⁻ = 0 may start an impact where friction alone presses "
              "the bodies together (A_nn < μ A_nt u)"},
        law.impact_without_collision);
}

}  // namespace percute::laws

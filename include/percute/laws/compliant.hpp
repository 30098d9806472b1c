// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/laws/impact_law.hpp>
#include <percute/model/fields.hpp>

#include <optional>

namespace percute::laws {

/// Contacts as springs and dampers, integrated in time with frozen geometry:
///
///     M v̇ = W F,    ġ_i = U_i = (Wᵀv)_i,    δ_i = −g_i,    F_i = F(δ_i, δ̇_i, what i remembers) ≥
///     0.
///
/// The truth the other laws are judged by: gaps that open meanwhile must close again before a
/// contact acts (unlike laws that neglect displacements). Forces, with m* = 1/G_ii:
///
///     Linear, Hertz, Power   k δ^n, n = 1, 3/2, any
///     KelvinVoigt            k δ + c δ̇
///     HuntCrossley           k δ^n (1 + χ δ̇)                     Simon 1967; Hunt, Crossley 1975
///     LankaraniNikravesh     the same, χ = 3(1 − e²)/(4 v0)       1990
///     ExactRestitution       the same, χ v0 chosen so that a single contact restitutes e
///     KuwabaraKono           k δ^(3/2) + g δ^(1/2) δ̇             1987
///     Tsuji                  k δ^(3/2) + β √(m* k) δ^(1/4) δ̇     Tsuji, Tanaka, Ishida 1992
///     BiStiffness            loads k δ^n, unloads to δ_r = (1 − e²) δ_max
///     WaltonBraun            loads k1 δ, unloads k2 (δ − δ_0)      1986
///     TriStiffness           k1 to the yield point, k2 beyond, unloads k3
///     Elastoplastic          Hertz to the yield pressure, then linear; Thornton 1997
///
/// v0 is the speed at which the contact closed. The last four remember their largest indentation:
/// compressed again before they have unloaded, they retrace the unloading curve up to it. (Lzb with
/// contact model bi_stiffness goes back to the loading curve at once: these are two laws.) A gap
/// that has reopened starts afresh.
///
/// Friction is Coulomb's at every instant, with μ of each contact: f = −μ F U_t/|U_t| where it
/// slides, and where it does not what holds it, as far as |f| ≤ μ F goes. With one contact and an
/// elastic force, or BiStiffness, the outcome is that of DarbouxKellerSingle. Energy stored in a
/// contact puts it on its loading curve, k δ^(n+1)/(n+1).
///
/// On status Ok: nothing approaches, nothing is loaded, p ≥ 0 with Tension::Clamp, and the energy
/// balance closes to 10 tolerances.
struct Compliant {
  static constexpr std::string_view kKind = "compliant";
  static constexpr bool uses_friction() { return true; }
  bool uses_restitution() const;  ///< by its force

  enum class Force {
    Hertz,
    Linear,
    Power,
    KelvinVoigt,
    HuntCrossley,
    KuwabaraKono,
    Tsuji,
    LankaraniNikravesh,
    ExactRestitution,
    BiStiffness,
    WaltonBraun,
    TriStiffness,
    Elastoplastic,
  };
  /// What happens where a damper would pull.
  enum class Tension {
    Clamp,  ///< the contact lets go when its force reaches 0, even if still indented
    Allow,  ///< it pulls until the indentation is 0
  };

  Force force = Force::Hertz;
  Tension tension = Tension::Clamp;
  double tolerance = 1e-9;
  std::optional<double> minimum_speed = {};
  std::optional<double> regularisation_velocity = {};
  long max_steps = 1'000'000;
  long max_events = 100'000;

  ImpactResult operator()(const ImpactProblem& problem) const;
  ImpactResult operator()(const ImpactProblem& problem, const Recording& recording) const;
};

constexpr Names<Compliant::Force, 13> names(Compliant::Force) {
  using Force = Compliant::Force;
  return {{{"hertz", Force::Hertz},
           {"linear", Force::Linear},
           {"power", Force::Power},
           {"kelvin_voigt", Force::KelvinVoigt},
           {"hunt_crossley", Force::HuntCrossley},
           {"kuwabara_kono", Force::KuwabaraKono},
           {"tsuji", Force::Tsuji},
           {"lankarani_nikravesh", Force::LankaraniNikravesh},
           {"exact_restitution", Force::ExactRestitution},
           {"bi_stiffness", Force::BiStiffness},
           {"walton_braun", Force::WaltonBraun},
           {"tri_stiffness", Force::TriStiffness},
           {"elastoplastic", Force::Elastoplastic}}};
}
constexpr Names<Compliant::Tension, 2> names(Compliant::Tension) {
  return {{{"clamp", Compliant::Tension::Clamp}, {"allow", Compliant::Tension::Allow}}};
}
template <Same<Compliant> Law>
void fields(Law& law, auto&& visit) {
  visit(Field{"force", "of every contact"}, law.force);
  visit(Field{"tension", "a damped contact lets go at zero force, or pulls until it opens"},
        law.tension);
  visit(Field{"tolerance", "accuracy relative to the problem's scales", Range::closed(1e-12, 1e-3)},
        law.tolerance);
  visit(Field{"minimum_speed", "least v0 at closing; none: 1e-3 of the largest approach",
              Range::positive(), "m/s"}
            .used(law.force == Compliant::Force::LankaraniNikravesh ||
                      law.force == Compliant::Force::ExactRestitution,
                  "forces 'lankarani_nikravesh' and 'exact_restitution'"),
        law.minimum_speed);
  visit(Field{"regularisation_velocity",
              "v_reg of friction −μ F U_t/max(|U_t|, v_reg); none: Coulomb's law, with stick",
              Range::positive(), "m/s"},
        law.regularisation_velocity);
  visit(Field{"max_steps", "limit; then not_terminated", Range::count()}, law.max_steps);
  visit(Field{"max_events", "limit; then not_terminated", Range::count()}, law.max_events);
}
/// "compliant (hertz, tol 1e-9)".
std::string title(const Compliant& law);
void validate(const Compliant& law);

}  // namespace percute::laws

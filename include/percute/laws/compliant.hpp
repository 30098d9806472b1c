// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/laws/impact_law.hpp>

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
  double tolerance = 1e-9;  ///< relative to the problem's scales; 1e-12 … 1e-3
  /// Least v0 of LankaraniNikravesh and ExactRestitution, m/s; none: 1e-3 of the largest approach.
  std::optional<double> minimum_speed = {};
  /// Friction −μ F U_t/max(|U_t|, v_reg) with this v_reg, m/s; none: Coulomb's law, with stick.
  std::optional<double> regularisation_velocity = {};
  long max_steps = 1'000'000;
  long max_events = 100'000;

  ImpactResult operator()(const ImpactProblem& problem) const;
  ImpactResult operator()(const ImpactProblem& problem, const Recording& recording) const;
};

void validate(const Compliant& law);

}  // namespace percute::laws

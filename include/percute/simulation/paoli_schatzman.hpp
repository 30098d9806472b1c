// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/laws/any_law.hpp>
#include <percute/simulation/run.hpp>
#include <percute/systems/any_system.hpp>

namespace percute::simulation {

/// Time stepping without events (Paoli & Schatzman, Comput. Methods Appl. Mech. Engrg. 196 (2007),
/// equations 18–22; SIAM J. Numer. Anal. 40 (2002) 734). From q⁰ and q¹ = q⁰ + Δt v⁰,
///
///     q^{k+1} = 2 q^k − q^{k−1} + Δt² F + (1 + e) M⁻¹ H ζ,
///     F = M(q^k)⁻¹ f(t_k, q^k, (q^{k+1} − q^{k−1})/2Δt),
///     z = (q^{k+1} + e q^{k−1})/(1 + e),   0 ≤ ζ ⟂ h(q^k) + Hᵀ (z − q^k) ≥ 0.
///
/// It projects the average z on the admissible set in the kinetic metric frozen at q^k; with one
/// constraint, linear in q, that is the published scheme, and the complementarity problem extends
/// it to several, each with its own e and z. The impulse of a step is p = (1 + e) ζ/Δt. Second
/// order where nothing touches, first order with impacts; positions may violate h ≥ 0 by O(Δt).
///
/// The law of impact is the scheme's own, with the restitution e in [0, 1] of each contact's
/// material at the start: the argument `law` is not used. Contacts are frictionless. A step is
/// explicit in q, so it needs Δt < 2/ω for the highest frequency ω of the system.
///
/// Events: ActiveStep, at every step with impulses above rounding. An impact begins with the first
/// of consecutive active steps of a contact, if it approaches faster than
/// run.micro_bounce_velocity then; contacts whose first steps are the same are one impact, and
/// max_events limits their number. A step too long for the motion is told in the run's warnings
/// (RunLedger).
///
/// In files: method = "paoli_schatzman".
struct PaoliSchatzman {
  using Memory = PaoliSchatzmanMemory;

  double step = 1e-4;
  bool allow_unstable_step = false;
  RunOptions run = {};

  Run operator()(const systems::AnySystem& system, const Moment& start, const AnyLaw& law = {},
                 const Observer& observer = {}) const;
};

template <Same<PaoliSchatzman> Method>
void fields(Method& method, auto&& visit) {
  visit(Field{"step", "the length of a step, Δt", Range::positive(), "s"}.needed(), method.step);
  visit(Field{"allow_unstable_step", "go on with a step beyond the limit: it will blow up"},
        method.allow_unstable_step);
}
/// Throws InvalidInput, naming the field.
void validate(const PaoliSchatzman& method);

}  // namespace percute::simulation

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/laws/any_law.hpp>
#include <percute/simulation/run.hpp>
#include <percute/systems/any_system.hpp>

namespace percute::simulation {

/// Time stepping for velocities that jump (Moreau 1988; Jean 1999), in one leg:
///
///     v_θ = (1 − θ) v_k + θ v_{k+1},   q_θ = q_k + θ h v_θ,   q_{k+1} = q_k + h v_θ,
///     M(q_θ) (v_{k+1} − v_k) = h f(t_k + θ h, q_θ, v_θ) + W p + friction,
///
/// with W and the contacts that are closed at q_k + h v_k/2. The impulses p of a step are those of
/// impacts and of contacts that stay, in one; the law of impact is asked once per step. Newton's
/// becomes
///
///     0 ≤ U_{k+1} + e U_k ⟂ p ≥ 0,
///
/// so that contacts at rest stay at rest. Any law is brought into this form: it is given velocities
/// ṽ with U(ṽ)_i = (U_free,i + e_i U_k,i)/(1 + e_i), where U_free are those without impulses and
/// e_i is what the law makes of contact i alone, and v_{k+1} = v_free + (what it makes of ṽ) − ṽ.
/// Sliding velocities likewise, with what the law makes of sliding it can stop: 1 for Coulomb with
/// tangential = 1, 0 with 0.
///
/// First order with impacts, second order without for θ = ½. Gaps are not corrected: bodies overlap
/// by up to a step's motion at an impact. Newton's law loses energy for ½ ≤ θ ≤ 1/(1 + e) in linear
/// systems (Acary 2016).
///
/// Events: ActiveStep, at the end of every step with impulses; impacts are those of them with an
/// approach above run.micro_bounce_velocity and what forces do in two steps, and max_events limits
/// their number. A step too long for the motion is told in the run's warnings (RunLedger).
///
/// In files: method = "moreau_jean".
struct MoreauJean {
  using Memory = MoreauJeanMemory;

  double step = 0.0;
  double theta = 0.5;
  RunOptions run = {};

  Run operator()(const systems::AnySystem& system, const Moment& start, const AnyLaw& law,
                 const Observer& observer = {}) const;
};

template <Same<MoreauJean> Method>
void fields(Method& method, auto&& visit) {
  visit(Field{"step", "the length of a step, h", Range::positive(), "s"}.needed(), method.step);
  visit(Field{"theta", "θ: ½ keeps the energy of smooth motion, 1 damps most",
              Range::closed(0.5, 1.0)},
        method.theta);
}
/// Throws InvalidInput, naming the field.
void validate(const MoreauJean& method);

}  // namespace percute::simulation

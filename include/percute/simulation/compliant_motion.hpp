// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/laws/compliant.hpp>
#include <percute/simulation/run.hpp>
#include <percute/systems/any_system.hpp>

namespace percute::simulation {

/// Compliant contacts while everything moves:
///
///     q' = v,   M(q) v' = f(t, q, v) + Σ ∇h_i F_i + friction,   F_i = F(δ_i, δ_i', memory),
///     δ_i = −h_i(q),   δ_i' = −∇h_i · v,
///
/// with every force of laws::Compliant and its friction. The law alone freezes the geometry and
/// leaves out f while bodies are in contact; here nothing is frozen, so contacts that overlap in
/// time, that stay closed, or that carry weight are what they are. Integrated by an adaptive method
/// of order 8(5,3) that ends its steps at every touch, end of contact and change of branch, with
/// flights between contacts in steps as long as their smoothness allows.
///
/// Events: ContactBegins where a gap closes or a released contact pushes again, ContactEnds, with
/// impulse and lost energy of the whole contact, where its force is over. An impact begins where a
/// contact closes faster than run.micro_bounce_velocity while no other one moves that fast:
/// contacts that overlap in time are one impact, and those at rest are none and hide none. The
/// energy record counts what contacts have stored.
///
/// What the law says of an impact holds for the run: v0 has at least the law's minimum_speed, or
/// 1e-3 of the fastest approach so far and run.micro_bounce_velocity. The law's max_steps is a
/// limit of steps, taken and rejected, in which time does not come further than one compression
/// takes: then the run ends with NotTerminated. (Carried on from there it has as many again.) Its
/// max_events is not used. A contact may start indented, on its loading curve, where the start
/// lists it as held.
///
/// Two tolerances: while any contact has a force steps are those of the law, law.tolerance, and in
/// flight those of `tolerance`. An outcome is as good as the coarser one allows: where contacts
/// last or follow each other closely, a `tolerance` below law.tolerance changes nothing.
///
/// The account is complete at any end: energy.final (with what contacts have stored) +
/// energy.dissipated − energy.expected is the work of what drives the system; where nothing does it
/// is the error of the run, energy_residual.
///
/// In files: method = "event_driven_adaptive", the default, with law.kind = "compliant".
struct CompliantMotion {
  laws::Compliant law = {};  ///< its tolerance: of steps in which contacts have a force
  double tolerance = 1e-10;
  RunOptions run = {};

  Run operator()(const systems::AnySystem& system, const Moment& start,
                 const Observer& observer = {}) const;
};

template <Same<CompliantMotion> Method>
void fields(Method& method, auto&& visit) {
  visit(Field{"tolerance", "of steps in flight, relative to speeds", Range::closed(1e-13, 1e-3)},
        method.tolerance);
}
/// Throws InvalidInput, naming the field.
void validate(const CompliantMotion& method);

}  // namespace percute::simulation

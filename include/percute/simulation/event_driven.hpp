// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/laws/any_law.hpp>
#include <percute/simulation/run.hpp>
#include <percute/systems/any_system.hpp>

namespace percute::simulation {

/// Smooth motion between located impacts, with the error of every step kept below a tolerance.
///
/// Between events M(q) v′ = f + W ν (+ friction), where the contacts in ν are those held closed:
///
///     h_i = 0, h_i′ = 0,   0 ≤ ν ⟂ h″ = A ν + b ≥ 0,   A = Wᵀ M⁻¹ W.
///
/// This linear complementarity problem (Pfeiffer & Glocker 1996, with Coulomb's law at the level of
/// accelerations where the impact law has friction) is solved when contacts close, and again
/// whenever a force would turn into a pull, sliding stops, or friction reaches its limit; in
/// between the set of held contacts is fixed and the motion smooth. It is integrated by the
/// embedded pair of order 8 of Dormand and Prince (Hairer, Nørsett & Wanner 1993). Gaps are watched
/// at 16 points of the dense output of a step; the instant at which one closes is found by
/// repeating the step with another length, to rounding.
///
/// When a gap closes, all closed contacts and those that are about to close (`grouping`) take part
/// in one impact, which the law resolves. A rebound slower than RunOptions::micro_bounce_velocity
/// onto a contact that would close again is taken as contact once the instant is known at which
/// bounces of shrinking length accumulate (event Accumulation); one lower than rounding of the gap,
/// or slower than a speed that was given, as soon as it comes; one that is zero at once
/// (ContactBegins). No length or speed is fixed in metres: see docs/theory/simulation.md.
///
/// A law that does not answer, contact forces that do not exist and steps that become too short end
/// the run with RunStatus::NotConverged and a reason; the state is that before.
///
/// In files: method = "event_driven_adaptive", the default, with any law but "compliant".
struct EventDriven {
  using Memory = EventDrivenMemory;

  double tolerance = 1e-10;
  /// Empty: contacts that have all but 1e-6 of their ways behind them, the ways since they were
  /// closed.
  std::optional<double> grouping = {};
  RunOptions run = {};

  /// Throws InvalidInput, naming the field, if options or start are wrong or bodies overlap.
  Run operator()(const systems::AnySystem& system, const Moment& start, const AnyLaw& law,
                 const Observer& observer = {}) const;
};

template <Same<EventDriven> Method>
void fields(Method& method, auto&& visit) {
  visit(Field{"tolerance", "local error of a step over its scales", Range::closed(1e-14, 1e-2)},
        method.tolerance);
  visit(Field{"grouping", "contacts that approach and are closer than this belong to one impact",
              Range::not_negative(), "m"},
        method.grouping);
}
/// Throws InvalidInput, naming the field.
void validate(const EventDriven& method);

}  // namespace percute::simulation

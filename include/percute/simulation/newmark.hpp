// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/laws/any_law.hpp>
#include <percute/simulation/run.hpp>
#include <percute/systems/any_system.hpp>

namespace percute::simulation {

/// Event-driven simulation with Newmark's average acceleration in between (Paoli & Schatzman 2007,
/// equations 15–17). With F the acceleration, M F = f(t, q, v),
///
///     q₁ = q₀ + Δt v₀ + Δt²/4 (F₀ + F₁),   v₁ = v₀ + Δt/2 (F₀ + F₁).
///
/// A step that ends with a gap below 0 is cut at the instant at which the gap closes; the impact
/// law says how velocities jump, and a full step follows. Unconditionally stable for linear
/// systems, and of second order with the default treatment of events.
///
/// What rebounds more slowly than RunOptions::micro_bounce_velocity onto a contact that would close
/// again stays in contact: its gap is held with the force this takes, until that would have to
/// pull. (The paper has no rule for it.) Held contacts are frictionless.
///
/// In files: method = "event_driven".
struct Newmark {
  using Memory = NewmarkMemory;

  enum class Event {
    /// The cut step is solved again: energy and second order are kept.
    Resolve,
    /// As printed in the paper: the instant of impact is taken from the parabola of the step that
    /// overshot. An error of order Δt² in velocities at every impact, where steps leave Δt³: it
    /// loses energy. To reproduce tables.
    Literal,
  };

  double step = 1e-4;
  Event event = Event::Resolve;
  /// Empty: 1e-6 of how far both have been open, that contact and the one that strikes.
  std::optional<double> grouping = {};
  RunOptions run = {};

  Run operator()(const systems::AnySystem& system, const Moment& start, const AnyLaw& law,
                 const Observer& observer = {}) const;
};

constexpr Names<Newmark::Event, 2> names(Newmark::Event) {
  return {{{"resolve", Newmark::Event::Resolve}, {"literal", Newmark::Event::Literal}}};
}
template <Same<Newmark> Method>
void fields(Method& method, auto&& visit) {
  visit(Field{"step", "the length of a step, Δt", Range::positive(), "s"}.needed(), method.step);
  visit(Field{"newmark_event", "solve the cut step again, or as printed in the paper"},
        method.event);
  visit(Field{"grouping", "nearer contacts that approach take part in an impact",
              Range::not_negative(), "m"},
        method.grouping);
}
/// Throws InvalidInput, naming the field.
void validate(const Newmark& method);

}  // namespace percute::simulation

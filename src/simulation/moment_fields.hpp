// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/simulation/run.hpp>

#include <type_traits>

// The fields of a Moment by name: a visitor is called with the name of each, and with the field.

namespace percute {

/// Names and fields in turn.
void all(auto& visit, const char* name, auto& field, auto&&... more) {
  visit(name, field);
  if constexpr (sizeof...(more) > 0) all(visit, more...);
}

void fields(ContactMemory& x, auto&& visit) {
  all(visit, "branch", x.branch, "largest", x.largest, "force", x.force, "residual", x.residual,
      "damping", x.damping);
}

void fields(FrictionMode& x, auto&& visit) {
  all(visit, "kind", x.kind, "direction", x.direction, "offset", x.offset, "fresh", x.fresh, "slow",
      x.slow);
}

void fields(FrictionMemory& x, auto&& visit) {
  all(visit, "modes", x.modes, "decided", x.decided, "again", x.again, "places", x.places, "shape",
      x.shape);
}

}  // namespace percute

namespace percute::simulation {

using percute::fields;

void fields(AccumulationMemory::Impact& x, auto&& visit) {
  all(visit, "time", x.time, "contacts", x.contacts, "flight", x.flight);
}

void fields(AccumulationMemory::Ending& x, auto&& visit) {
  all(visit, "time", x.time, "contacts", x.contacts, "lost", x.lost);
}

void fields(AccumulationMemory::Alone& x, auto&& visit) {
  all(visit, "approach", x.approach, "ratio", x.ratio, "end", x.end, "slow", x.slow);
}

void fields(AccumulationMemory& x, auto&& visit) {
  all(visit, "impacts", x.impacts, "endings", x.endings, "alone", x.alone, "in_turns", x.in_turns,
      "followed", x.followed);
}

void fields(EventDrivenMemory& x, auto&& visit) {
  all(visit, "energy", x.energy, "sliding_speed", x.sliding_speed, "law_has_friction",
      x.law_has_friction, "origin", x.origin, "reach", x.reach, "depth", x.depth, "widest",
      x.widest, "accumulation", x.accumulation);
}

void fields(NewmarkMemory& x, auto&& visit) {
  all(visit, "acceleration", x.acceleration, "force", x.force);
}

void fields(PaoliSchatzmanMemory& x, auto&& visit) {
  all(visit, "previous_position", x.previous_position, "active", x.active);
}

void fields(MoreauJeanMemory& x, auto&& visit) {
  all(visit, "restitution", x.restitution);
}

void fields(CompliantMemory::Force& x, auto&& visit) {
  all(visit, "mode", x.mode, "compressing", x.compressing, "effective_mass", x.effective_mass,
      "curve", x.curve);
}

void fields(CompliantMemory::Phase& x, auto&& visit) {
  all(visit, "start", x.start, "impulse", x.impulse, "lost", x.lost, "time", x.time, "work",
      x.work);
}

void fields(CompliantMemory& x, auto&& visit) {
  all(visit, "speed", x.speed, "approach", x.approach, "fastest", x.fastest, "unit_time",
      x.unit_time, "unit_speed", x.unit_speed, "restarted", x.restarted, "smooth_until",
      x.smooth_until, "forces", x.forces, "phases", x.phases, "friction", x.friction);
}

void fields(EnergyRecord& x, auto&& visit) {  // mean and deviation follow from the sums
  all(visit, "expected", x.expected, "min", x.min, "max", x.max, "final", x.final, "dissipated",
      x.dissipated, "samples", x.samples);
}

void fields(ContactCluster& x, auto&& visit) {
  all(visit, "start", x.start, "end", x.end, "impacts", x.impacts);
}

void fields(Bounce& x, auto&& visit) {
  all(visit, "clusters", x.clusters, "end", x.end, "apparent_restitution", x.apparent_restitution,
      "gap", x.gap, "measured", x.measured);
}

void fields(ContactTotals& x, auto&& visit) {
  all(visit, "phases", x.phases, "duration", x.duration, "impulse", x.impulse, "peak_force",
      x.peak_force, "peak_force_time", x.peak_force_time, "dissipated", x.dissipated,
      "dissipated_by_friction", x.dissipated_by_friction);
}

void fields(ContactReach& x, auto&& visit) {
  all(visit, "start", x.start, "gap", x.gap, "way", x.way, "overlap", x.overlap);
}

void fields(RunRecord& x, auto&& visit) {
  all(visit, "steps", x.steps, "iterations", x.iterations, "impacts", x.impacts, "active_steps",
      x.active_steps, "contact_phases", x.contact_phases, "first_impact_time", x.first_impact_time,
      "first_impact_velocity", x.first_impact_velocity, "last_contact", x.last_contact, "bounce",
      x.bounce, "energy", x.energy, "contacts", x.contacts, "energy_residual", x.energy_residual,
      "warnings", x.warnings, "wall_time", x.wall_time);
}

void fields(RunTotals& x, auto&& visit) {
  all(visit, "start_time", x.start_time, "outputs", x.outputs, "events", x.events,
      "fastest_approach", x.fastest_approach, "energy_sum", x.energy_sum, "energy_squares",
      x.energy_squares, "reaches", x.reaches);
  fields(x.record, visit);
}

/// Of a run that ended there; its memory has the type of its method.
void fields(Moment& x, auto&& visit) {
  all(visit, "time", x.time, "position", x.state.position, "velocity", x.state.velocity);
  all(visit, "step", x.step, "held", x.held, "sticking", x.sticking);
  std::visit(
      [&](auto& memory) {
        if constexpr (!std::is_same_v<std::decay_t<decltype(memory)>, std::monostate>) {
          visit("memory", memory);
        }
      },
      x.memory);
  visit("totals", x.totals);
}

/// The visitor of a struct inside another one.
template <class T>
concept HasFields = requires(T& x) { fields(x, [](auto&&...) {}); };

}  // namespace percute::simulation

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/simulation/moment.hpp>

#include <type_traits>

// The fields of a Moment by name, for whatever goes through all of them: files and checks. A
// visitor is called with the name of a field, the field, and what it may be where that is not
// Allowed::Finite.

namespace percute::simulation {

enum class Allowed {
  Finite,       ///< every number is finite, every contact is one of the system
  NotNegative,  ///< and not below 0
  Infinite,     ///< numbers may be infinite
};

void fields(AccumulationMemory::Impact& x, auto&& visit) {
  visit("time", x.time);
  visit("contacts", x.contacts);
  visit("flight", x.flight, Allowed::Infinite);
}

void fields(AccumulationMemory::Ending& x, auto&& visit) {
  visit("time", x.time);
  visit("contacts", x.contacts);
  visit("lost", x.lost);
}

void fields(AccumulationMemory::Alone& x, auto&& visit) {
  visit("approach", x.approach);
  visit("ratio", x.ratio);
  visit("end", x.end, Allowed::Infinite);
  visit("slow", x.slow);
}

void fields(AccumulationMemory& x, auto&& visit) {
  visit("impacts", x.impacts);
  visit("endings", x.endings);
  visit("alone", x.alone);
  visit("in_turns", x.in_turns, Allowed::Infinite);
  visit("followed", x.followed, Allowed::Infinite);
}

void fields(EventDrivenMemory& x, auto&& visit) {
  visit("energy", x.energy, Allowed::NotNegative);
  visit("sliding_speed", x.sliding_speed, Allowed::NotNegative);
  visit("law_has_friction", x.law_has_friction);
  visit("origin", x.origin);
  visit("reach", x.reach, Allowed::NotNegative);
  visit("depth", x.depth, Allowed::NotNegative);
  visit("widest", x.widest, Allowed::NotNegative);
  visit("accumulation", x.accumulation);
}

void fields(NewmarkMemory& x, auto&& visit) {
  visit("acceleration", x.acceleration);
  visit("force", x.force);
}

void fields(PaoliSchatzmanMemory& x, auto&& visit) {
  visit("previous_position", x.previous_position);
  visit("active", x.active);
}

void fields(MoreauJeanMemory& x, auto&& visit) {
  visit("restitution", x.restitution);
}

void fields(CompliantMemory::Force& x, auto&& visit) {
  visit("mode", x.mode);
  visit("compressing", x.compressing);
  visit("branch", x.branch);
  visit("largest", x.largest, Allowed::Infinite);
  visit("force", x.force, Allowed::Infinite);
  visit("residual", x.residual, Allowed::Infinite);
  visit("damping", x.damping, Allowed::Infinite);
  visit("effective_mass", x.effective_mass, Allowed::Infinite);
}

void fields(CompliantMemory::Phase& x, auto&& visit) {
  visit("start", x.start, Allowed::Infinite);
  visit("impulse", x.impulse, Allowed::Infinite);
  visit("lost", x.lost, Allowed::Infinite);
  visit("time", x.time, Allowed::Infinite);
  visit("work", x.work, Allowed::Infinite);
}

void fields(CompliantMemory::Friction& x, auto&& visit) {
  visit("kind", x.kind);
  visit("direction", x.direction, Allowed::Infinite);
  visit("offset", x.offset, Allowed::Infinite);
  visit("fresh", x.fresh);
  visit("slow", x.slow);
  visit("place", x.place);
  visit("share", x.share, Allowed::Infinite);
}

void fields(CompliantMemory& x, auto&& visit) {
  visit("speed", x.speed, Allowed::Infinite);
  visit("approach", x.approach, Allowed::Infinite);
  visit("fastest", x.fastest, Allowed::Infinite);
  visit("unit_time", x.unit_time, Allowed::Infinite);
  visit("unit_speed", x.unit_speed, Allowed::Infinite);
  visit("restarted", x.restarted);
  visit("smooth_until", x.smooth_until, Allowed::Infinite);
  visit("decided", x.decided, Allowed::Infinite);
  visit("again", x.again);
  visit("shares", x.shares);
  visit("forces", x.forces);
  visit("phases", x.phases);
  visit("frictions", x.frictions);
}

void fields(EnergyRecord& x, auto&& visit) {  // mean and deviation follow from the sums
  visit("expected", x.expected);
  visit("min", x.min, Allowed::Infinite);
  visit("max", x.max, Allowed::Infinite);
  visit("final", x.final);
  visit("dissipated", x.dissipated);
  visit("samples", x.samples);
}

void fields(ContactCluster& x, auto&& visit) {
  visit("start", x.start);
  visit("end", x.end);
  visit("impacts", x.impacts);
}

void fields(Bounce& x, auto&& visit) {
  visit("clusters", x.clusters);
  visit("end", x.end);
  visit("apparent_restitution", x.apparent_restitution);
  visit("gap", x.gap);
  visit("measured", x.measured);
}

void fields(ContactTotals& x, auto&& visit) {
  visit("phases", x.phases);
  visit("duration", x.duration);
  visit("impulse", x.impulse);
  visit("peak_force", x.peak_force);
  visit("peak_force_time", x.peak_force_time);
  visit("dissipated", x.dissipated);
  visit("dissipated_by_friction", x.dissipated_by_friction);
}

void fields(ContactReach& x, auto&& visit) {
  visit("start", x.start);
  visit("gap", x.gap);
  visit("way", x.way);
  visit("overlap", x.overlap);
}

void fields(RunRecord& x, auto&& visit) {
  visit("steps", x.steps);
  visit("iterations", x.iterations);
  visit("impacts", x.impacts);
  visit("active_steps", x.active_steps);
  visit("contact_phases", x.contact_phases);
  visit("first_impact_time", x.first_impact_time);
  visit("first_impact_velocity", x.first_impact_velocity);
  visit("last_contact", x.last_contact);
  visit("bounce", x.bounce);
  visit("energy", x.energy);
  visit("contacts", x.contacts);
  visit("energy_residual", x.energy_residual);
  visit("warnings", x.warnings);
  visit("wall_time", x.wall_time);
}

void fields(Books& x, auto&& visit) {
  visit("start_time", x.start_time);
  visit("outputs", x.outputs);
  visit("events", x.events);
  visit("fastest_approach", x.fastest_approach);
  visit("energy_sum", x.energy_sum);
  visit("energy_squares", x.energy_squares);
  visit("reaches", x.reaches);
  fields(x.record, visit);
}

/// Of a run that ended there; its memory has the type of its method.
void fields(Moment& x, auto&& visit) {
  visit("time", x.time);
  visit("position", x.state.position);
  visit("velocity", x.state.velocity);
  visit("step", x.step, Allowed::NotNegative);
  visit("held", x.held);
  visit("sticking", x.sticking);
  std::visit(
      [&](auto& memory) {
        if constexpr (!std::is_same_v<std::decay_t<decltype(memory)>, std::monostate>) {
          visit("memory", memory);
        }
      },
      x.memory);
  visit("books", x.books);
}

/// The visitor of a struct inside another one.
template <class T>
concept HasFields = requires(T& x) { fields(x, [](auto&&...) {}); };

}  // namespace percute::simulation

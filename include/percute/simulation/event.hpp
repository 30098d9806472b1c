// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/model/status.hpp>
#include <percute/numerics/linear_algebra.hpp>

#include <vector>

namespace percute::simulation {

/// What happens to contacts while a system moves.
enum class EventKind {
  Impact,         ///< velocities jump
  ActiveStep,     ///< time stepping: a step in which contacts gave impulses
  ContactBegins,  ///< from now on contacts are held closed
  ContactEnds,    ///< contacts that were held closed let go
  Accumulation,   ///< infinitely many impacts end here; contacts are held closed from now on
  Sticking,       ///< sliding of a held contact has stopped
  Sliding,        ///< a held contact begins to slide
};

/// Name in files: "impact", "active_step", "contact_begins", "contact_ends", "accumulation",
/// "sticking", "sliding".
const char* name(EventKind kind);

struct Event {
  double time = 0.0;  ///< s
  EventKind kind = EventKind::Impact;
  std::vector<int> contacts;   ///< those it concerns, ascending
  Vector position;             ///< q
  Vector velocity_before;      ///< v⁻
  Vector velocity_after;       ///< v⁺; equal to v⁻ unless velocities jump
  Vector impulse;              ///< N s, one per contact of `contacts`; 0 where nothing jumps
  double dissipated = 0.0;     ///< kinetic energy lost, J
  Status status = Status::Ok;  ///< of the impact law
};

}  // namespace percute::simulation

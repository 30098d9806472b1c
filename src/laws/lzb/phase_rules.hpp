// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "laws/lzb/contact_phases.hpp"

namespace percute::laws {

/// The impact at one instant, as the rules below see it. They may change ξ.
struct ImpactInstant {
  double time = 0.0;
  double* xi = nullptr;       ///< m, indentations
  const double* P = nullptr;  ///< m, impulses
  const double* U = nullptr;  ///< m, gap rates
  const double* a = nullptr;  ///< m, dU/dτ

  ContactPoint point(int i) const { return {.time = time, .xi = xi[i], .P = P[i], .U = U[i]}; }
};

/// Nothing is loaded and nothing approaches: the impact is over.
bool finished(const ImpactSetup& setup, const ContactPhases& phases, const ImpactInstant& now);

/// Infinitely many impacts in finite time: the motion that is left is negligible.
bool collapsed(const ImpactSetup& setup, const ContactPhases& phases, const ImpactInstant& now,
               double collapse_velocity);

/// Nothing moves and nothing will, though contacts are loaded: their forces balance.
bool balanced(const ImpactSetup& setup, const ContactPhases& phases, const ImpactInstant& now);

/// Contacts with zero gap rate take the phase into which their acceleration drives them. True if
/// one did.
bool settle(const ImpactSetup& setup, ContactPhases& phases, const ImpactInstant& now);

/// Phases that follow from magnitudes rather than from crossings: resting contacts that have begun
/// to move, spent contacts that separate, contacts whose motion has died out. True if the dynamics
/// changed by that.
bool tidy(const ImpactSetup& setup, ContactPhases& phases, const ImpactInstant& now);

/// The power of x in τ = x^k by which contacts that start to be compressed now are smooth.
int starting_radical(const ImpactSetup& setup, const ContactPhases& phases,
                     const ImpactInstant& now);

/// A resting contact has no events: it must be given its phase before the first one is due. Whether
/// contact i, at the end of a step, has skipped the end of its compression, or (`acts`) the
/// friction that belongs to its load.
bool missed_its_phase(const ImpactSetup& setup, const ContactPhases& phases, int i, double xi,
                      double U, bool acts);

/// Contact i has reached ξ = 0 and opens; others may do so at the same instant.
void open_together(const ImpactSetup& setup, ContactPhases& phases, const ImpactInstant& now,
                   int i);

/// The opening of a contact with a singular force law that will come first.
struct Opening {
  int contact = -1;        ///< −1 if none is about to open
  double time_left = 0.0;  ///< until it opens, at constant acceleration
  double growth = 0.0;     ///< factor by which its rate will have grown by then
};
Opening next_opening(const ImpactSetup& setup, const ContactPhases& phases,
                     const ImpactInstant& now);

/// Contacts whose motion is slower than `blind` (too small for the error control to see) still
/// bound the step: by the period of the contact at its present energy. Returns dt or less.
double limit_blind_step(double dt, const ImpactSetup& setup, const ContactPhases& phases,
                        const ImpactInstant& now, double blind);

}  // namespace percute::laws

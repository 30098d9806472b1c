// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "laws/lzb/contact_phases.hpp"

namespace percute::laws {

/// The impact at one instant, as the rules below see it. They may change phases and ξ.
struct ImpactInstant {
  const ImpactSetup& setup;
  ContactPhases& phases;
  double time = 0.0;
  double* xi = nullptr;       ///< m, indentations
  const double* P = nullptr;  ///< m, impulses
  const double* U = nullptr;  ///< m, gap rates
  const double* a = nullptr;  ///< m, dU/dτ

  ContactPoint point(int i) const { return {.time = time, .xi = xi[i], .P = P[i], .U = U[i]}; }
};

/// How a run came about.
struct RunCounts {
  long steps = 0;
  long rejected = 0;
  long evaluations = 0;
  long event_evaluations = 0;
  long friction_events = 0;
  const char* reason = nullptr;  ///< why it ended before it was over, if it did
};

/// Part of the user's tolerance allowed to one step: errors of a few dozen steps add up, and gap
/// rates combine several impulses.
inline constexpr double kStepShare = 0.1;

/// Nothing is loaded and nothing approaches: the impact is over.
bool finished(const ImpactInstant& now);
/// Infinitely many impacts in finite time: the motion that is left is negligible.
bool collapsed(const ImpactInstant& now, double collapse_velocity);
/// Nothing moves and nothing will, though contacts are loaded: their forces balance.
bool balanced(const ImpactInstant& now);
/// The limit that ends the run, in words; null if none does.
const char* limit_reached(const Lzb& law, long steps, long events);

/// Contacts with zero gap rate take the phase into which their acceleration drives them. True if
/// one did.
bool settle(const ImpactInstant& now);
/// Phases that follow from magnitudes rather than from crossings: resting contacts that have begun
/// to move, spent contacts that separate, contacts whose motion has died out. True if the dynamics
/// changed by that.
bool follow_magnitudes(const ImpactInstant& now);
/// Contact i has reached ξ = 0 and opens; others may do so at the same instant.
void open_together(const ImpactInstant& now, int i);

/// A resting contact has no events: it must be given its phase before the first one is due. Whether
/// contact i, at the end of a step, has skipped the end of its compression, or (`acts`) the
/// friction that belongs to its load.
bool missed_its_phase(const ImpactSetup& setup, const ContactPhases& phases, int i, double xi,
                      double U, bool acts);

/// The power of x in τ = x^k by which contacts that start to be compressed now are smooth.
int starting_radical(const ImpactInstant& now);
/// Growth of steps in √τ: a step reaches three times as far from the start as the one before.
inline constexpr double kStartGrowth = 0.75;

/// The opening of a contact with a singular force law that will come first.
struct Opening {
  int contact = -1;        ///< −1 if none is about to open
  double time_left = 0.0;  ///< until it opens, at constant acceleration; infinite if none will
  double growth = 0.0;     ///< factor by which its rate will have grown by then

  /// Whether to land at it rather than to go on by `dt` in time: where it is near enough, or the
  /// landing of contact `landing` has begun, and the rate changes little on the way.
  bool lands(double dt, int landing) const {
    const bool straight = contact >= 0 && growth > 0.25 && growth < 4.0;
    return straight && (landing == contact || dt > 1.8 * time_left);
  }
  /// Steps in time keep a part of the distance to it.
  double longest_step() const { return 0.6 * time_left; }
};
Opening next_opening(const ImpactInstant& now);

/// Contacts whose motion is slower than `blind` (too small for the error control to see) still
/// bound the step: by the period of the contact at its present energy. Returns dt or less.
double limit_blind_step(double dt, const ImpactInstant& now, double blind);

/// A function that announces the next event of a contact: positive until it happens.
struct Watch {
  enum class Kind : unsigned char {
    GapRate,   ///< ±U
    Target,    ///< ±(ξ − target)
    Friction,  ///< contact::Coulomb
    Pressed,   ///< indentation from which infinite friction holds what rests or slides, less ξ
  };
  int contact = 0;
  Kind kind = Kind::GapRate;
  double sign = 1.0;
  double floor = 0.0;  ///< below it, the function counts as zero

  /// GapRate or Target: the function in a state with indentations ξ and gap rates U.
  double value(const ContactPhases& phases, const double* xi, const double* U) const {
    return kind == Kind::GapRate ? sign * U[contact]
                                 : sign * (xi[contact] - phases[contact].xi_target);
  }
  /// Its slope by x with dξ/dx, dU/dτ and dτ/dx.
  double slope(const double* dxi, const double* a, double pace) const {
    return sign * (kind == Kind::GapRate ? a[contact] * pace : dxi[contact]);
  }
};

/// ±1 for contacts whose gap rate is watched, else 0.
inline double gap_rate_sign(const ContactState& s, bool tracked_gap) {
  if (s.phase == Phase::Compressing) return -1.0;
  return s.phase == Phase::Expanding || (s.phase == Phase::Open && !tracked_gap) ? 1.0 : 0.0;
}
/// Contacts with a target: 1 above it, −1 below.
inline double target_side(const ContactState& s) {
  return s.phase == Phase::Expanding || (s.phase != Phase::Open && s.passive) ? 1.0 : -1.0;
}
/// Calls visit(Watch) for the functions that contact i is watched by; the opening of `landing` ends
/// the step anyway.
template <class Visit>
void for_each_watch(const ImpactSetup& setup, const ContactPhases& phases, int i, int landing,
                    Visit&& visit) {
  const ContactState& s = phases[i];
  if (const double sign = gap_rate_sign(s, setup.tracked_gap); sign != 0.0) {
    visit(Watch{.contact = i, .sign = sign, .floor = 10.0 * setup.noise});
  }
  if (s.has_target && i != landing) {
    visit(Watch{.contact = i,
                .kind = Watch::Kind::Target,
                .sign = target_side(s),
                .floor = setup.contact[i].closest});
  }
}

}  // namespace percute::laws

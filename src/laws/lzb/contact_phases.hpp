// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "laws/lzb/impact_setup.hpp"
#include "laws/recorder.hpp"

#include <percute/model/impact_history.hpp>
#include <percute/model/impact_result.hpp>

#include <vector>

namespace percute::laws {

enum class Phase : unsigned char { Resting, Compressing, Expanding, Open };

/// State of one contact beyond the integrated numbers, and what follows from it:
/// dξ/dτ = −gain U. In phase Open ξ is minus the gap (tracked_gap) or stays 0 (zero_gap).
struct ContactState {
  Phase phase = Phase::Resting;
  bool plastic = false;     ///< tri: on the loading branch beyond d_y
  bool yielded = false;     ///< tri: has passed d_y since it last opened
  bool reloading = false;   ///< tri, retrace: on the way back to the largest force
  bool reentering = false;  ///< resting after having been open: will count as re-engagement
  bool passive = false;     ///< changes between compression and expansion do not alter the dynamics
  bool has_target = false;  ///< an event waits at xi_target
  long revision = 0;        ///< of the phases when this one began
  double gain = 0.0;
  double xi_target = 0.0;  ///< indentation at which the law changes next (end, kink, closing gap)
  double xi_end = 0.0;     ///< indentation at which expansion ends
  double xi_max = 0.0;     ///< tri, retrace: largest indentation since the contact last opened
  double energy_at_recompression = 0.0;  ///< stored when the current compression began
  double loaded_since = 0.0;             ///< τ
  double rest_since = 0.0;               ///< τ up to which a resting contact was not driven
};

/// All that is known of a contact: its state, the work absorbed when its phase began and E(ξ) then,
/// and what is told about it in the end.
struct ContactRecord {
  ContactState state = {};
  double absorbed = 0.0;
  double energy = 0.0;
  ContactSummary summary = {};
};

/// A contact's numbers at the instant of an event.
struct ContactPoint {
  double time = 0.0;
  double xi = 0.0;
  double P = 0.0;
  double U = 0.0;
};

/// The phases a contact goes through and their order. It changes phases and indentations, counts
/// and logs; it knows nothing about integration.
class ContactPhases {
 public:
  /// Start rule: approaching → compressing, precompressed → expanding, still → resting, else open.
  void start(const ImpactSetup& setup, const Lzb& law);
  /// ξ that stores the energy of precompression.
  double initial_indentation(int i) const {
    return setup_->contact[i].indentation(setup_->contact[i].initial_energy);
  }

  const ContactState& operator[](int i) const { return record_[i].state; }

  /// Goes on with some contacts: contact i of `part` is members[i] of the impact. All others are
  /// set aside as they are, to be taken up again by a later call.
  void restrict_to(const ImpactSetup& part, const std::vector<int>& members);
  /// Goes on with all contacts.
  void rejoin(const ImpactSetup& whole);
  /// Work absorbed by a contact that was set aside while it was empty.
  double absorbed_aside(int contact) const { return aside_[contact].absorbed; }

  /// The gap rate of a loaded contact has passed through zero. Returns the indentation afterwards.
  double end_compression(int i, const ContactPoint& at);
  double recompress(int i, const ContactPoint& at);
  /// The indentation has reached xi_target: end of expansion, kink, or closing of a tracked gap.
  double reach_target(int i, const ContactPoint& at);
  /// zero_gap: the gap rate of an open contact has passed through zero, downwards.
  double reenter(int i, const ContactPoint& at);
  /// Whichever of these it is: the target of ξ was reached, or the gap rate has changed sign.
  double carry_out(int i, bool at_target, const ContactPoint& at);
  /// A resting contact is being driven together.
  void load_resting(int i, const ContactPoint& at);
  /// A resting contact has taken up a definite motion, together or apart.
  double commit_resting(int i, const ContactPoint& at);
  /// A resting contact is being driven apart: it is open, at the gap −ξ reached so far.
  double start_drifting(int i, double xi);
  /// A resting contact has not been driven yet.
  void keep_resting(int i, double time) { record_[i].state.rest_since = time; }
  /// The motion of a loaded contact has died out: it rests, empty.
  double come_to_rest(int i, const ContactPoint& at);
  /// The collapse rule stopped the run.
  void log_zeno(double time);

  ContactSample sample(int i, double xi, double P, double U) const;
  double stored_energy(int i, double xi) const;
  /// Work absorbed so far, −∫ U dP. While a phase lasts dP = λ dτ and dξ = −gain U dτ, so it is
  /// the gain of E(ξ) = ∫ λ dξ over 1/gain: exact, nothing to integrate.
  double absorbed_work(int i, double xi) const;
  double force(int i, double xi) const {
    if (!loaded(i) || (xi <= 0.0 && record_[i].state.phase == Phase::Resting)) return 0.0;
    return setup_->contact[i].force(xi, record_[i].state.plastic);
  }
  /// Restitution 0 (to resolution): all stored energy is lost at the end of compression.
  bool loses_all(int i) const;
  /// Can this contact carry a force?
  bool loaded(int i) const { return record_[i].state.phase != Phase::Open; }

  long events() const { return events_; }
  /// Has an open contact been driven together again?
  bool reengaged() const { return reengaged_; }
  /// Has the motion of a contact died out?
  bool came_to_rest() const { return came_to_rest_; }
  /// Changes with every change of a phase.
  long revision() const { return revision_; }
  const std::vector<ImpactEvent>& log() const { return log_; }
  std::vector<ContactSummary> summaries() const;

  void record_log(bool on) { recording_ = on; }
  bool recording() const { return recording_; }

 private:
  void refresh(int i, double xi);
  void settle_work(int i, double xi);
  double start_expansion(int i, double xi);
  void end_load(int i, double time);
  void set_aside();
  void begin_loading(int i, const ContactPoint& at, EventKind kind);
  double open(int i, const ContactPoint& at, EventKind kind);
  double pass_kink(int i, const ContactPoint& at);
  void add(int i, const ContactPoint& at, EventKind kind);
  void note_force(int i, const ContactPoint& at);

  const ImpactSetup* setup_ = nullptr;
  Lzb::CompressionWork compression_work_ = Lzb::CompressionWork::Stored;
  bool retrace_ = false;
  bool recording_ = false;
  bool came_to_rest_ = false;
  bool reengaged_ = false;
  long events_ = 0;
  long revision_ = 0;
  std::vector<ContactRecord> record_;
  std::vector<ImpactEvent> log_;
  std::vector<int> members_;  ///< contact i is this one of the impact; empty: contact i itself
  std::vector<ContactRecord>
      aside_;  ///< all contacts of the impact; the present ones are out of date
};

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

/// Velocities of all rows, gap rates first, and their slopes in τ.
struct RowMotion {
  std::vector<double> U;
  std::vector<double> a;
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

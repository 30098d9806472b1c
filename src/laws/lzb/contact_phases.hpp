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

}  // namespace percute::laws

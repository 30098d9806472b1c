// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/model/impact_history.hpp>
#include <percute/model/status.hpp>
#include <percute/numerics/linear_algebra.hpp>

#include <optional>
#include <string>
#include <vector>

namespace percute {

/// Energy ledger, J: before + Σ E0 = after + dissipated + still stored.
struct EnergyLedger {
  double before = 0.0;         ///< kinetic, T(v⁻)
  double after = 0.0;          ///< kinetic, T(v⁺)
  double dissipated = 0.0;     ///< Σ over the contacts
  double stored = 0.0;         ///< still stored when the law ended; 0 unless it was cut short
  double balance_error = 0.0;  ///< defect of the ledger / max(before + Σ E0, Es)
};

/// Verdicts on one impact with their margins. A margin is the signed slack,
/// positive when satisfied; momentum and identity give the defect itself.
struct Consistency {
  struct Margins {
    double momentum = 0.0;       ///< |M (v⁺ − v⁻) − W p|_∞
    double identity = 0.0;       ///< T⁺ − T⁻ − ½ pᵀ (U⁺ + U⁻), Thomson–Tait
    double energetic = 0.0;      ///< energy lost
    double kinematic = 0.0;      ///< min U_i⁺
    double kinetic = 0.0;        ///< min p_i / (m_i vs)
    double friction_cone = 0.0;  ///< min μ_i p_i − |p_t,i|
  };

  bool momentum = false;
  bool identity = false;
  bool energetic = false;      ///< (i) no energy is created, beyond 10 tolerances per contact
  bool kinematic = false;      ///< (ii) nothing approaches any more
  bool kinetic = false;        ///< (iii) contacts only push
  bool friction_cone = false;  ///< (iii′) tangential impulses inside Coulomb's cone
  /// Contacts have friction, or a restitution below 1, that the law left out: it does not know what
  /// that is, or the contact has no tangents.
  bool friction_ignored = false;
  bool restitution_ignored = false;
  Margins margins = {};

  /// Everything the problem says was used, and the outcome is what bodies may do.
  bool all() const { return !friction_ignored && !restitution_ignored && admissible(); }
  bool admissible() const {
    return momentum && identity && energetic && kinematic && kinetic && friction_cone;
  }
};

/// What one contact went through (laws with an inner time only).
struct ContactSummary {
  int compressions = 0;             ///< number of compression phases
  int impacts = 0;                  ///< activations and re-engagements
  double maximal_force = 0.0;       ///< N
  double maximal_force_time = 0.0;  ///< τ of it
  double first_contact_time = 0.0;  ///< τ at which it was first loaded
  double opening_time = 0.0;        ///< τ at which it let go for good
  double duration = 0.0;            ///< total τ during which it carried a force
};

/// A stretch of the impact of a single contact with friction, between two normal impulses.
struct ImpactPhase {
  enum class Motion {
    Frictionless,
    Slip,
    Stick,
    Onset,             ///< nothing slid before, and friction cannot prevent it now
    ReverseSlip,       ///< planar: slip has stopped and goes on the other way
    IsoclinicRestart,  ///< spatial: slip has stopped and goes on along a fixed direction
  };
  Motion motion = Motion::Frictionless;
  bool compression = true;  ///< bodies still approach
  double from = 0.0;        ///< normal impulse, N s
  double to = 0.0;
};

/// In files.
constexpr Names<ImpactPhase::Motion, 6> names(ImpactPhase::Motion) {
  return {{{"frictionless", ImpactPhase::Motion::Frictionless},
           {"slip", ImpactPhase::Motion::Slip},
           {"stick", ImpactPhase::Motion::Stick},
           {"onset", ImpactPhase::Motion::Onset},
           {"reverse_slip", ImpactPhase::Motion::ReverseSlip},
           {"isoclinic_restart", ImpactPhase::Motion::IsoclinicRestart}}};
}

/// One collision of a sequence.
struct Collision {
  int contact = 0;            ///< index in the problem
  double impulse = 0.0;       ///< N s
  double energy_ratio = 0.0;  ///< kinetic energy after it over that before the impact
};

/// What only algebraic laws can tell.
struct AlgebraicDiagnostics {
  int stages = 0;                           ///< times the law was applied, one after the other
  long iterations = 0;                      ///< pivots, sweeps or Newton steps of all stages
  double residual = 0.0;                    ///< largest scaled error of what was solved
  std::vector<Collision> sequence = {};     ///< laws that let contacts collide in turn
  std::optional<double> energy_bound = {};  ///< energy_unreachable: the smallest ratio possible
  std::optional<double> restitution_factor = {};  ///< reduce_e: what all coefficients were cut by
  bool fremond_fallback = false;                  ///< fallback_fremond: θ = 1 was used
  bool multiple_solutions = false;                ///< velocities may be one choice of several
};

/// Cost and quality of the computation.
struct Diagnostics {
  double tolerance = 0.0;                        ///< relative accuracy asked for; 0: closed form
  long evaluations = 0;                          ///< right-hand sides
  long event_evaluations = 0;                    ///< of these, spent on locating events
  long steps = 0;                                ///< accepted
  long rejected = 0;                             ///< rejected steps
  long events = 0;                               ///< changes of contact state
  double duration = 0.0;                         ///< pseudo-time at the end, τ
  std::optional<double> residual_velocity = {};  ///< zeno: max |U| when the collapse rule applied
  std::optional<double> verify_difference = {};  ///< max |Δv⁺| against the run at tolerance/10
  /// lzb: max |Δv⁺| between zero_gap and tracked_gap over max |v⁻|. 0 where no open contact was
  /// driven together again, so that the rule plays no part; absent where it does and the other rule
  /// was not tried (law.verify, laws::other_reengagement).
  std::optional<double> reengagement_difference = {};
  std::vector<ContactSummary> contacts = {};           ///< empty for laws without an inner time
  std::optional<AlgebraicDiagnostics> algebraic = {};  ///< laws without an inner time only
  std::vector<ImpactPhase> phases = {};                ///< laws of a single contact only
  std::string reason = {};  ///< of a status that is no answer, where there is more to say
};

/// What happened, and how sure we are. A law needs to fill in only `velocity` and `impulse`
/// (and `dissipated`, if it knows better than the Thomson–Tait share); resolve() derives the rest.
struct ImpactResult {
  Vector velocity;                              ///< v⁺
  Vector impulse;                               ///< p ≥ 0, one per contact
  std::vector<Vector> tangential_impulse = {};  ///< one per contact; empty: all zero
  Vector dissipated = {};                       ///< energy lost at each contact, J
  Vector dissipated_by_friction = {};  ///< of it, lost in sliding; empty: the law cannot tell
  Vector gap_rate = {};                ///< U⁺
  std::vector<Vector> tangential_velocity = {};  ///< U_t⁺ of each contact
  Status status = Status::Ok;
  EnergyLedger energy = {};
  Consistency consistency = {};
  bool non_unique_impulse = false;
  Diagnostics diagnostics = {};
  ImpactHistory history = {};  ///< empty unless asked for

  bool ok() const { return accepted(status); }
};

}  // namespace percute

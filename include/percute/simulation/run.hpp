// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/model/fields.hpp>
#include <percute/model/state.hpp>
#include <percute/model/status.hpp>
#include <percute/numerics/linear_algebra.hpp>
#include <percute/simulation/memory.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
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

/// In files.
constexpr Names<EventKind, 7> names(EventKind) {
  return {{{"impact", EventKind::Impact},
           {"active_step", EventKind::ActiveStep},
           {"contact_begins", EventKind::ContactBegins},
           {"contact_ends", EventKind::ContactEnds},
           {"accumulation", EventKind::Accumulation},
           {"sticking", EventKind::Sticking},
           {"sliding", EventKind::Sliding}}};
}
using percute::name;

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

/// Energy at every step and after every impact from the first impact on, unweighted.
struct EnergyRecord {
  double expected = 0.0;  ///< at the start, J
  double mean = 0.0;
  double min = 0.0;
  double max = 0.0;
  double final = 0.0;
  double deviation = 0.0;   ///< population standard deviation, J
  double dissipated = 0.0;  ///< in all events, and by sliding in between, J
  std::int64_t samples = 0;
};

/// A contact or a run of contacts in time: an instant (impact) or an interval.
struct ContactCluster {
  double start = 0.0;  ///< s
  double end = 0.0;    ///< s
  std::int64_t impacts = 0;
};

/// Contacts of a body that vibrates up to its first long flight, which seen from afar are one
/// bounce (Paoli & Schatzman 2007, section 5).
struct Bounce {
  std::vector<ContactCluster> clusters = {};
  std::optional<double> end = {};                   ///< of the last of these contacts, s
  std::optional<double> apparent_restitution = {};  ///< of the flight that follows
  double gap = 0.0;                                 ///< at the end, m
  bool measured = false;  ///< apparent restitution is known, or never will be
};

/// What a compliant contact went through in a run.
struct ContactTotals {
  std::int64_t phases = 0;              ///< times it closed
  double duration = 0.0;                ///< of all of them, s
  double impulse = 0.0;                 ///< normal, N s
  double peak_force = 0.0;              ///< N
  double peak_force_time = 0.0;         ///< s
  double dissipated = 0.0;              ///< all energy lost in it, J
  double dissipated_by_friction = 0.0;  ///< the part of it lost by sliding, J
};

/// Fixed steps: how far a contact was open or overlapped, and, in time stepping, how far it moved
/// in the steps that closed it.
struct ContactReach {
  double start = 0.0;    ///< gap at the start, m
  double gap = 0.0;      ///< largest at the start or at the end of a step, m
  double way = 0.0;      ///< longest in one step that closed it, m
  double overlap = 0.0;  ///< deepest at the end of a step, m
};

/// What is counted and measured while a run goes.
struct RunRecord {
  std::int64_t steps = 0;
  std::int64_t iterations = 0;      ///< Newton or fixed-point passes; adaptive: right-hand sides
  std::int64_t impacts = 0;         ///< instants at which velocities jumped
  std::int64_t active_steps = 0;    ///< time stepping: steps with an impulse
  std::int64_t contact_phases = 0;  ///< times that contacts began to be held closed
  std::optional<double> first_impact_time = {};
  std::optional<double> first_impact_velocity = {};  ///< lowest gap rate just before it, m/s
  std::optional<double> last_contact = {};           ///< end of the last contact so far, s
  std::optional<Bounce> bounce = {};                 ///< where RunOptions::bounce asks for it
  EnergyRecord energy;
  std::vector<ContactTotals> contacts = {};  ///< compliant contacts only
  /// Compliant contacts of a conservative system: energy at the end, with what the contacts have
  /// stored and lost, less energy at the start, J.
  std::optional<double> energy_residual = {};
  std::vector<std::string> warnings = {};
  double wall_time = 0.0;  ///< s
};

/// Totals of a run that ended part way, so that the next part carries them on.
struct RunTotals {
  double start_time = 0.0;  ///< of the first part, s
  RunRecord record;
  std::int64_t outputs = 0;                ///< states told at output instants
  std::int64_t events = 0;                 ///< of any kind
  double fastest_approach = 0.0;           ///< of all impacts, m/s
  double energy_sum = 0.0;                 ///< of deviations from the expected energy, J
  double energy_squares = 0.0;             ///< of their squares, J²
  std::vector<ContactReach> reaches = {};  ///< one per contact; fixed steps only
};

/// An instant of a run with all that is needed to go on from it. A start needs time and state only;
/// a run that begins where another one ended, with the same system and method, gives the same bits
/// as one run through.
struct Moment {
  double time = 0.0;  ///< s
  State state;

  // What a run has left; empty at a start.
  double step = 0.0;               ///< proposed next step, s; 0: the method chooses
  std::vector<int> held = {};      ///< contacts that are held closed
  std::vector<int> sticking = {};  ///< those of them that do not slide
  Memory memory = {};

  std::optional<RunTotals> totals = {};  ///< of the run that ended here; for RunOptions::resume
};

enum class RunStatus {
  Ok,             ///< reached its end
  Unstable,       ///< the motion blew up: the step is too long
  NotConverged,   ///< an equation of a step, or an impact, could not be solved
  NotTerminated,  ///< a limit on events or steps was reached
  Interrupted,    ///< an observer asked to stop
};

/// In files.
constexpr Names<RunStatus, 5> names(RunStatus) {
  return {{{"ok", RunStatus::Ok},
           {"unstable", RunStatus::Unstable},
           {"not_converged", RunStatus::NotConverged},
           {"not_terminated", RunStatus::NotTerminated},
           {"interrupted", RunStatus::Interrupted}}};
}

/// What is asked about the first bounce of a body with one contact: see Bounce.
struct BounceOptions {
  double restitution_window = 2.5e-3;
  double cluster_gap = 5e-5;
};

/// What all methods are asked: how long to go, and what to measure on the way.
struct RunOptions {
  std::optional<double> duration = {};
  std::optional<double> stop_after_quiet = {};
  double output_interval = 0.0;
  std::optional<BounceOptions> bounce = {};  ///< one contact only
  /// Rebounds below this are none, m/s; empty: below kMicroBounce of the fastest approach that the
  /// run has met so far, which is the same motion in any units.
  std::optional<double> micro_bounce_velocity = {};
  std::int64_t max_events = 100000;
  /// The start is where a part of this run ended: its totals (Moment::totals) are carried on, and
  /// times count from where the first part began.
  bool resume = false;

  static constexpr double kMicroBounce = 1e-5;
  double micro_bounce_where(double fastest_approach) const {
    return micro_bounce_velocity.value_or(kMicroBounce * fastest_approach);
  }
};

template <Same<RunOptions> Options>
void fields(Options& run, auto&& visit) {
  visit(Field{"duration", "from the start; this or the next, or both", Range::positive(), "s"},
        run.duration);
  visit(Field{"stop_after_quiet",
              "without contact after the last one: then stop; at the latest after 1e6 of them",
              Range::positive(), "s"},
        run.stop_after_quiet);
  visit(Field{"output_interval", "between the states told to the observer; 0: every step",
              Range::not_negative(), "s"},
        run.output_interval);
  visit(Field{"micro_bounce_velocity",
              "slower rebounds onto a contact that would close again are contact that stays",
              Range::not_negative(), "m/s"},
        run.micro_bounce_velocity);
  std::optional<double> window;
  std::optional<double> gap;
  if (run.bounce) {
    window = run.bounce->restitution_window;
    gap = run.bounce->cluster_gap;
  }
  visit(Field{"restitution_window", "after the last contact: apparent restitution",
              Range::positive(), "s"},
        window);
  visit(Field{"cluster_gap", "contacts closer than this belong to one cluster",
              Range::not_negative(), "s"},
        gap);
  visit(
      Field{"max_events",
            "of any kind, time stepping: impacts; then the run ends, all that happens at the same "
            "instant included",
            Range::count()},
      run.max_events);
  if constexpr (!std::is_const_v<Options>) {
    const BounceOptions usual;
    if (window || gap) {
      run.bounce = {window.value_or(usual.restitution_window), gap.value_or(usual.cluster_gap)};
    }
  }
}

/// Throws InvalidInput, naming the field, unless the options make sense.
void validate(const RunOptions& options);

/// What a run tells while it goes; any may be empty. One that returns false ends the run, and all
/// it was told stays true.
struct Observer {
  /// A state to keep: at every step, or every output_interval.
  std::function<bool(double time, const Vector& q, const Vector& v)> state = {};
  std::function<bool(const Event& event)> event = {};
  /// Every step, whatever the output_interval.
  std::function<bool(double time, const Vector& q, const Vector& v)> step = {};
};

/// What came out of a run.
struct Run : RunRecord {
  Moment end;  ///< where another run can go on
  RunStatus status = RunStatus::Ok;
  std::string reason = {};  ///< why it is not Ok
};

/// Who looks after a run while it goes; all may be empty.
struct Care {
  Observer observer = {};  ///< may throw: that ends the run, too, and goes on when it is kept
  std::function<bool()> due = {};  ///< asked after every step: is it to be kept now?
  std::function<void(const Run& part)> keep = {};  ///< keeps where it has got to: then, and at its
                                                   ///< end
};

/// Moves in parts, each from where the one before ended; the bits are those of one run.
/// `move` moves by any method, with RunOptions::resume where the moment has totals.
Run run_in_parts(const std::function<Run(const Moment& from, const Observer& observer)>& move,
                 Moment from, const Care& care);

}  // namespace percute::simulation

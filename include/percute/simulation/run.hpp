// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/simulation/event.hpp>
#include <percute/simulation/moment.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace percute::simulation {

enum class RunStatus {
  Ok,             ///< reached its end
  Unstable,       ///< the motion blew up: the step is too long
  NotConverged,   ///< an equation of a step, or an impact, could not be solved
  NotTerminated,  ///< a limit on events or steps was reached
  Interrupted,    ///< an observer asked to stop
};

/// Name in files: "ok", "unstable", "not_converged", "not_terminated", "interrupted".
const char* name(RunStatus status);

/// What all methods are asked: how long to go, and what to measure on the way.
struct RunOptions {
  std::optional<double> duration = {};          ///< s from the start; this or the next, or both
  std::optional<double> stop_after_quiet = {};  ///< s without contact after the last one: then stop
  double output_interval = 0.0;        ///< s between the states told to the observer; 0: every step
  double restitution_window = 2.5e-3;  ///< s after the last contact: apparent restitution
  double cluster_gap = 5e-5;           ///< s: events closer than this belong to one cluster
  double micro_bounce_velocity = 1e-5;  ///< m/s: slower rebounds onto a contact that would close
                                        ///< again are taken as contact that stays
  std::int64_t max_events = 100000;     ///< impacts and contact phases
};

/// Throws InvalidInput, naming the field, unless the options make sense.
void validate(const RunOptions& options);

/// What a run tells while it goes; both may be empty. One that returns false ends the run, and all
/// it was told stays true.
struct Observer {
  std::function<bool(double time, const Vector& q, const Vector& v)> state = {};
  std::function<bool(const Event& event)> event = {};
};

/// Energy at every step and after every impact from the first impact on, unweighted.
struct EnergyRecord {
  double expected = 0.0;  ///< at the start, J
  double mean = 0.0;
  double min = 0.0;
  double max = 0.0;
  double final = 0.0;
  double deviation = 0.0;  ///< population standard deviation, J
  std::int64_t samples = 0;
};

/// A contact or a run of contacts in time: an instant (impact) or an interval.
struct ContactCluster {
  double start = 0.0;  ///< s
  double end = 0.0;    ///< s
  std::int64_t impacts = 0;
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

/// What came out of a run.
struct Run {
  Moment end;  ///< where another run can go on
  RunStatus status = RunStatus::Ok;
  std::string reason = {};  ///< why it is not Ok
  std::int64_t steps = 0;
  std::int64_t iterations = 0;      ///< Newton or fixed-point passes; adaptive: right-hand sides
  std::int64_t impacts = 0;         ///< instants at which velocities jumped
  std::int64_t active_steps = 0;    ///< time stepping: steps with an impulse
  std::int64_t contact_phases = 0;  ///< times that contacts began to be held closed
  std::vector<ContactCluster> clusters = {};
  std::optional<double> first_impact_time = {};
  std::optional<double> first_impact_velocity = {};  ///< lowest gap rate just before it, m/s
  std::optional<double> last_contact = {};           ///< end of the last contact, s
  std::optional<double> apparent_restitution = {};   ///< one contact only
  EnergyRecord energy;
  std::vector<ContactTotals> contacts = {};  ///< compliant contacts only
  /// Compliant contacts of a conservative system: energy at the end, with what the contacts have
  /// stored and lost, less energy at the start, J.
  std::optional<double> energy_residual = {};
  std::vector<std::string> warnings = {};
  double wall_time = 0.0;  ///< s
};

}  // namespace percute::simulation

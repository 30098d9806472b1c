// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace percute::simulation {

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

/// Books of a run that ended part way, so that the next part carries them on.
struct Books {
  double start_time = 0.0;  ///< of the first part, s
  RunRecord record;
  std::int64_t outputs = 0;                ///< states told at output instants
  std::int64_t events = 0;                 ///< of any kind
  double fastest_approach = 0.0;           ///< of all impacts, m/s
  double energy_sum = 0.0;                 ///< of deviations from the expected energy, J
  double energy_squares = 0.0;             ///< of their squares, J²
  std::vector<ContactReach> reaches = {};  ///< one per contact; fixed steps only
};

}  // namespace percute::simulation

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/io/problem_file.hpp>
#include <percute/simulation/compliant_motion.hpp>
#include <percute/simulation/event_driven.hpp>
#include <percute/simulation/moreau_jean.hpp>
#include <percute/simulation/newmark.hpp>
#include <percute/simulation/paoli_schatzman.hpp>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace percute::io {

/// The methods a scene can name. Compliant contacts are no impacts: a scene that names them moves
/// by CompliantMotion where it asks for the adaptive event-driven method.
using Method =
    std::variant<simulation::EventDriven, simulation::Newmark, simulation::PaoliSchatzman,
                 simulation::MoreauJean, simulation::CompliantMotion>;

/// Name in files: "event_driven_adaptive", "event_driven", "paoli_schatzman", "moreau_jean".
std::string_view kind(const Method& method);
/// "event_driven_adaptive (tol 1e-10)", "moreau_jean (step 0.0001 s)".
std::string title(const Method& method);
/// What every method is asked.
const simulation::RunOptions& run_options(const Method& method);
simulation::RunOptions& run_options(Method& method);

/// All that a scene says about a motion in time.
struct MotionFile {
  std::string name;
  systems::AnySystem system;
  simulation::Moment start;
  AnyLaw law;
  Method method;
  std::vector<Body> bodies;  ///< each coordinate belongs to exactly one
  std::vector<std::string> contact_names;
  std::optional<double> first_bending_hz = {};  ///< of a bar
  Node system_keys;                             ///< [system], defaults filled in
  Node impact_keys;      ///< law and restitution, as percute-run/1 tells them
  Node simulation_keys;  ///< [simulation], defaults filled in
};

/// Reads a scene that moves: [system], [material], [[contact]], [start], [law] (for the bar
/// [impact]) and [simulation]. Throws FileError.
MotionFile read_motion(const Document& document);

/// Moves it, from its start or from where a part of the run ended. What the method refuses is
/// reported as a FileError with its place in the scene.
simulation::Run simulate(const MotionFile& file, const Document& document,
                         const simulation::Observer& observer = {});
simulation::Run simulate(const MotionFile& file, const Document& document,
                         const simulation::Moment& from, const simulation::Observer& observer);

/// A `percute-run/1` object.
Node to_node(const simulation::Run& run, const MotionFile& file);

// ---------------------------------------------------------------------------------- trajectories

/// A run on disk, written while it goes: states and events are on disk a second after they were
/// told, so that little is lost when the process is killed or the disk is full, and the file can be
/// read at any time.
///
/// HDF5 (.h5, .hdf5): /state with t, q, v, one row per state; /events with t, kind, contacts,
/// impulse (one column per contact), q, v-, v+, dissipated, status; /meta with names and units, the
/// scene and, at the end, the summary (percute-run/1). Each dataset of numbers has its `units`.
/// CSV (.csv): one row per state, one header row with units; events in "run.events.csv".
class TrajectoryFile {
 public:
  /// Checks that the file can be written and writes nothing yet: what was there stays until the run
  /// has begun. Throws FileError. References are kept.
  TrajectoryFile(std::filesystem::path path, const MotionFile& motion, const Document& document);
  ~TrajectoryFile();                                     ///< closes the file with what it holds
  TrajectoryFile& operator=(TrajectoryFile&&) = delete;  // neither copied nor moved

  // Each throws FileError if the file cannot be written; what it held before stays readable.
  void state(double time, const Vector& q, const Vector& v);
  void event(const simulation::Event& event);
  /// Writes what is left, and how the run ended.
  void close(const simulation::Run& run);

  std::int64_t states() const { return states_; }
  std::int64_t events() const { return events_; }

 private:
  class Files;
  struct Rows;
  void write(bool through);
  void write_if_due();

  std::filesystem::path path_;
  const MotionFile& motion_;
  const Document& document_;
  std::unique_ptr<Rows> rows_;
  std::unique_ptr<Files> files_;
  double next_write_ = 0.0;  ///< s, of a clock that never goes back
  double written_to_ = 0.0;  ///< s of the run
  std::int64_t states_ = 0;
  std::int64_t events_ = 0;
};

// ----------------------------------------------------------------------------------- checkpoints

/// Where a run had got to, with all that is needed to go on to the same bits.
struct Checkpoint {
  simulation::Moment moment;    ///< with the totals of the run
  std::string trajectory = {};  ///< file the run was written to so far; empty: none
  simulation::RunStatus status = simulation::RunStatus::Interrupted;  ///< how the run ended there
  std::string reason = {};                                            ///< why it is not Ok
};

/// Throws FileError unless a file can be made or written there; `replaced`: as a whole, which a
/// device or a pipe would not survive.
void check_writable(const std::filesystem::path& path, bool replaced = false);

/// Writes a `percute-checkpoint/3` file, whole or not at all: what was there before is replaced
/// when the new one is on disk. Throws FileError.
void write_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint,
                      const MotionFile& motion, const Document& document);

/// Reads one of the same scene and method; duration, stop_after_quiet and max_events may have
/// changed. Throws FileError, naming what differs; also where the file was changed since it was
/// written, the run failed, or it is beyond the duration that is asked for.
Checkpoint read_checkpoint(const std::filesystem::path& path, const MotionFile& motion,
                           const Document& document);

}  // namespace percute::io

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/io/motion_file.hpp>

#include <cstdint>
#include <filesystem>
#include <memory>

namespace percute::io {

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

}  // namespace percute::io

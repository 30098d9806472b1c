// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/io/trajectory_file.hpp>

#include <string>
#include <vector>

namespace percute::io {

/// States and events that are not on disk yet.
struct TrajectoryFile::Rows {
  std::vector<double> t;
  std::vector<double> q;  ///< n per state
  std::vector<double> v;
  std::vector<simulation::Event> events;

  bool empty() const { return t.empty() && events.empty(); }
  void clear();
};

/// Where rows go: one kind of file.
class TrajectoryFile::Sink {
 public:
  Sink() = default;
  Sink(const Sink&) = delete;
  Sink& operator=(const Sink&) = delete;
  virtual ~Sink() = default;

  virtual void append(const Rows& rows) = 0;
  /// How many of the states are on disk nevertheless, after append() has failed.
  virtual std::size_t kept() const { return 0; }
  virtual void flush() = 0;
  virtual void close(const simulation::Run& run) = 0;

  static std::unique_ptr<Sink> csv(const std::filesystem::path& path, const MotionFile& motion);
  static std::unique_ptr<Sink> hdf5(const std::filesystem::path& path, const MotionFile& motion,
                                    const Document& document);
};

/// What coordinates are called, and the units of their velocities and of themselves.
struct CoordinateLabels {
  std::vector<std::string> names;
  std::vector<std::string> velocity_units;
  std::vector<std::string> position_units;
};
CoordinateLabels coordinate_labels(const MotionFile& motion);

}  // namespace percute::io

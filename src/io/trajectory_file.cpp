// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/trajectory_sinks.hpp"

#include <percute/io/checkpoint_file.hpp>
#include <percute/io/result_file.hpp>
#include <percute/io/trajectory_file.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace percute::io {

namespace {

constexpr double kEvery = 1.0;                               // s between writes
constexpr std::size_t kMostNumbers = std::size_t{1} << 15U;  // kept in memory
constexpr std::size_t kMostEvents = 256;

double seconds_now() {
  using std::chrono::steady_clock;
  return std::chrono::duration<double>(steady_clock::now().time_since_epoch()).count();
}

HistoryFormat trajectory_format(const std::filesystem::path& path) {
  const auto suffix = path.extension();
  if (suffix == ".csv") return HistoryFormat::Csv;
  if (suffix == ".h5" || suffix == ".hdf5") return HistoryFormat::Hdf5;
  throw FileError(
      path.string(), "",
      fmt::format("a trajectory is written as .h5, .hdf5 or .csv, not \"{}\"", suffix.string()));
}

}  // namespace

void TrajectoryFile::Rows::clear() {
  t.clear();
  q.clear();
  v.clear();
  events.clear();
}

TrajectoryFile::TrajectoryFile(std::filesystem::path path, const MotionFile& motion,
                               const Document& document)
    : path_(std::move(path)),
      motion_(motion),
      document_(document),
      rows_(std::make_unique<Rows>()),
      written_to_(motion.start.time) {
  const HistoryFormat format = trajectory_format(path_);
  check_writable(path_);
  if (format == HistoryFormat::Csv) check_writable(events_path(path_));
}

TrajectoryFile::~TrajectoryFile() = default;

void TrajectoryFile::state(double time, const Vector& q, const Vector& v) {
  rows_->t.push_back(time);
  rows_->q.insert(rows_->q.end(), q.begin(), q.end());
  rows_->v.insert(rows_->v.end(), v.begin(), v.end());
  ++states_;
  write_if_due();
}

void TrajectoryFile::event(const simulation::Event& event) {
  rows_->events.push_back(event);
  ++events_;
  write_if_due();
}

void TrajectoryFile::write_if_due() {
  const double now = seconds_now();
  const bool full = rows_->q.size() >= kMostNumbers || rows_->events.size() >= kMostEvents;
  const bool due = now >= next_write_;
  if (!full && !due) return;
  write(due);
  if (due) next_write_ = now + kEvery;
}

void TrajectoryFile::write(bool through) {
  try {
    if (!sink_) {
      sink_ = trajectory_format(path_) == HistoryFormat::Csv
                  ? Sink::csv(path_, motion_)
                  : Sink::hdf5(path_, motion_, document_);
    }
    sink_->append(*rows_);
    if (through) sink_->flush();
  } catch (const FileError& error) {
    if (!sink_) throw;  // it could not be made
    const std::size_t kept = std::min(sink_->kept(), rows_->t.size());
    if (kept > 0) written_to_ = rows_->t[kept - 1];
    throw FileError(error.where(), error.field(),
                    fmt::format("{}; it holds the run up to {} s", error.reason(), written_to_));
  }
  if (!rows_->t.empty()) written_to_ = rows_->t.back();
  rows_->clear();
}

void TrajectoryFile::close(const simulation::Run& run) {
  write(true);
  sink_->close(run);
  sink_.reset();
}

CoordinateLabels coordinate_labels(const MotionFile& motion) {
  const auto n = static_cast<std::size_t>(motion.system.coordinates());
  CoordinateLabels labels{.names = std::vector<std::string>(n),
                          .velocity_units = std::vector<std::string>(n),
                          .position_units = std::vector<std::string>(n)};
  for (const Body& body : motion.bodies) {
    for (std::size_t k = 0; k < body.coordinates.size(); ++k) {
      const auto i = static_cast<std::size_t>(body.coordinates[k]);
      const std::string unit = body.unit(k);
      labels.names[i] = body.coordinate_name(k);
      labels.velocity_units[i] = unit;
      labels.position_units[i] = unit.ends_with("/s") ? unit.substr(0, unit.size() - 2) : unit;
    }
  }
  return labels;
}

}  // namespace percute::io

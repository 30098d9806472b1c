// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/io/motion_file.hpp>

#include <filesystem>
#include <string>

namespace percute::io {

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
/// changed. Throws FileError, naming what differs, or where its checksum says that the file was
/// changed; also where the run failed, as nothing goes on from there, or is beyond the duration
/// that is asked for.
Checkpoint read_checkpoint(const std::filesystem::path& path, const MotionFile& motion,
                           const Document& document);

}  // namespace percute::io

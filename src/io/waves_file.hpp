// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/analysis/chain_waves.hpp>
#include <percute/io/problem_file.hpp>

#include <filesystem>

namespace percute::io {

/// A `percute-waves/1` object: `balls` and `contacts` in the order of the row, with the names the
/// file gives them; `space_time` only where instants were asked for.
Node to_node(const analysis::ChainWaves& waves, const ProblemFile& file);

/// Throws FileError unless the suffix is .csv, .h5 or .hdf5.
void check_waves_path(const std::filesystem::path& path);

/// Writes velocities and forces over the row and time.
///
/// CSV: one row per instant, one header row with units.
/// HDF5: /space_time (time; velocity and force with one row per instant), /contacts and /balls (one
/// entry each), /meta (names, law, format); each dataset of numbers has an attribute `units`.
/// Throws FileError if the file cannot be written.
void write_waves(const std::filesystem::path& path, const analysis::ChainWaves& waves,
                 const ProblemFile& file);

}  // namespace percute::io

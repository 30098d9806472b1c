// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/io/problem_file.hpp>
#include <percute/model/impact_result.hpp>

#include <filesystem>

namespace percute::io {

enum class HistoryFormat { Csv, Hdf5 };

/// By suffix: .csv, or .h5 and .hdf5. Throws FileError on any other.
HistoryFormat history_format(const std::filesystem::path& path);

/// The events of "run.csv" are in "run.events.csv"; HDF5 holds both in one file.
std::filesystem::path events_path(const std::filesystem::path& csv_path);

/// Writes the evolution during an impact, result.history.
///
/// CSV: one row per sample, one header row with units; a second file for the events.
/// HDF5: /state (time and one row per sample and quantity), /events (one entry per event), /meta
/// (names and units of the coordinates, law, format); each dataset has an attribute `units`.
/// Throws FileError if the file cannot be written.
void write_history(const std::filesystem::path& path, const ImpactResult& result,
                   const ProblemFile& file);

}  // namespace percute::io

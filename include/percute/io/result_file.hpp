// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/io/document.hpp>
#include <percute/io/problem_file.hpp>
#include <percute/model/impact_result.hpp>

#include <filesystem>
#include <string>
#include <string_view>

namespace percute::io {

/// A `percute-result/1` object.
Node to_node(const ImpactResult& result, const ProblemFile& file);

/// The same as text, without a final newline.
std::string to_json(const ImpactResult& result, const ProblemFile& file,
                    JsonLayout layout = JsonLayout::Pretty);

/// Writes a text file. Throws FileError if that fails, also when the disk is full.
void write_text(const std::filesystem::path& path, std::string_view text);

/// Writes the evolution during an impact, result.history.
///
/// CSV: one row per sample, one header row with units; "run.events.csv" beside it for the events.
/// HDF5: /state (time and one row per sample and quantity), /events (one entry per event), /meta
/// (names and units of the coordinates, law, format); each dataset has an attribute `units`.
/// Throws FileError if the file cannot be written.
void write_history(const std::filesystem::path& path, const ImpactResult& result,
                   const ProblemFile& file);

}  // namespace percute::io

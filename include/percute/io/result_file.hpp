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

}  // namespace percute::io

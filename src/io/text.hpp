// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <concepts>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace percute::io {

/// Text fit for one line of a message or a table: control characters and invalid bytes escaped, so
/// that a name in a file cannot steer the terminal; cut after about `limit` bytes with "…".
std::string printable(std::string_view text, std::size_t limit = 60);

/// Offset of the first byte that is not part of valid UTF-8 text, or text.size().
std::size_t first_invalid_utf8(std::string_view text);

/// Line (from 1) of an offset.
int line_of(std::string_view text, std::size_t offset);

/// The byte order mark of UTF-8.
inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// "1 entry", "3 entries".
template <std::integral Integer>
std::string entries(Integer count) {
  return std::to_string(count) + (count == 1 ? " entry" : " entries");
}

/// A name with hyphens for en dashes, as it can be typed and as tools that know ASCII only read it.
std::string plain_name(std::string_view name);

/// A cell of a CSV file: quoted if it must be, en dashes as hyphens for tools that know ASCII only.
std::string csv_cell(std::string_view text);

/// Damerau–Levenshtein distance (adjacent letters may swap), letters compared without case.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The candidate a mistyped word most likely meant; empty if none is close.
std::string_view closest(std::string_view word, std::span<const std::string_view> candidates);

/// " (did you mean 'restitution'?)", or nothing if no candidate is close.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates);

/// "a, b, c".
std::string join(std::span<const std::string_view> words);

/// Without blanks at both ends.
std::string_view trimmed(std::string_view text);

/// A finite number as people write it: .95, 1. and +2 too.
std::optional<double> number_of(std::string_view text);

/// s, of a clock that never goes back.
double seconds_now();

}  // namespace percute::io

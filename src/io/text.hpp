// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "io/printable.hpp"

#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>

namespace percute::io {

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

}  // namespace percute::io

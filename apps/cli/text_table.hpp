// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/numerics/linear_algebra.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace percute::cli {

/// Columns of UTF-8 text as a monospaced terminal shows it: one cell per code point.
std::size_t display_width(std::string_view text);

/// Text filled with blanks to a width.
std::string padded(std::string_view text, std::size_t width);

/// Six decimals, or scientific notation where numbers of size `scale` would show too few digits
/// that way. A number that shows as zero has no sign.
std::string number_text(double value, double scale, bool sign = false);

/// A table of aligned columns. All cells of a column are made before it is added, so that its
/// numbers share one format.
class TextTable {
 public:
  /// Text, left-aligned; control characters are escaped.
  TextTable& text(const std::string& heading, const std::vector<std::string>& cells);
  /// Numbers in one format, chosen from the largest of them and `scale`, below which they mean
  /// little. `sign` shows + as well.
  TextTable& numbers(const std::string& heading, const Vector& values, bool sign,
                     double scale = 0.0);
  /// Text, right-aligned.
  TextTable& right(const std::string& heading, const std::vector<std::string>& cells);

  std::size_t width() const { return width_; }
  /// Heading and rows, each filled to width().
  const std::vector<std::string>& lines() const { return lines_; }

 private:
  void add(const std::string& heading, const std::vector<std::string>& cells, bool align_right);

  std::vector<std::string> lines_;
  std::size_t width_ = 0;
};

/// Two tables next to each other if both fit into `columns`, else one below the other; every line
/// indented by two blanks and ended by a newline. On a terminal a table of more than 60 rows shows
/// its first and last ones only.
std::string beside(const TextTable& left, const TextTable& right, std::size_t columns);
std::string indented(const TextTable& table);

/// From now on long tables are whole on a terminal too: --all.
void show_all_rows();

/// Columns of the terminal, or 120 when standard output is none.
std::size_t terminal_columns();

}  // namespace percute::cli

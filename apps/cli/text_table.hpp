// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/numerics/linear_algebra.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace percute::cli {

/// Columns of UTF-8 text as a monospaced terminal shows it: one cell per code point.
std::size_t display_width(std::string_view text);

/// Text filled with blanks to a width.
std::string padded(std::string_view text, std::size_t width);

/// "1 contact", "3 contacts"; the plural of others is given: "2 bodies".
std::string counted(std::int64_t count, const char* noun, const char* plural = nullptr);
template <std::integral Count>
std::string counted(Count count, const char* noun, const char* plural = nullptr) {
  return counted(static_cast<std::int64_t>(count), noun, plural);
}

/// Six decimals, or scientific notation where numbers of size `scale` would show too few digits
/// that way. A number that shows as zero has no sign.
std::string number_text(double value, double scale, bool sign = false);
/// "+0.100000, -0.200000".
std::string numbers_text(const Vector& values, double scale);

/// A table of aligned columns. All cells of a column are made before it is added, so that its
/// numbers share one format. Cells are listed, or made of each element of `rows` by `cell`, a
/// function of it or one of its members: texts, or integers.
class TextTable {
 public:
  /// Text, left-aligned; control characters are escaped.
  template <class Rows, class Cell = std::identity>
  TextTable& text(const std::string& heading, const Rows& rows, Cell cell = {}) {
    return add(heading, made<std::string>(rows, cell), false);
  }
  /// Text, right-aligned.
  template <class Rows, class Cell = std::identity>
  TextTable& right(const std::string& heading, const Rows& rows, Cell cell = {}) {
    return add(heading, made<std::string>(rows, cell), true);
  }
  /// Numbers in one format, chosen from the largest of them and `scale`, below which they mean
  /// little. `sign` shows + as well.
  TextTable& numbers(const std::string& heading, const Vector& values, bool sign,
                     double scale = 0.0);
  template <class Rows, class Cell>
  TextTable& numbers(const std::string& heading, const Rows& rows, Cell cell, bool sign,
                     double scale = 0.0) {
    const auto values = made<double>(rows, cell);
    const auto count = static_cast<Eigen::Index>(values.size());
    return numbers(heading, Vector(Vector::Map(values.data(), count)), sign, scale);
  }

  struct Column {
    std::string heading;
    std::vector<std::string> cells;
    bool right;         ///< aligned
    std::size_t width;  ///< of the widest cell
  };
  const std::vector<Column>& columns() const { return columns_; }

  std::size_t width() const;
  /// Heading and rows, each filled to width().
  std::vector<std::string> lines() const;

 private:
  TextTable& add(const std::string& heading, std::vector<std::string> cells, bool align_right);
  template <class Value, class Rows, class Cell>
  static std::vector<Value> made(const Rows& rows, Cell cell) {
    std::vector<Value> cells;
    cells.reserve(std::size(rows));
    for (const auto& row : rows) {
      if constexpr (std::integral<std::decay_t<std::invoke_result_t<Cell, decltype(row)>>> &&
                    std::same_as<Value, std::string>) {
        cells.push_back(std::to_string(std::invoke(cell, row)));
      } else {
        cells.emplace_back(std::invoke(cell, row));
      }
    }
    return cells;
  }

  std::vector<Column> columns_;
};

/// 0, 1, … below a number: rows that are known by their place.
inline Eigen::VectorX<Eigen::Index> places(Eigen::Index count) {
  return Eigen::VectorX<Eigen::Index>::LinSpaced(count, 0, count - 1);
}

/// Two tables next to each other if both fit into `columns`, else one below the other; every line
/// indented by two blanks and ended by a newline. On a terminal a table of more than 60 rows shows
/// its first and last ones only.
std::string beside(const TextTable& left, const TextTable& right, std::size_t columns);
std::string indented(const TextTable& table);

/// From now on long tables are whole on a terminal too: --all.
void show_all_rows();

/// Columns of the terminal, or 120 where standard output (or another file) is none.
std::size_t terminal_columns(int file = 1);

}  // namespace percute::cli

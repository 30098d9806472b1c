// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "text_table.hpp"

#include "io/text.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

namespace percute::cli {

namespace {

constexpr std::size_t kColumnGap = 3;
constexpr std::size_t kTableGap = 6;

// Set once, by an option of the command line.
bool all_rows_wanted = false;

std::string trimmed(const std::string& line) {
  return line.substr(0, line.find_last_not_of(' ') + 1);
}

/// "99 940".
std::string grouped(std::size_t number) {
  std::string digits = fmt::format("{}", number);
  for (auto at = static_cast<long>(digits.size()) - 3; at > 0; at -= 3) {
    digits.insert(static_cast<std::size_t>(at), 1, ' ');
  }
  return digits;
}

/// A heading and rows as text. Nobody scrolls through a hundred thousand rows: on a terminal those
/// in the middle are left out.
std::string rows_text(const std::vector<std::string>& lines) {
  constexpr std::size_t kMostRows = 60;
  constexpr std::size_t kAtEachEnd = kMostRows / 2;
  const bool cut = lines.size() > kMostRows + 1 && !all_rows_wanted && isatty(STDOUT_FILENO) != 0;
  std::string out;
  for (std::size_t k = 0; k < lines.size(); ++k) {
    if (cut && k == 1 + kAtEachEnd) {
      out += fmt::format("  … {} more: all of them with --all, --json, or a pipe\n",
                         grouped(lines.size() - 1 - kMostRows));
      k = lines.size() - kAtEachEnd;
    }
    out += "  " + trimmed(lines[k]) + "\n";
  }
  return out;
}

}  // namespace

std::size_t display_width(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string padded(std::string_view text, std::size_t width) {
  const std::size_t own = display_width(text);
  return std::string(text) + std::string(width > own ? width - own : 0, ' ');
}

std::string counted(std::int64_t count, const char* noun, const char* plural) {
  return count == 1          ? fmt::format("1 {}", noun)
         : plural != nullptr ? fmt::format("{} {}", count, plural)
                             : fmt::format("{} {}s", count, noun);
}

std::string number_text(double value, double scale, bool sign) {
  constexpr double kSmallest = 1e-3;
  constexpr double kLargest = 1e6;
  const bool fixed = scale == 0.0 || (scale >= kSmallest && scale < kLargest);
  const double size = std::abs(value);
  const std::string digits = fixed ? fmt::format("{:.6f}", size) : fmt::format("{:.6e}", size);
  const bool zero = digits.find_first_not_of("0.") == std::string::npos || size == 0.0;
  const char* plus = sign ? (zero ? " " : "+") : "";
  return (value < 0.0 && !zero ? "-" : plus) + digits;
}

std::string numbers_text(const Vector& values, double scale) {
  std::string out;
  for (const double value : values) {
    out += (out.empty() ? "" : ", ") + number_text(value, scale, true);
  }
  return out;
}

TextTable& TextTable::numbers(const std::string& heading, const Vector& values, bool sign,
                              double scale) {
  const double largest = values.size() == 0 ? 0.0 : values.cwiseAbs().maxCoeff();
  std::vector<std::string> cells;
  for (const double value : values) {
    cells.push_back(number_text(value, std::max(largest, scale), sign));
  }
  return add(heading, std::move(cells), true);
}

TextTable& TextTable::add(const std::string& heading, std::vector<std::string> cells,
                          bool align_right) {
  std::size_t widest = display_width(heading);
  for (std::string& cell : cells) {
    if (!align_right) cell = io::printable(cell, 200);
    widest = std::max(widest, display_width(cell));
  }
  columns_.push_back(
      {.heading = heading, .cells = std::move(cells), .right = align_right, .width = widest});
  return *this;
}

std::size_t TextTable::width() const {
  std::size_t width = columns_.empty() ? 0 : kColumnGap * (columns_.size() - 1);
  for (const Column& column : columns_) width += column.width;
  return width;
}

std::vector<std::string> TextTable::lines() const {
  std::size_t rows = 0;
  for (const Column& column : columns_) rows = std::max(rows, column.cells.size());
  std::vector<std::string> lines(rows + 1);
  for (const Column& column : columns_) {
    for (std::size_t row = 0; row < lines.size(); ++row) {
      std::string& line = lines[row];
      const std::string& cell = row == 0                     ? column.heading
                                : row <= column.cells.size() ? column.cells[row - 1]
                                                             : std::string();
      const std::size_t indent = column.right ? column.width - display_width(cell) : 0;
      if (&column != columns_.data()) line.append(kColumnGap, ' ');
      line.append(indent, ' ') += padded(cell, column.width - indent);
    }
  }
  return lines;
}

std::string indented(const TextTable& table) {
  return rows_text(table.lines());
}

std::string beside(const TextTable& left, const TextTable& right, std::size_t columns) {
  if (2 + left.width() + kTableGap + right.width() > columns) {
    return indented(left) + "\n" + indented(right);
  }
  std::vector<std::string> lines = left.lines();
  const std::vector<std::string> others = right.lines();
  lines.resize(std::max(lines.size(), others.size()));
  for (std::size_t row = 0; row < others.size(); ++row) {
    lines[row] = padded(lines[row], left.width() + kTableGap) + others[row];
  }
  return rows_text(lines);
}

void show_all_rows() {
  all_rows_wanted = true;
}

std::size_t terminal_columns(int file) {
  constexpr std::size_t kWithoutTerminal = 120;
  winsize size{};
  const bool known = ioctl(file, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : kWithoutTerminal;
}

}  // namespace percute::cli

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/fit_data.hpp"

#include "io/suggest.hpp"
#include "io/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace percute::io {

namespace {

constexpr std::string_view kDataBlanks = " \t\r";

std::string without_blanks(std::string_view text) {
  const auto first = text.find_first_not_of(kDataBlanks);
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(kDataBlanks) - first + 1));
}

/// The cells of a line. A cell in quotes may hold separators, and quotes if doubled.
std::vector<std::string> cells_of(std::string_view line, char separator, const std::string& where) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"') {
      cells.back() += line[++i];
    } else if (c == '"') {
      quoted = !quoted;
    } else if (c == separator && !quoted) {
      cells.emplace_back();
    } else {
      cells.back() += c;
    }
  }
  if (quoted) throw FileError(where, "", "a quotation mark is not closed on its line");
  for (std::string& cell : cells) cell = without_blanks(cell);
  return cells;
}

/// The first separator of the header; one column needs none.
char separator_of(std::string_view header) {
  const auto at = header.find_first_of(",;\t");
  return at == std::string_view::npos ? ',' : header[at];
}

std::string text_of_file(const std::filesystem::path& path, const Value& name) {
  std::ifstream in(path, std::ios::binary);
  std::error_code ignored;
  if (!in || std::filesystem::is_directory(path, ignored)) {
    name.fail(fmt::format("cannot open the table {}", printable(path.string(), 200)));
  }
  std::string text{std::istreambuf_iterator<char>(in), {}};
  if (text.size() > DocumentLimits::kTomlBytes) {
    throw FileError(path.string(), "",
                    fmt::format("larger than {} MiB", DocumentLimits::kTomlBytes >> 20U));
  }
  if (first_invalid_utf8(text) != text.size()) {
    throw FileError(fmt::format("{}:{}", path.string(), line_of(text, first_invalid_utf8(text))),
                    "", "is not UTF-8 text");
  }
  return text;
}

void check_header(const DataTable& table, const std::string& where) {
  for (std::size_t k = 0; k < table.header.size(); ++k) {
    const std::string& name = table.header[k];
    if (name.empty()) throw FileError(where, "", fmt::format("column {} has no name", k + 1));
    if (std::find(table.header.begin(), table.header.begin() + static_cast<long>(k), name) !=
        table.header.begin() + static_cast<long>(k)) {
      throw FileError(where, "", fmt::format("two columns have the name '{}'", printable(name)));
    }
  }
}

}  // namespace

DataTable read_data(const Value& name) {
  const std::filesystem::path path = name.string();
  const std::filesystem::path folder = std::filesystem::path(name.document().file).parent_path();
  DataTable table;
  table.file = (path.is_absolute() ? path : folder / path).string();
  const std::string text = text_of_file(table.file, name);
  std::string_view rest = text;
  if (rest.starts_with(kByteOrderMark)) rest.remove_prefix(kByteOrderMark.size());
  char separator = ',';
  for (int number = 1; !rest.empty(); ++number) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    if (without_blanks(line).empty() || line.front() == '#') continue;
    const std::string where = fmt::format("{}:{}", table.file, number);
    if (table.header.empty()) {
      separator = separator_of(line);
      table.header = cells_of(line, separator, where);
      check_header(table, where);
      continue;
    }
    DataTable::Row row{.line = number, .cells = cells_of(line, separator, where)};
    if (row.cells.size() != table.header.size()) {
      throw FileError(
          where, "",
          fmt::format("has {}, but the header names {} columns",
                      row.cells.size() == 1 ? "1 cell" : fmt::format("{} cells", row.cells.size()),
                      table.header.size()));
    }
    table.rows.push_back(std::move(row));
  }
  if (table.rows.empty()) throw FileError(table.file, "", "needs a header and at least one row");
  return table;
}

std::size_t DataTable::column(const Value& name) const {
  const auto found = std::find(header.begin(), header.end(), name.string());
  if (found != header.end()) return static_cast<std::size_t>(found - header.begin());
  const std::vector<std::string_view> words(header.begin(), header.end());
  name.fail(fmt::format("{} has no column '{}'{}; its columns are: {}", printable(file, 200),
                        printable(name.string()), did_you_mean(name.string(), words), join(words)));
}

std::optional<double> DataTable::number(const Row& row, std::size_t column) const {
  const std::string& cell = row.cells[column];
  if (cell.empty()) return {};
  double value = 0.0;
  const char* end = cell.data() + cell.size();
  // from_chars knows no plus; behind one, a minus is a mistake.
  const bool plus = cell.front() == '+' && !cell.starts_with("+-");
  const auto parsed = std::from_chars(cell.data() + (plus ? 1 : 0), end, value);
  if (parsed.ec != std::errc{} || parsed.ptr != end || !std::isfinite(value)) {
    fail(row, column,
         fmt::format(
             "'{}' is not a number{}", printable(cell),
             cell.find(',') == std::string::npos ? "" : "; decimals are written with a point"));
  }
  return value;
}

void DataTable::fail(const Row& row, std::size_t column, const std::string& reason) const {
  throw FileError(fmt::format("{}:{}", file, row.line),
                  fmt::format("column '{}'", printable(header[column])), reason);
}

}  // namespace percute::io

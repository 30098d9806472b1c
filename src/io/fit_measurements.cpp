// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/fit_measurements.hpp"

#include "io/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace percute::io {

namespace {

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
  for (std::string& cell : cells) cell = std::string(trimmed(cell));
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

enum class Up { Positive, Negative };
constexpr Names<Up, 2> kUps{{{"positive", Up::Positive}, {"negative", Up::Negative}}};

constexpr std::array<std::string_view, 15> kKeys{
    "quantity", "body",  "coordinate", "contact",      "value",
    "values",   "sigma", "times",      "offset",       "gravity",
    "up",       "name",  "column",     "sigma_column", "times_column"};

/// Keys that say nothing about this quantity are mistakes.
void refuse_foreign_keys(const Table& table, Quantity quantity) {
  const Owner owner = kind_of(quantity).owner;
  const std::string_view word = name_of(quantity);
  const auto refuse = [&](std::string_view key, bool fine) {
    if (!fine && table.has(key)) table.fail(key, fmt::format("does not go with quantity {}", word));
  };
  refuse("body", owner == Owner::Coordinate);
  refuse("coordinate", owner == Owner::Coordinate);
  refuse("contact", owner == Owner::Contact);
  refuse("times", quantity == Quantity::Force);
  refuse("times_column", quantity == Quantity::Force);
  refuse("offset", quantity == Quantity::Force);
  refuse("gravity", quantity == Quantity::Rebound);
  refuse("up", quantity == Quantity::Rebound);
}

/// Coordinate of a body that has but one, or a coordinate by its index from 0.
void read_coordinate(const Table& table, const ProblemFile& file, FitMeasurement& out) {
  const auto [key, value] = table.one_of(
      {"body", "coordinate"}, "give either 'body' (its name) or 'coordinate' (its number, from 0)");
  if (key == "coordinate") {
    out.index = static_cast<int>(value.integer(0, file.problem.velocity.size() - 1));
    out.of = fmt::format("coordinate {}", out.index);
    return;
  }
  std::vector<std::string> names;
  names.reserve(file.bodies.size());
  for (const Body& candidate : file.bodies) names.push_back(candidate.name);
  const Body& found = file.bodies[find_name(value, names, "body")];
  if (found.coordinates.size() != 1) {
    value.fail(fmt::format("{} has {} coordinates; give 'coordinate' instead",
                           value.node().describe(), found.coordinates.size()));
  }
  out.index = found.coordinates.front();
  out.of = found.name;
}

/// A contact by its name, or by its index from 0.
void read_contact(const Table& table, const ProblemFile& file, FitMeasurement& out) {
  const Value contact = table.required("contact");
  out.index = contact.node().as<std::string>() != nullptr
                  ? static_cast<int>(find_name(contact, file.contact_names, "contact"))
                  : static_cast<int>(
                        contact.integer(0, static_cast<long>(file.problem.contacts.size()) - 1));
  out.of = file.contact_names[static_cast<std::size_t>(out.index)];
}

double read_gravity(const Table& table, const std::optional<double>& gravity) {
  const auto own = table.find("gravity");
  if (!own && !gravity) {
    table.value().fail(
        "a rebound height needs 'gravity' (m/s²), here, in the experiment, or in the scene's "
        "start");
  }
  const double g = own ? own->number() : *gravity;
  if (!(g > 0.0)) table.fail("gravity", fmt::format("must be > 0, got {}", g));
  return table.choice("up", Up::Positive, kUps) == Up::Positive ? -g : g;
}

/// A measured number, and where it stands.
struct Entry {
  double number;
  Value place;
};
using Entries = std::vector<Entry>;

/// One number, or those of a list.
Entries entries_of_value(const Value& value) {
  if (value.node().as<Node::Array>() == nullptr)
    return {{.number = value.number(), .place = value}};
  Entries out;
  for (std::size_t k = 0; k < value.size(); ++k) {
    out.push_back({.number = value[k].number(), .place = value[k]});
  }
  return out;
}

/// Those of a column of a table.
Entries entries_of_column(const Value& name, const DataTable& data) {
  Entries out;
  const std::size_t column = data.column(name);
  for (const DataTable::Row& row : data.rows) {
    const Value cell = data.cell(row, column);
    const std::optional<double> number = number_in(cell);
    if (!number) cell.fail("is empty, but the measurement beside it is not");
    out.push_back({.number = *number, .place = cell});
  }
  return out;
}

/// What was measured, as many of each; of sigma one may be for all.
struct Numbers {
  Entries values = {};
  Entries sigma = {};
  Entries times = {};  ///< of a force curve
};

Numbers read_numbers(const Table& table, Quantity quantity, const DataTable* data) {
  const bool timed = quantity == Quantity::Force;
  const auto column = table.find("column");
  const std::vector<const char*> wrong = column ? std::vector{"value", "values", "times"}
                                                : std::vector{"sigma_column", "times_column"};
  for (const char* key : wrong) {
    if (table.has(key)) {
      table.fail(key, column ? "does not go with 'column'" : "goes with 'column'");
    }
  }
  Numbers out;
  DataTable made;  ///< the rows that were measured: entries tell where they stand in it
  const auto sigma = table.find("sigma");
  if (column) {
    if (data == nullptr) column->fail("needs 'data', a CSV file, in the experiment");
    const auto sigmas = table.find("sigma_column");
    if (sigma && sigmas) sigmas->fail("does not go with 'sigma'");
    // An empty cell is a measurement that was not made.
    const std::size_t place = data->column(*column);
    made = *data;
    std::erase_if(made.rows,
                  [&](const DataTable::Row& row) { return !number_in(data->cell(row, place)); });
    out.values = entries_of_column(*column, made);
    if (sigmas) out.sigma = entries_of_column(*sigmas, made);
    if (timed) out.times = entries_of_column(table.required("times_column"), made);
  } else {
    const auto [key, value] = table.one_of(
        {"value", "values"},
        "give either 'value' or 'values' (several measurements of the same), or 'column' where "
        "the experiment has 'data'");
    if (key == "value") (void)value.number();
    if (key == "values" && value.size() == 0) value.fail("is empty");
    out.values = entries_of_value(value);
    if (timed) {
      const Value times = table.required("times");
      out.times = entries_of_value(times);
      if (times.size() != out.values.size()) {
        times.fail(fmt::format("must have {}, as many as values, got {}",
                               entries(out.values.size()), times.size()));
      }
    }
  }
  if (sigma) {
    out.sigma = entries_of_value(*sigma);
    const bool list = sigma->node().as<Node::Array>() != nullptr;
    const std::size_t count = out.values.size();
    if (list && out.sigma.size() != count) {
      sigma->fail(fmt::format("must be one number or {}, as many as values, got {}", count,
                              out.sigma.size()));
    }
    if (!list) out.sigma.resize(count, out.sigma.front());
  }
  // Heights, durations and energies are not negative.
  for (const Entry& value : out.values) {
    if (!kind_of(quantity).not_negative || !(value.number < 0.0)) continue;
    value.place.fail(fmt::format("{} must be >= 0, got {}", name_of(quantity), value.number));
  }
  for (const Entry& one : out.sigma) {
    if (one.number > 0.0) continue;
    one.place.fail(fmt::format("must be > 0 (a standard deviation), got {}", one.number));
  }
  const double offset = table.number("offset", 0.0);
  for (Entry& time : out.times) {
    time.number -= offset;
    if (time.number >= 0.0) continue;
    time.place.fail("is before the start of the impact, which is at 'offset' (default 0)");
  }
  return out;
}

}  // namespace

std::size_t find_name(const Value& value, const std::vector<std::string>& names, const char* what) {
  const std::string wanted = plain_name(value.string());
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (plain_name(names[i]) == wanted) return i;
  }
  const std::vector<std::string_view> words(names.begin(), names.end());
  value.fail(fmt::format("there is no {} {}{}; there are: {}", what, value.node().describe(),
                         did_you_mean(value.string(), words), join(words)));
}

DataTable read_data(const Value& name) {
  DataTable table;
  table.file.file =
      (std::filesystem::path(name.document().file).parent_path() / name.string()).string();
  const std::string text = text_of_file(table.file.file, name);
  std::string_view rest = text;
  if (rest.starts_with(kByteOrderMark)) rest.remove_prefix(kByteOrderMark.size());
  char separator = ',';
  for (int number = 1; !rest.empty(); ++number) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    if (trimmed(line).empty() || line.front() == '#') continue;
    const std::string where = fmt::format("{}:{}", table.file.file, number);
    if (table.header.empty()) {
      separator = separator_of(line);
      table.header = cells_of(line, separator, where);
      check_header(table, where);
      continue;
    }
    const std::vector<std::string> cells = cells_of(line, separator, where);
    if (cells.size() != table.header.size()) {
      throw FileError(
          where, "",
          fmt::format("has {}, but the header names {} columns",
                      cells.size() == 1 ? "1 cell" : fmt::format("{} cells", cells.size()),
                      table.header.size()));
    }
    DataTable::Row& row = table.rows.emplace_back(cells.begin(), cells.end());
    for (Node& cell : row) cell.line = number;
  }
  if (table.rows.empty())
    throw FileError(table.file.file, "", "needs a header and at least one row");
  return table;
}

std::size_t DataTable::column(const Value& name) const {
  const auto found = std::find(header.begin(), header.end(), name.string());
  if (found != header.end()) return static_cast<std::size_t>(found - header.begin());
  const std::vector<std::string_view> words(header.begin(), header.end());
  name.fail(fmt::format("{} has no column '{}'{}; its columns are: {}", printable(file.file, 200),
                        printable(name.string()), did_you_mean(name.string(), words), join(words)));
}

Value DataTable::cell(const Row& row, std::size_t column) const {
  return {file, row[column], fmt::format("column '{}'", printable(header[column]))};
}

std::optional<double> number_in(const Value& cell) {
  const std::string& text = cell.string();
  if (text.empty()) return {};
  const std::optional<double> number = number_of(text);
  if (!number) {
    cell.fail(fmt::format(
        "'{}' is not a number{}", printable(text),
        text.find(',') == std::string::npos ? "" : "; decimals are written with a point"));
  }
  return number;
}

std::vector<FitMeasurement> read_measurement(const Value& value, const ProblemFile& file,
                                             const std::optional<double>& gravity,
                                             const DataTable* data) {
  const Table table(value, kKeys);
  FitMeasurement one;
  one.path = value.path();
  one.quantity = table.required("quantity").choice(names(Quantity{}));
  refuse_foreign_keys(table, one.quantity);
  const Owner owner = kind_of(one.quantity).owner;
  if (owner == Owner::Coordinate) read_coordinate(table, file, one);
  if (owner == Owner::Contact) read_contact(table, file, one);
  if (one.quantity == Quantity::Rebound) one.gravity = read_gravity(table, gravity);
  if (const auto name = table.find("name")) one.of = name->string();

  std::vector<FitMeasurement> out;
  const Numbers numbers = read_numbers(table, one.quantity, data);
  for (std::size_t k = 0; k < numbers.values.size(); ++k) {
    FitMeasurement& measurement = out.emplace_back(one);
    measurement.value = numbers.values[k].number;
    if (!numbers.sigma.empty()) measurement.sigma = numbers.sigma[k].number;
    if (numbers.times.empty()) continue;
    measurement.time = numbers.times[k].number;
    measurement.of = fmt::format("{} at {:g} s", one.of, measurement.time);
  }
  return out;
}

}  // namespace percute::io

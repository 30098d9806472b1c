// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/fit_measurements.hpp"

#include "io/suggest.hpp"
#include "io/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
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

/// Index of a name, hyphens and dashes being the same.
int find_name(const Value& value, const std::vector<std::string>& names, const char* what) {
  const std::string wanted = plain_name(value.string());
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (plain_name(names[i]) == wanted) return static_cast<int>(i);
  }
  const std::vector<std::string_view> words(names.begin(), names.end());
  value.fail(fmt::format("there is no {} {}{}; there are: {}", what, value.node().describe(),
                         did_you_mean(value.string(), words), join(words)));
}

/// Coordinate of a body that has but one, or a coordinate by its index from 0.
void read_coordinate(const Table& table, const ProblemFile& file, FitMeasurement& out) {
  const auto body = table.find("body");
  const auto coordinate = table.find("coordinate");
  if (body.has_value() == coordinate.has_value()) {
    table.value().fail("give either 'body' (its name) or 'coordinate' (its number, from 0)");
  }
  if (coordinate) {
    out.index = static_cast<int>(coordinate->integer(0, file.problem.velocity.size() - 1));
    out.of = fmt::format("coordinate {}", out.index);
    return;
  }
  std::vector<std::string> names;
  names.reserve(file.bodies.size());
  for (const Body& candidate : file.bodies) names.push_back(candidate.name);
  const Body& found = file.bodies[static_cast<std::size_t>(find_name(*body, names, "body"))];
  if (found.coordinates.size() != 1) {
    body->fail(fmt::format("{} has {} coordinates; give 'coordinate' instead",
                           body->node().describe(), found.coordinates.size()));
  }
  out.index = found.coordinates.front();
  out.of = found.name;
}

/// A contact by its name, or by its index from 0.
void read_contact(const Table& table, const ProblemFile& file, FitMeasurement& out) {
  const Value contact = table.required("contact");
  out.index = contact.node().as<std::string>() != nullptr
                  ? find_name(contact, file.contact_names, "contact")
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

/// Why a number cannot be: heights, durations and energies are not negative.
std::string fault_of(double number, Quantity quantity) {
  if (!kind_of(quantity).not_negative || !(number < 0.0)) return "";
  return fmt::format("{} must be >= 0, got {}", name_of(quantity), number);
}

void refuse_negative(const Value& value, double number, Quantity quantity) {
  if (const std::string fault = fault_of(number, quantity); !fault.empty()) value.fail(fault);
}

/// One number, or several of the same quantity.
Vector read_values(const Table& table, Quantity quantity) {
  const auto value = table.find("value");
  const auto values = table.find("values");
  if (value.has_value() == values.has_value()) {
    table.value().fail(
        "give either 'value' or 'values' (several measurements of the same), or 'column' where the "
        "experiment has 'data'");
  }
  if (value) {
    refuse_negative(*value, value->number(), quantity);
    return Vector::Constant(1, value->number());
  }
  if (values->size() == 0) values->fail("is empty");
  Vector numbers = values->numbers();
  for (std::size_t k = 0; k < values->size(); ++k) {
    refuse_negative((*values)[k], numbers[static_cast<Eigen::Index>(k)], quantity);
  }
  return numbers;
}

/// Standard deviations: one number for all, or one each.
Vector read_sigma(const Table& table, Eigen::Index count) {
  const auto sigma = table.find("sigma");
  if (!sigma) return Vector::Ones(count);
  const bool list = sigma->node().as<Node::Array>() != nullptr;
  Vector out = list ? sigma->numbers() : Vector::Constant(count, sigma->number());
  if (out.size() != count) {
    sigma->fail(
        fmt::format("must be one number or {}, as many as values, got {}", count, out.size()));
  }
  if (count > 0 && !(out.minCoeff() > 0.0)) {
    sigma->fail(fmt::format("must be > 0 (a standard deviation), got {}", out.minCoeff()));
  }
  return out;
}

/// Instants of a force curve, from the start of the impact.
Vector read_times(const Table& table, Eigen::Index count) {
  const Value list = table.required("times");
  Vector times = list.numbers();
  if (times.size() != count) {
    list.fail(fmt::format("must have {}, as many as values, got {}", entries(count), times.size()));
  }
  times.array() -= table.number("offset", 0.0);
  for (Eigen::Index k = 0; k < count; ++k) {
    if (times[k] < 0.0) {
      list[static_cast<std::size_t>(k)].fail(
          "is before the start of the impact, which is at 'offset' (default 0)");
    }
  }
  return times;
}

/// What was measured, as many of each.
struct Numbers {
  Vector values = {};
  Vector sigma = {};
  Vector times = {};  ///< of a force curve
};

/// The same from columns of a table. An empty cell is a measurement that was not made.
Numbers read_columns(const Table& table, Quantity quantity, const DataRows& data) {
  const Value name = table.required("column");
  if (data.table == nullptr) name.fail("needs 'data', a CSV file, in the experiment");
  for (const char* key : {"value", "values", "times"}) {
    if (table.has(key)) table.fail(key, "does not go with 'column'");
  }
  if (table.has("sigma") && table.has("sigma_column")) {
    table.fail("sigma_column", "does not go with 'sigma'");
  }
  const DataTable& source = *data.table;
  const std::size_t column = source.column(name);
  const auto sigmas = table.find("sigma_column");
  const auto times = quantity == Quantity::Force
                         ? std::optional<Value>(table.required("times_column"))
                         : std::nullopt;
  const double offset = table.number("offset", 0.0);
  const auto beside = [&](const DataTable::Row& row, const Value& wanted, bool good(double),
                          const char* reason) {
    const std::size_t k = source.column(wanted);
    const std::optional<double> number = source.number(row, k);
    if (!number) source.fail(row, k, "is empty, but the measurement beside it is not");
    if (!good(*number)) source.fail(row, k, fmt::format("{}, got {}", reason, *number));
    return *number;
  };
  std::vector<double> out[3];
  for (const DataTable::Row& row : data.rows) {
    const std::optional<double> number = source.number(row, column);
    if (!number) continue;
    const std::string fault = fault_of(*number, quantity);
    if (!fault.empty()) source.fail(row, column, fault);
    out[0].push_back(*number);
    if (sigmas) {
      out[1].push_back(beside(
          row, *sigmas, [](double x) { return x > 0.0; }, "must be > 0 (a standard deviation)"));
    }
    if (!times) continue;
    out[2].push_back(beside(row, *times, [](double) { return true; }, "") - offset);
    if (out[2].back() < 0.0) {
      source.fail(row, source.column(*times),
                  "is before the start of the impact, which is at 'offset' (default 0)");
    }
  }
  const auto vector = [](const std::vector<double>& list) -> Vector {
    return Vector::Map(list.data(), static_cast<Eigen::Index>(list.size()));
  };
  return {.values = vector(out[0]),
          .sigma =
              sigmas ? vector(out[1]) : read_sigma(table, static_cast<Eigen::Index>(out[0].size())),
          .times = vector(out[2])};
}

}  // namespace

const QuantityKind& kind_of(Quantity quantity) {
  static constexpr std::array<QuantityKind, 9> kKinds{{{Owner::Coordinate, "m/s"},
                                                       {Owner::Coordinate, "m", true},
                                                       {Owner::Contact, "m/s"},
                                                       {Owner::Contact, "N s"},
                                                       {Owner::Nothing, "1", true},
                                                       {Owner::Contact, "N", false, true},
                                                       {Owner::Contact, "N", false, true},
                                                       {Owner::Contact, "s", false, true},
                                                       {Owner::Contact, "s", true, true}}};
  return kKinds[static_cast<std::size_t>(quantity)];
}

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

MeasuredValues read_measurement(const Value& value, const ProblemFile& file,
                                const std::optional<double>& gravity, const DataRows& data) {
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

  const bool curve = one.quantity == Quantity::Force;
  MeasuredValues out;
  out.has_sigma = table.has("sigma") || table.has("sigma_column");
  const bool columns = table.has("column");
  if (!columns) {
    for (const char* key : {"sigma_column", "times_column"}) {
      if (table.has(key)) table.fail(key, "goes with 'column'");
    }
  }
  Numbers numbers = columns ? read_columns(table, one.quantity, data) : Numbers{};
  if (!columns) {
    numbers.values = read_values(table, one.quantity);
    numbers.sigma = read_sigma(table, numbers.values.size());
    if (curve) numbers.times = read_times(table, numbers.values.size());
  }
  const auto& [values, sigma, times] = numbers;
  out.values.reserve(static_cast<std::size_t>(values.size()));
  for (Eigen::Index k = 0; k < values.size(); ++k) {
    FitMeasurement& measurement = out.values.emplace_back(one);
    measurement.value = values[k];
    measurement.sigma = sigma[k];
    if (!curve) continue;
    measurement.time = times[k];
    measurement.of = fmt::format("{} at {:g} s", one.of, times[k]);
  }
  return out;
}

}  // namespace percute::io

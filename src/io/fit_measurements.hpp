// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/io/document.hpp>
#include <percute/io/fit_file.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace percute::io {

/// What a quantity belongs to.
enum class Owner { Coordinate, Contact, Nothing };

/// What is known of a quantity.
struct QuantityKind {
  using Value = double (*)(const FitMeasurement& measurement, const ImpactResult& result);

  constexpr QuantityKind(Owner of, std::string_view measured_in, bool is_size, bool timed,
                         Value value_of)
      : owner(of),
        unit(measured_in),
        not_negative(is_size),
        needs_inner_time(timed),
        value(value_of) {}

  Owner owner;
  std::string_view unit;
  bool not_negative;
  bool needs_inner_time;  ///< of the law: algebraic ones know neither forces nor times
  Value value;
};
const QuantityKind& kind_of(Quantity quantity);

/// Place of a name among others, hyphens and dashes being the same; `what` says of what.
std::size_t find_name(const Value& value, const std::vector<std::string>& names, const char* what);

/// Measurements as a CSV file: a header that names the columns, then a row per repetition.
struct DataTable {
  using Row = std::vector<Node>;  ///< its cells as text, with their line

  Document file = {};  ///< for messages
  std::vector<std::string> header = {};
  std::vector<Row> rows = {};

  /// The column that a value of another file names.
  std::size_t column(const Value& name) const;
  /// Messages about a cell name file, line and column.
  Value cell(const Row& row, std::size_t column) const;
};

/// Nothing where a cell is empty; throws FileError where it is no finite number.
std::optional<double> number_in(const Value& cell);

/// Reads the file that `name` names, beside the file that names it. Cells are separated by commas,
/// semicolons or tabs, whichever the header has; blank lines and those that begin with # are
/// skipped.
DataTable read_data(const Value& name);

/// Reads one [[experiment.measure]]. `file` has the names of bodies and contacts, `gravity` is that
/// of the experiment, if known; `data` is its table, or the part of it that belongs together.
std::vector<FitMeasurement> read_measurement(const Value& value, const ProblemFile& file,
                                             const std::optional<double>& gravity,
                                             const DataTable* data);

}  // namespace percute::io

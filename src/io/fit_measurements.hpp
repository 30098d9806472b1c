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
  constexpr QuantityKind(Owner of, std::string_view measured_in, bool is_size = false,
                         bool timed = false)
      : owner(of), unit(measured_in), not_negative(is_size), needs_inner_time(timed) {}

  Owner owner;
  std::string_view unit;
  bool not_negative;
  bool needs_inner_time;  ///< of the law: algebraic ones know neither forces nor times
};
const QuantityKind& kind_of(Quantity quantity);

/// Place of a name among others, hyphens and dashes being the same; `what` says of what.
std::size_t find_name(const Value& value, const std::vector<std::string>& names, const char* what);

/// Measurements as a CSV file: a header that names the columns, then a row per repetition. Messages
/// about a cell name file, line and column.
struct DataTable {
  struct Row {
    int line = 0;  ///< of the file, from 1
    std::vector<std::string> cells = {};
  };

  std::string file = {};
  std::vector<std::string> header = {};
  std::vector<Row> rows = {};

  /// The column that a value of another file names.
  std::size_t column(const Value& name) const;
  /// Nothing where the cell is empty; throws FileError where it is no finite number.
  std::optional<double> number(const Row& row, std::size_t column) const;
  [[noreturn]] void fail(const Row& row, std::size_t column, const std::string& reason) const;
};

/// Reads the file that `name` names, beside the file that names it. Cells are separated by commas,
/// semicolons or tabs, whichever the header has; blank lines and those that begin with # are
/// skipped.
DataTable read_data(const Value& name);

/// Rows of a table that belong together: all of them, or those of one setting.
struct DataRows {
  const DataTable* table = nullptr;
  std::vector<DataTable::Row> rows = {};
};

/// A measurement as read; whether sigma was stated decides how noise is treated.
struct MeasuredValues {
  std::vector<FitMeasurement> values = {};
  bool has_sigma = false;
};

/// Reads one [[experiment.measure]]. `file` has the names of bodies and contacts, `gravity` is that
/// of the experiment, if known; `data` are the rows of its table, if it has one.
MeasuredValues read_measurement(const Value& value, const ProblemFile& file,
                                const std::optional<double>& gravity, const DataRows& data);

}  // namespace percute::io

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/io/problem_file.hpp>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

// Tables over time as files: each is a list of columns, from which both kinds of files are made.
//
// CSV: a header row with units, then one row of text per instant. HDF5: a dataset per column.

namespace percute::io {

/// A contact per row, or none: −1. Its name in CSV, its number in HDF5.
struct OneContact {
  std::vector<int> rows;
};
/// Some contacts per row: their names in CSV, 0 or 1 for each in HDF5.
struct SomeContacts {
  std::vector<std::uint8_t> rows;
};

/// Column of a table, or several of one quantity: one for each coordinate or contact.
struct Column {
  using Names = const std::vector<std::string>*;
  /// Row after row. Numbers are kept elsewhere, or here.
  using Rows = std::variant<std::span<const double>, std::vector<double>, std::vector<std::string>,
                            OneContact, SomeContacts>;

  Column(std::string dataset, std::string heading, std::string measured_in, Rows entries,
         Names of = nullptr, Names units_of = nullptr, std::string several = "see /meta/units")
      : path(std::move(dataset)),
        words(std::move(heading)),
        unit(std::move(measured_in)),
        rows(std::move(entries)),
        names(of),
        units(units_of),
        mixed(std::move(several)) {}

  std::span<const double> numbers() const;
  std::size_t width() const { return names == nullptr ? 0 : names->size(); }
  std::string unit_of_dataset() const;

  std::string path;   ///< of its dataset, "/state/gap_rate"
  std::string words;  ///< in the header of CSV, "gap rate"
  std::string unit;
  Rows rows;
  Names names;        ///< of the entries of a row; none: one number
  Names units;        ///< of each of them, instead of `unit`
  std::string mixed;  ///< unit of the dataset where those are not the same
};
using Columns = std::vector<Column>;

/// The entries of a vector or, column by column, of a matrix.
template <class Dense>
std::span<const double> entries_of(const Dense& values) {
  return {values.data(), static_cast<std::size_t>(values.size())};
}

/// Something of each entry of a list.
template <class Entry, class Of>
auto each(const std::vector<Entry>& list, Of of) {
  std::vector<std::decay_t<std::invoke_result_t<Of, const Entry&>>> out;
  out.reserve(list.size());
  for (const Entry& entry : list) out.push_back(std::invoke(of, entry));
  return out;
}

/// One line of a CSV file, with its end.
std::string csv_header(const Columns& columns);
/// So many rows. Numbers have 17 digits, and no minus before a zero.
std::string csv_rows(const Columns& columns, std::size_t rows,
                     const std::vector<std::string>& contacts);

/// Name of every coordinate, after its body, and unit of its velocity.
std::vector<std::string> coordinate_names(std::span<const Body> bodies, Eigen::Index coordinates);
std::vector<std::string> coordinate_units(std::span<const Body> bodies, Eigen::Index coordinates);

/// A text file to whose end whole lines are added; a line of which only a part fits on the disk is
/// taken back. Each call throws FileError if it fails.
class Lines {
 public:
  explicit Lines(const std::filesystem::path& path);  ///< replaces an existing file
  ~Lines();
  Lines& operator=(Lines&&) = delete;  // neither copied nor moved

  /// Of the text given last, how many lines are on disk.
  std::size_t lines() const { return lines_; }

  void append(std::string_view text);
  void sync();   ///< waits until all of it is on disk
  void close();  ///< reports what the system reports last

 private:
  void check(bool fine) const;

  std::string name_;
  int file_;
  std::size_t lines_ = 0;
  std::size_t size_ = 0;
  std::size_t whole_ = 0;  ///< bytes up to the end of the last whole line
};

/// Whether a path ends in .csv, or in .h5 or .hdf5. Throws FileError on any other suffix.
bool is_csv(const std::filesystem::path& path);

/// The events of "run.csv" are in "run.events.csv"; HDF5 holds all tables in one file.
std::filesystem::path events_path(const std::filesystem::path& csv_path);

}  // namespace percute::io

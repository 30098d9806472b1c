// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/columns.hpp"

#include "io/text.hpp"

#include <percute/io/problem_file.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <functional>
#include <iterator>

namespace percute::io {

namespace {

/// One text per coordinate, given by its body.
std::vector<std::string> of_coordinates(std::span<const Body> bodies, Eigen::Index coordinates,
                                        std::string (Body::*text)(std::size_t) const) {
  std::vector<std::string> texts(static_cast<std::size_t>(coordinates));
  for (const Body& body : bodies) {
    for (std::size_t k = 0; k < body.coordinates.size(); ++k) {
      texts[static_cast<std::size_t>(body.coordinates[k])] = (body.*text)(k);
    }
  }
  return texts;
}

/// The cells of one row, each with a comma before it.
void add_cells(std::string& out, const Column& column, std::size_t row,
               const std::vector<std::string>& contacts) {
  if (const auto* texts = std::get_if<std::vector<std::string>>(&column.rows)) {
    out += ',' + csv_cell((*texts)[row]);
  } else if (const auto* one = std::get_if<OneContact>(&column.rows)) {
    const int contact = one->rows[row];
    out += ',' + (contact < 0 ? "" : csv_cell(contacts[static_cast<std::size_t>(contact)]));
  } else if (const auto* some = std::get_if<SomeContacts>(&column.rows)) {
    std::string names;
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      if (some->rows[row * contacts.size() + i] == 0) continue;
      names += (names.empty() ? "" : "; ") + contacts[i];
    }
    out += ',' + csv_cell(names);
  } else {
    const std::size_t width = column.names == nullptr ? 1 : column.width();
    for (const double value : column.numbers().subspan(row * width, width)) {
      // + 0.0 makes zero of minus zero.
      fmt::format_to(std::back_inserter(out), ",{:.17g}", value + 0.0);
    }
  }
}

}  // namespace

std::span<const double> Column::numbers() const {
  if (const auto* elsewhere = std::get_if<std::span<const double>>(&rows)) return *elsewhere;
  const auto* own = std::get_if<std::vector<double>>(&rows);
  return own != nullptr ? std::span<const double>(*own) : std::span<const double>();
}

std::string Column::unit_of_dataset() const {
  if (units == nullptr) return unit;
  const bool several =
      std::ranges::adjacent_find(*units, std::ranges::not_equal_to()) != units->end();
  return several || units->empty() ? mixed : units->front();
}

std::string csv_header(const Columns& columns) {
  std::string out;
  for (const Column& column : columns) {
    for (std::size_t k = 0; k < (column.names == nullptr ? 1 : column.width()); ++k) {
      const std::string& unit = column.units == nullptr ? column.unit : (*column.units)[k];
      std::string cell = column.words;
      if (column.names != nullptr) cell += ' ' + (*column.names)[k];
      if (!unit.empty()) cell += fmt::format(" [{}]", unit);
      if (!out.empty()) out += ',';
      out += csv_cell(cell);
    }
  }
  return out + '\n';
}

std::string csv_rows(const Columns& columns, std::size_t rows,
                     const std::vector<std::string>& contacts) {
  std::string out;
  std::string line;
  for (std::size_t row = 0; row < rows; ++row) {
    line.clear();
    for (const Column& column : columns) add_cells(line, column, row, contacts);
    out.append(line, 1).push_back('\n');
  }
  return out;
}

std::vector<std::string> coordinate_names(std::span<const Body> bodies, Eigen::Index coordinates) {
  return of_coordinates(bodies, coordinates, &Body::coordinate_name);
}

std::vector<std::string> coordinate_units(std::span<const Body> bodies, Eigen::Index coordinates) {
  return of_coordinates(bodies, coordinates, &Body::unit);
}

Lines::Lines(const std::filesystem::path& path)
    : name_(path.string()),
      file_(open(name_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)) {
  check(file_ >= 0);
}

Lines::~Lines() {
  if (file_ >= 0) ::close(file_);
}

void Lines::check(bool fine) const {
  if (!fine) throw FileError(name_, "", std::string("cannot write: ") + std::strerror(errno));
}

void Lines::append(std::string_view text) {
  lines_ = 0;
  while (!text.empty()) {
    const ssize_t written = ::write(file_, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      const int reason = errno;
      // Of the lines that were cut, all whole ones stay.
      if (ftruncate(file_, static_cast<off_t>(whole_)) == 0) lseek(file_, 0, SEEK_END);
      errno = reason;
      check(false);
    }
    const std::string_view part = text.substr(0, static_cast<std::size_t>(written));
    const auto end = part.rfind('\n');
    if (end != std::string_view::npos) whole_ = size_ + end + 1;
    lines_ += static_cast<std::size_t>(std::ranges::count(part, '\n'));
    size_ += part.size();
    text.remove_prefix(part.size());
  }
}

void Lines::sync() {
  // Pipes and devices cannot (EINVAL).
  check(fsync(file_) == 0 || errno == EINVAL);
}

void Lines::close() {
  const int file = file_;
  file_ = -1;
  check(::close(file) == 0);
}

void write_text(const std::filesystem::path& path, std::string_view text) {
  Lines file(path);
  file.append(text);
  file.close();
}

bool is_csv(const std::filesystem::path& path) {
  const auto suffix = path.extension();
  if (suffix == ".csv") return true;
  if (suffix == ".h5" || suffix == ".hdf5") return false;
  throw FileError(path.string(), "",
                  fmt::format("what changes over time is written as .csv, .h5 or .hdf5, not \"{}\"",
                              suffix.string()));
}

std::filesystem::path events_path(const std::filesystem::path& csv_path) {
  return std::filesystem::path(csv_path).replace_extension(".events.csv");
}

}  // namespace percute::io

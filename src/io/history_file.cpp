// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/history_tables.hpp"

#include <percute/io/history_file.hpp>

#include <fmt/format.h>

namespace percute::io {

namespace {

/// One text per coordinate, given by its body.
std::vector<std::string> of_coordinates(const ProblemFile& file,
                                        std::string (Body::*text)(std::size_t) const) {
  std::vector<std::string> texts(static_cast<std::size_t>(file.problem.velocity.size()));
  for (const Body& body : file.bodies) {
    for (std::size_t k = 0; k < body.coordinates.size(); ++k) {
      texts[static_cast<std::size_t>(body.coordinates[k])] = (body.*text)(k);
    }
  }
  return texts;
}

}  // namespace

HistoryFormat history_format(const std::filesystem::path& path) {
  const auto suffix = path.extension();
  if (suffix == ".csv") return HistoryFormat::Csv;
  if (suffix == ".h5" || suffix == ".hdf5") return HistoryFormat::Hdf5;
  throw FileError(
      path.string(), "",
      fmt::format("a history is written as .csv, .h5 or .hdf5, not \"{}\"", suffix.string()));
}

std::filesystem::path events_path(const std::filesystem::path& csv_path) {
  return std::filesystem::path(csv_path).replace_extension(".events.csv");
}

void write_history(const std::filesystem::path& path, const ImpactResult& result,
                   const ProblemFile& file) {
  if (history_format(path) == HistoryFormat::Csv) {
    write_history_csv(path, result.history, file);
  } else {
    write_history_hdf5(path, result.history, file);
  }
}

std::vector<ContactQuantity> contact_quantities(const ImpactHistory& history) {
  return {{.name = "impulse", .unit = "N s", .values = &history.impulse},
          {.name = "force", .unit = "N", .values = &history.force},
          {.name = "indentation", .unit = "m", .values = &history.indentation},
          {.name = "stored_energy", .unit = "J", .values = &history.stored_energy},
          {.name = "dissipated", .unit = "J", .values = &history.dissipated},
          {.name = "gap_rate", .unit = "m/s", .values = &history.gap_rate}};
}

std::vector<std::string> tangent_names(const ImpactHistory& history, const ProblemFile& file) {
  std::vector<std::string> names;
  if (history.tangential_impulse.size() == 0) return names;
  for (std::size_t i = 0; i < file.contact_names.size(); ++i) {
    const int d = file.problem.contacts[i].directions;
    for (int k = 0; k < d; ++k) {
      names.push_back(d == 1 ? file.contact_names[i]
                             : fmt::format("{} tangent {}", file.contact_names[i], k + 1));
    }
  }
  return names;
}

std::vector<std::string> coordinate_names(const ProblemFile& file) {
  return of_coordinates(file, &Body::coordinate_name);
}

std::vector<std::string> coordinate_units(const ProblemFile& file) {
  return of_coordinates(file, &Body::unit);
}

}  // namespace percute::io

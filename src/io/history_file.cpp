// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/hdf5_file.hpp"

#include <percute/io/result_file.hpp>

#include <fmt/format.h>

namespace percute::io {

namespace {

/// Name of every tangential row: the contact, and the number of the tangent where it has two. Empty
/// without friction.
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

Columns event_columns(const std::vector<ImpactEvent>& events) {
  const auto text = [](const ImpactEvent& event) -> std::string { return name(event.kind); };
  return {
      {"/events/time", "time", "s", each(events, &ImpactEvent::time)},
      {"/events/contact", "contact", "", OneContact{each(events, &ImpactEvent::contact)}},
      {"/events/kind", "event", "", each(events, text)},
      {"/events/impulse", "impulse", "N s", each(events, &ImpactEvent::impulse)},
      {"/events/gap_rate", "gap rate", "m/s", each(events, &ImpactEvent::gap_rate)},
      {"/events/stored_energy", "stored energy", "J", each(events, &ImpactEvent::stored_energy)},
      {"/events/force", "force", "N", each(events, &ImpactEvent::force)}};
}

}  // namespace

HistoryFormat history_format(const std::filesystem::path& path) {
  return is_csv(path, "a history is written as .csv, .h5 or .hdf5") ? HistoryFormat::Csv
                                                                    : HistoryFormat::Hdf5;
}

std::filesystem::path events_path(const std::filesystem::path& csv_path) {
  return std::filesystem::path(csv_path).replace_extension(".events.csv");
}

void write_history(const std::filesystem::path& path, const ImpactResult& result,
                   const ProblemFile& file) {
  const ImpactHistory& history = result.history;
  const std::vector<std::string>* contacts = &file.contact_names;
  const std::vector<std::string> tangents = tangent_names(history, file);
  const std::vector<std::string> names =
      coordinate_names(file.bodies, file.problem.velocity.size());
  const std::vector<std::string> units =
      coordinate_units(file.bodies, file.problem.velocity.size());
  Columns states{
      {"/state/time", "time", "s", entries_of(history.time)},
      {"/state/total_impulse", "total impulse", "N s", entries_of(history.total_impulse)},
      {"/state/kinetic_energy", "kinetic energy", "J", entries_of(history.kinetic_energy)},
      {"/state/primary", "primary contact", "", OneContact{history.primary}},
      {"/state/impulse", "impulse", "N s", entries_of(history.impulse), contacts},
      {"/state/force", "force", "N", entries_of(history.force), contacts},
      {"/state/indentation", "indentation", "m", entries_of(history.indentation), contacts},
      {"/state/stored_energy", "stored energy", "J", entries_of(history.stored_energy), contacts},
      {"/state/dissipated", "dissipated", "J", entries_of(history.dissipated), contacts},
      {"/state/gap_rate", "gap rate", "m/s", entries_of(history.gap_rate), contacts}};
  if (!tangents.empty()) {
    states.emplace_back("/state/tangential_impulse", "tangential impulse", "N s",
                        entries_of(history.tangential_impulse), &tangents);
  }
  states.emplace_back("/state/velocity", "velocity", "", entries_of(history.velocity), &names,
                      &units);
  const Columns events = event_columns(history.events);

  if (history_format(path) == HistoryFormat::Csv) {
    const auto text = [contacts](const Columns& columns, std::size_t rows) {
      return csv_header(columns) + csv_rows(columns, rows, *contacts);
    };
    write_text(path, text(states, static_cast<std::size_t>(history.time.size())));
    write_text(events_path(path), text(events, history.events.size()));
    return;
  }
  Hdf5File out(path);
  out.write(states);
  out.write(events);
  if (!tangents.empty()) out.write("/meta/tangents", tangents);
  out.write("/meta/contacts", *contacts);
  out.write("/meta/coordinates", names);
  out.write("/meta/units", units);
  out.describe("percute-history/1", file);
  out.close();
}

}  // namespace percute::io

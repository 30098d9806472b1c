// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/history_tables.hpp"
#include "io/text.hpp"

#include <percute/io/result_file.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace percute::io {

namespace {

/// "stored_energy" as words.
std::string words(std::string name) {
  std::ranges::replace(name, '_', ' ');
  return name;
}

std::string header(const ImpactHistory& history, const ProblemFile& file) {
  std::string out = "time [s],total impulse [N s],kinetic energy [J],primary contact";
  for (const ContactQuantity& quantity : contact_quantities(history)) {
    for (const std::string& contact : file.contact_names) {
      out +=
          ',' + csv_cell(fmt::format("{} {} [{}]", words(quantity.name), contact, quantity.unit));
    }
  }
  for (const std::string& name : tangent_names(history, file)) {
    out += ',' + csv_cell(fmt::format("tangential impulse {} [N s]", name));
  }
  const std::vector<std::string> names = coordinate_names(file);
  const std::vector<std::string> units = coordinate_units(file);
  for (std::size_t k = 0; k < names.size(); ++k) {
    const std::string unit = units[k].empty() ? "" : fmt::format(" [{}]", units[k]);
    out += ',' + csv_cell(fmt::format("velocity {}{}", names[k], unit));
  }
  return out + '\n';
}

/// Name of a contact, empty for none.
std::string contact_cell(const ProblemFile& file, int contact) {
  return contact < 0 ? "" : csv_cell(file.contact_names[static_cast<std::size_t>(contact)]);
}

std::string samples(const ImpactHistory& history, const ProblemFile& file) {
  std::string out = header(history, file);
  auto end = std::back_inserter(out);
  for (Eigen::Index k = 0; k < history.time.size(); ++k) {
    // + 0.0 makes zero of minus zero.
    fmt::format_to(end, "{:.17g},{:.17g},{:.17g},{}", history.time[k], history.total_impulse[k],
                   history.kinetic_energy[k],
                   contact_cell(file, history.primary[static_cast<std::size_t>(k)]));
    for (const ContactQuantity& quantity : contact_quantities(history)) {
      for (const double value : quantity.values->col(k))
        fmt::format_to(end, ",{:.17g}", value + 0.0);
    }
    if (history.tangential_impulse.size() > 0) {
      for (const double value : history.tangential_impulse.col(k)) {
        fmt::format_to(end, ",{:.17g}", value + 0.0);
      }
    }
    for (const double value : history.velocity.col(k)) fmt::format_to(end, ",{:.17g}", value + 0.0);
    out += '\n';
  }
  return out;
}

std::string events(const ImpactHistory& history, const ProblemFile& file) {
  std::string out =
      "time [s],contact,event,impulse [N s],gap rate [m/s],stored energy [J],force [N]\n";
  for (const ImpactEvent& event : history.events) {
    out += fmt::format("{:.17g},{},{},{:.17g},{:.17g},{:.17g},{:.17g}\n", event.time,
                       contact_cell(file, event.contact), name(event.kind), event.impulse + 0.0,
                       event.gap_rate + 0.0, event.stored_energy + 0.0, event.force + 0.0);
  }
  return out;
}

}  // namespace

void write_history_csv(const std::filesystem::path& path, const ImpactHistory& history,
                       const ProblemFile& file) {
  write_text(path, samples(history, file));
  write_text(events_path(path), events(history, file));
}

}  // namespace percute::io

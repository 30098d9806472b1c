// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/hdf5_file.hpp"
#include "io/history_tables.hpp"

#include <percute/version.hpp>

#include <algorithm>
#include <functional>

namespace percute::io {

namespace {

void write_events(Hdf5File& out, const std::vector<ImpactEvent>& events) {
  const auto column = [&events](double ImpactEvent::* field) {
    Vector values(static_cast<Eigen::Index>(events.size()));
    std::ranges::transform(events, values.begin(),
                           [field](const ImpactEvent& event) { return event.*field; });
    return values;
  };
  std::vector<int> contacts;
  std::vector<std::string> kinds;
  for (const ImpactEvent& event : events) {
    contacts.push_back(event.contact);
    kinds.emplace_back(name(event.kind));
  }
  out.write("/events/time", column(&ImpactEvent::time), "s");
  out.write("/events/contact", contacts);
  out.write("/events/kind", kinds);
  out.write("/events/impulse", column(&ImpactEvent::impulse), "N s");
  out.write("/events/gap_rate", column(&ImpactEvent::gap_rate), "m/s");
  out.write("/events/stored_energy", column(&ImpactEvent::stored_energy), "J");
  out.write("/events/force", column(&ImpactEvent::force), "N");
}

}  // namespace

void write_history_hdf5(const std::filesystem::path& path, const ImpactHistory& history,
                        const ProblemFile& file) {
  Hdf5File out(path);
  out.write("/state/time", history.time, "s");
  for (const ContactQuantity& quantity : contact_quantities(history)) {
    out.write(std::string("/state/") + quantity.name, *quantity.values, quantity.unit);
  }
  if (history.tangential_impulse.size() > 0) {
    out.write("/state/tangential_impulse", history.tangential_impulse, "N s");
    out.write("/meta/tangents", tangent_names(history, file));
  }
  const std::vector<std::string> units = coordinate_units(file);
  const bool mixed = std::ranges::adjacent_find(units, std::ranges::not_equal_to()) != units.end();
  out.write("/state/velocity", history.velocity,
            mixed || units.empty() ? "see /meta/units" : units.front());
  out.write("/state/kinetic_energy", history.kinetic_energy, "J");
  out.write("/state/total_impulse", history.total_impulse, "N s");
  out.write("/state/primary", history.primary);
  write_events(out, history.events);

  out.write("/meta/contacts", file.contact_names);
  out.write("/meta/coordinates", coordinate_names(file));
  out.write("/meta/units", units);
  out.attribute("/meta", "format", "percute-history/1");
  out.attribute("/meta", "name", file.name);
  out.attribute("/meta", "law", to_json(to_node(file.law), JsonLayout::Line));
  out.attribute("/meta", "version", kVersion);
  out.close();
}

}  // namespace percute::io

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "reproduction/embedded.hpp"
#include "reproduction/reading.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace percute::reproduction {

namespace {

/// What a drop can be asked, and where the scene has it.
using Setting = std::pair<std::string_view, std::string_view>;
constexpr std::array<Setting, 16> kSettings{{
    {"model", "system.model"},
    {"segments", "system.segments"},
    {"angle_deg", "system.angle_deg"},
    {"hemisphere_inertia", "system.hemisphere_inertia"},
    {"phase_deg", "system.excitation.phase_deg"},
    {"energy_fraction", "system.excitation.energy_fraction"},
    {"tip_height", "system.tip_height"},
    {"tip_velocity", "system.tip_velocity"},
    {"restitution", "impact.restitution"},
    {"method", "simulation.method"},
    {"step", "simulation.step"},
    {"tolerance", "simulation.tolerance"},
    {"newmark_event", "simulation.newmark_event"},
    {"duration", "simulation.duration"},
    {"stop_after_quiet", "simulation.stop_after_quiet"},
    {"restitution_window", "simulation.restitution_window"},
}};

bool is_setting(std::string_view key) {
  return std::ranges::find(kSettings, key, &Setting::first) != kSettings.end();
}

/// The bar of examples/motion with other settings. A tolerance for the adaptive drops of a figure
/// is none for its fixed steps; one that is not to move needs an end all the same.
Motion drop(const Layers& layers) {
  Motion motion{.scene = "impacting_bar.toml", .set = {{"simulation", {}}}};
  const auto method = layers.find("method");
  const bool adaptive = !method || method->string() == "event_driven_adaptive";
  for (const auto& [key, path] : kSettings) {
    const auto value = layers.find(key);
    if (value && (adaptive || key != "tolerance")) motion.set.emplace_back(path, value->node());
  }
  if (!method) motion.set.emplace_back("simulation.duration", 1.0);
  return motion;
}

std::optional<double> maybe(const Value& list, std::size_t i) {
  if (i >= list.size() || list[i].node().is_null()) return {};
  return list[i].number();
}

Case read_case(const Value& value, const std::optional<Value>& common) {
  std::vector<std::string_view> keys{"id", "label", "expected", "note"};
  for (const auto& [key, path] : kSettings) keys.push_back(key);
  const Table table(value, keys);
  Layers layers;
  layers.add(value);
  layers.add(common);
  Case result{.id = table.required("id").string(),
              .label = table.required("label").string(),
              .subject = drop(layers),
              .note = text(table, "note")};
  for (const Value& entry : entries(table.required("expected"))) {
    result.expected.push_back({.name = entry[0].string(),
                               .value = maybe(entry, 1),
                               .tolerance = maybe(entry, 2).value_or(0.0),
                               .published = maybe(entry, 3),
                               .published_tolerance = maybe(entry, 4),
                               .decimals = decimals_of(maybe(entry, 3).value_or(0.0))});
  }
  return result;
}

/// A row of a curve. "tolerance" among the columns is that of the quantity before it, those of the
/// others are in "tolerances".
Case read_row(const Table& panel, const Value& row, const std::optional<Value>& common) {
  Case result{.id = panel.required("id").string(), .label = panel.required("label").string()};
  Layers tolerances;
  tolerances.add(panel.find("tolerances"));
  const bool relative = panel.boolean("relative", false);
  Node columns;
  std::size_t c = 0;
  for (const Value& column : entries(panel.required("columns"))) {
    const std::string& name = column.string();
    const Value value = row[c++];
    const double number = value.number();
    if (name == "tolerance") {
      result.expected.back().tolerance = number;
    } else if (is_setting(name)) {
      columns.add(name, value.node());
      result.id += fmt::format(".{}{}", name.substr(0, 1), number);
      result.label += fmt::format(", {} {}", name.substr(0, name.find('_')), number);
    } else {
      const double part = tolerances.number(name, 0.0);
      result.expected.push_back(
          {.name = name, .value = number, .tolerance = relative ? part * std::abs(number) : part});
    }
  }
  Layers layers;
  layers.add(Value(row.document(), columns, row.path()));
  layers.add(panel.find("common"));
  layers.add(common);
  result.subject = drop(layers);
  return result;
}

Item read_item(const Value& value, const Table& /*all*/) {
  const Table table =
      table_of(value, {"id", "title", "source", "note", "common", "cases", "panels"});
  Item item = head_of(table);
  const auto common = table.find("common");
  for (const Value& entry : entries(table.find("cases"))) {
    item.cases.push_back(read_case(entry, common));
  }
  for (const Value& entry : entries(table.find("panels"))) {
    const Table panel =
        table_of(entry, {"id", "label", "common", "columns", "tolerances", "relative", "rows"});
    for (const Value& row : entries(panel.required("rows"))) {
      item.cases.push_back(read_row(panel, row, common));
    }
  }
  return item;
}

}  // namespace

std::vector<Item> bar_items() {
  return read_items(embedded::bar_reference(), "bar.json", "items", read_item);
}

}  // namespace percute::reproduction

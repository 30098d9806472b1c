// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/embedded.hpp"
#include "io/scene_values.hpp"

#include <percute/io/bar_cases.hpp>
#include <percute/io/reader.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace percute::io {

namespace {

using simulation::EventDriven;
using simulation::Newmark;
using simulation::PaoliSchatzman;
using systems::ImpactingBar;

/// What a run can be asked.
constexpr std::array<std::string_view, 16> kSettings{"model",
                                                     "segments",
                                                     "angle_deg",
                                                     "restitution",
                                                     "hemisphere_inertia",
                                                     "phase_deg",
                                                     "energy_fraction",
                                                     "tip_height",
                                                     "tip_velocity",
                                                     "method",
                                                     "step",
                                                     "tolerance",
                                                     "newmark_event",
                                                     "duration",
                                                     "stop_after_quiet",
                                                     "restitution_window"};

enum class Kind { Adaptive, Newmark, PaoliSchatzman };

constexpr Names<Kind, 3> kKinds{{{"event_driven_adaptive", Kind::Adaptive},
                                 {"event_driven", Kind::Newmark},
                                 {"paoli_schatzman", Kind::PaoliSchatzman}}};
constexpr Names<Newmark::Event, 2> kEvents{
    {{"resolve", Newmark::Event::Resolve}, {"literal", Newmark::Event::Literal}}};
constexpr Names<ImpactingBar::HemisphereInertia, 2> kInertias{
    {{"as_printed", ImpactingBar::HemisphereInertia::AsPrinted},
     {"physical", ImpactingBar::HemisphereInertia::Physical}}};

bool is_setting(std::string_view key) {
  return std::ranges::find(kSettings, key) != kSettings.end();
}

/// Settings of a case: its own, those of its panel, those of its item.
class Layers {
 public:
  void add(const Value& table) { tables_.push_back(table); }
  /// A column of a panel.
  void set(std::string key, const Value& value) { own_.emplace_back(std::move(key), value); }

  std::optional<Value> find(std::string_view key) const {
    for (const auto& [name, value] : own_) {
      if (name == key) return value;
    }
    for (const Value& table : tables_) {
      if (const Node* node = table.node().find(key)) {
        return Value(table.document(), *node, std::string(key));
      }
    }
    return {};
  }
  double number(std::string_view key, double otherwise) const {
    const auto found = find(key);
    return found ? found->number() : otherwise;
  }

 private:
  std::vector<std::pair<std::string, Value>> own_;
  std::vector<Value> tables_;
};

ImpactingBar read_bar(const Layers& layers) {
  ImpactingBar bar{.gravity = 9.81};
  bar.model = layers.number("model", 2.0) == 1.0 ? ImpactingBar::Model::SeparateSprings
                                                 : ImpactingBar::Model::ParallelSprings;
  bar.segments = static_cast<int>(layers.number("segments", bar.segments));
  bar.angle = radians(layers.number("angle_deg", 0.0));
  bar.tip_height = layers.number("tip_height", bar.tip_height);
  bar.tip_velocity = layers.number("tip_velocity", bar.tip_velocity);
  bar.excitation = {.energy_fraction = layers.number("energy_fraction", 0.0),
                    .phase = radians(layers.number("phase_deg", 0.0))};
  bar.material.restitution = layers.number("restitution", 1.0);
  if (const auto word = layers.find("hemisphere_inertia")) {
    bar.hemisphere_inertia = word->choice(kInertias);
  }
  return bar;
}

BarCase::Method read_method(const Layers& layers) {
  simulation::RunOptions run;
  run.micro_bounce_velocity = systems::ImpactingBar::kMicroBounce;
  if (const auto value = layers.find("duration")) run.duration = value->number();
  if (const auto value = layers.find("stop_after_quiet")) run.stop_after_quiet = value->number();
  run.bounce.emplace();
  run.bounce->restitution_window =
      layers.number("restitution_window", run.bounce->restitution_window);
  const auto method = layers.find("method");
  switch (method ? method->choice(kKinds) : Kind::Adaptive) {
    case Kind::Adaptive:
      break;
    case Kind::Newmark: {
      const auto event = layers.find("newmark_event");
      return Newmark{.step = layers.number("step", 1e-7),
                     .event = event ? event->choice(kEvents) : Newmark::Event::Resolve,
                     .run = run};
    }
    case Kind::PaoliSchatzman:
      return PaoliSchatzman{.step = layers.number("step", 1e-7), .run = run};
  }
  return EventDriven{.tolerance = layers.number("tolerance", 1e-10), .run = run};
}

std::string text(const Table& table, std::string_view key) {
  const auto found = table.find(key);
  return found ? found->string() : std::string();
}

std::optional<double> maybe(const Value& list, std::size_t i) {
  if (i >= list.size() || list[i].node().is_null()) return {};
  return list[i].number();
}

BarCase read_case(const Value& value, const std::optional<Value>& common) {
  std::vector<std::string_view> keys{"id", "label", "expected", "note"};
  keys.insert(keys.end(), kSettings.begin(), kSettings.end());
  const Table table(value, keys);
  Layers layers;
  layers.add(value);
  if (common) layers.add(*common);
  BarCase result{.id = table.required("id").string(),
                 .label = table.required("label").string(),
                 .bar = read_bar(layers),
                 .method = read_method(layers),
                 .note = text(table, "note")};
  const Value expected = table.required("expected");
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const Value entry = expected[i];
    BarNumber& number = result.expected.emplace_back();
    number.name = entry[0].string();
    number.value = maybe(entry, 1);
    number.tolerance = maybe(entry, 2).value_or(0.0);
    number.published = maybe(entry, 3);
    number.published_tolerance = maybe(entry, 4);
  }
  return result;
}

/// A curve: one case per row. "tolerance" among the columns is that of the quantity before it,
/// those of the others are in "tolerances".
void read_panel(const Value& value, const std::optional<Value>& common,
                std::vector<BarCase>& cases) {
  static constexpr std::array<std::string_view, 7> kKeys{
      "id", "label", "common", "columns", "tolerances", "relative", "rows"};
  const Table table(value, kKeys);
  const Value columns = table.required("columns");
  const Value rows = table.required("rows");
  const auto own = table.find("common");
  const auto tolerances = table.find("tolerances");
  const bool relative = table.boolean("relative", false);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const Value row = rows[r];
    Layers layers;
    BarCase result;
    result.id = table.required("id").string();
    result.label = table.required("label").string();
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const std::string& name = columns[c].string();
      const double number = row[c].number();
      if (name == "tolerance") {
        result.expected.back().tolerance = number;
      } else if (is_setting(name)) {
        layers.set(name, row[c]);
        result.id += fmt::format(".{}{}", name.substr(0, 1), number);
        result.label += fmt::format(", {} {}", name.substr(0, name.find('_')), number);
      } else {
        BarNumber& expected = result.expected.emplace_back();
        expected.name = name;
        expected.value = number;
        const Node* tolerance = tolerances ? tolerances->node().find(name) : nullptr;
        if (tolerance != nullptr) {
          const double part = Value(value.document(), *tolerance, name).number();
          expected.tolerance = relative ? part * std::abs(number) : part;
        }
      }
    }
    if (own) layers.add(*own);
    if (common) layers.add(*common);
    result.bar = read_bar(layers);
    result.method = read_method(layers);
    cases.push_back(std::move(result));
  }
}

BarItem read_item(const Value& value) {
  static constexpr std::array<std::string_view, 7> kKeys{"id",     "title", "source", "note",
                                                         "common", "cases", "panels"};
  const Table table(value, kKeys);
  BarItem result{.id = table.required("id").string(),
                 .title = table.required("title").string(),
                 .source = table.required("source").string(),
                 .note = text(table, "note")};
  const auto common = table.find("common");
  if (const auto cases = table.find("cases")) {
    for (std::size_t i = 0; i < cases->size(); ++i) {
      result.cases.push_back(read_case((*cases)[i], common));
    }
  }
  if (const auto panels = table.find("panels")) {
    for (std::size_t i = 0; i < panels->size(); ++i) {
      read_panel((*panels)[i], common, result.cases);
    }
  }
  return result;
}

}  // namespace

std::vector<BarItem> bar_items() {
  static constexpr std::array<std::string_view, 4> kKeys{"format", "sources", "conventions",
                                                         "items"};
  const Document document = parse_json(embedded::bar_reference(), "data/reference/bar.json");
  const Table table(Value(document), kKeys);
  const Value items = table.required("items");
  std::vector<BarItem> result;
  result.reserve(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) result.push_back(read_item(items[i]));
  return result;
}

}  // namespace percute::io

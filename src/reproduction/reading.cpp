// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/text.hpp"
#include "reproduction/case.hpp"

#include <percute/io/document.hpp>
#include <percute/model/invalid_input.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <span>
#include <string>
#include <vector>

// The reader of data/reference, and the items by name.

namespace percute::reproduction {

namespace {

using io::Node;
using io::Table;
using io::Value;

/// An object with no other keys than these.
Table table_of(const Value& value, std::initializer_list<std::string_view> keys) {
  return {value, std::span(keys.begin(), keys.size())};
}

/// The text of a key, "" where it is not there.
std::string text(const Table& table, std::string_view key, const char* otherwise = "") {
  const auto found = table.find(key);
  return found ? found->string() : otherwise;
}

/// Its numbers, none where it is not there.
Vector numbers(const Table& table, std::string_view key) {
  const auto found = table.find(key);
  return found ? found->numbers() : Vector();
}

/// Entries of an array, none where it is not there.
std::vector<Value> entries(const std::optional<Value>& array) {
  std::vector<Value> result;
  for (std::size_t i = 0; array && i < array->size(); ++i) result.push_back((*array)[i]);
  return result;
}

/// Members of an object, none where it is not there.
std::vector<std::pair<std::string, Value>> members(const std::optional<Value>& object) {
  std::vector<std::pair<std::string, Value>> result;
  if (!object) return result;
  const auto* list = object->node().as<Node::Object>();
  if (list == nullptr) object->fail("must be an object, got " + object->node().describe());
  for (const auto& [key, node] : *list) {
    result.emplace_back(key, Value(object->document(), node, object->path() + "." + key));
  }
  return result;
}

/// Decimals of a number as it is printed.
int decimals_of(double printed) {
  int decimals = 0;
  double scaled = std::abs(printed);
  while (decimals < 17 && std::abs(scaled - std::round(scaled)) > 1e-9 * scaled) {
    scaled *= 10.0;
    ++decimals;
  }
  return decimals;
}

/// What an item says for all its cases, and a case for itself.
struct Scene {
  std::optional<Value> base = {};  ///< scene or problem
  Settings set = {};

  Scene inside(const Table& table) const {
    Scene own = *this;
    for (const char* key : {"scene", "problem"}) {
      if (table.has(key)) own.base = table.find(key);
    }
    for (const auto& [key, entry] : members(table.find("set"))) {
      own.set.emplace_back(key, entry.node());
    }
    return own;
  }
};

std::optional<double> maybe(const Value& list, std::size_t i) {
  if (i >= list.size() || list[i].node().is_null()) return {};
  return list[i].number();
}

/// [name, value, tolerance, published, its tolerance, decimals, name in the table]; the last ones
/// may be left out.
Expected read_row(const Value& row) {
  const auto published = maybe(row, 3);
  const auto decimals = maybe(row, 5);
  Expected result{.name = row[0].string(),
                  .value = maybe(row, 1),
                  .tolerance = maybe(row, 2).value_or(0.0),
                  .published = published,
                  .published_tolerance = maybe(row, 4)};
  result.decimals = decimals ? static_cast<int>(*decimals) : decimals_of(published.value_or(0.0));
  if (row.size() > 6) result.shown = row[6].string();
  return result;
}

/// Rows, or groups of rows that were printed in one place, with their `ids`.
std::vector<Expected> read_expected(const Value& value, std::vector<std::string>& ids) {
  std::vector<Expected> result;
  for (const Value& entry : entries(value)) {
    if (entry.node().as<Node::Array>() != nullptr) {
      result.push_back(read_row(entry));
      continue;
    }
    const Table group =
        table_of(entry, {"id", "label", "note", "rows", "as_printed", "sum_of_squares",
                         "printed_energy_ratio", "printed_restitution", "rebound_heights"});
    if (const auto id = group.find("id")) ids.push_back(id->string());
    for (const Value& row : entries(group.required("rows"))) {
      Expected& number = result.emplace_back(read_row(row));
      number.label = text(group, "label");
      number.note = text(group, "note");
    }
  }
  return result;
}

std::vector<double> list(const Vector& numbers) {
  return {numbers.begin(), numbers.end()};
}

/// A motion where the scene is named, else an impact, or what varying its keys can reach.
std::variant<Impact, Motion, Coverage> read_subject(const Table& table, const Scene& scene) {
  if (!scene.base) table.fail("scene", "is missing, and so is a problem");
  const Value& base = *scene.base;
  if (const auto* name = base.node().as<std::string>()) {
    Motion motion{.scene = *name, .set = scene.set};
    if (const auto swings = table.find("swings")) {
      const Table times = table_of(*swings, {"first", "duration"});
      motion.first_swing = times.required("first").number();
      motion.swing = times.required("duration").number();
    }
    return motion;
  }
  io::Document document{.file = base.document().file, .root = base.node()};
  change(document, scene.set);
  if (const auto vary = table.find("vary")) {
    Coverage coverage{.problem = std::move(document),
                      .vary = {},
                      .cells = static_cast<int>(table.integer("cells", 20, 1, 1000))};
    for (const Value& entry : entries(vary)) {
      const Table parameter = table_of(entry, {"keys", "values"});
      auto& keys = coverage.vary.emplace_back();
      keys.values = list(numbers(parameter, "values"));
      for (const Value& key : entries(parameter.required("keys"))) {
        keys.keys.push_back(key.string());
      }
    }
    return coverage;
  }
  Impact impact{.file = io::read_problem_or_scene(document),
                .instants = list(numbers(table, "instants"))};
  if (const auto curve = table.find("curve")) {
    const Table entry = table_of(*curve, {"step", "force"});
    impact.curve_step = entry.required("step").number();
    impact.curve = numbers(entry, "force");
  }
  return impact;
}

Case read_case(const Value& value, const Scene& scene, std::vector<std::string>& ids) {
  const Table table =
      table_of(value, {"id", "label", "problem", "scene", "vary", "cells", "set", "swings",
                       "instants", "status", "note", "expected", "one_of", "curve"});
  Case result{.id = table.required("id").string(),
              .label = table.required("label").string(),
              .subject = read_subject(table, scene.inside(table)),
              .status = text(table, "status", "ok"),
              .expected = read_expected(table.required("expected"), ids),
              .note = text(table, "note")};
  for (const Value& outcome : entries(table.find("one_of"))) {
    result.one_of.push_back(read_expected(outcome, ids));
  }
  return result;
}

Relation read_relation(const Value& value) {
  const Table table = table_of(value, {"id", "label", "op", "of", "over", "reference", "tolerance",
                                       "published", "published_tolerance"});
  Relation result{.id = table.required("id").string(),
                  .label = table.required("label").string(),
                  .op = table.required("op").string(),
                  .of = table.required("of").string(),
                  .over = {},
                  .expected = {.name = table.required("op").string(),
                               .value = table.required("reference").number(),
                               .tolerance = table.required("tolerance").number()}};
  for (const Value& id : entries(table.find("over"))) result.over.push_back(id.string());
  if (const auto published = table.find("published")) {
    result.expected.published = published->number();
    result.expected.published_tolerance = table.required("published_tolerance").number();
    result.expected.decimals = decimals_of(published->number());
  }
  return result;
}

Item read_item(const Value& value) {
  const Table table = table_of(
      value, {"id", "title", "source", "note", "remark", "scene", "set", "cases", "relations"});
  const Scene scene = Scene{}.inside(table);
  const std::string& title = table.required("title").string();
  Item item{.id = table.required("id").string(),
            .title = title,
            .heading = title,
            .source = text(table, "source"),
            .note = text(table, "note")};
  for (const Value& entry : entries(table.find("cases"))) {
    item.cases.push_back(read_case(entry, scene, item.other_ids));
  }
  for (const Value& entry : entries(table.find("relations"))) {
    item.relations.push_back(read_relation(entry));
  }
  for (const Case& c : item.cases) {
    if (!c.id.empty()) item.other_ids.push_back(item.id + "." + c.id);
  }
  for (const Relation& r : item.relations) item.other_ids.push_back(item.id + "." + r.id);
  // Impacts name their source where the title of a motion does.
  const bool impacts = !std::holds_alternative<Motion>(item.cases.at(0).subject);
  if (impacts && !item.source.empty()) item.heading += " (" + item.source + ")";
  return item;
}

constexpr std::array<std::pair<std::string_view, std::string_view (*)()>, 5> kFiles{{
    {"lzb", embedded::lzb_reference},
    {"laws", embedded::laws_reference},
    {"chains", embedded::chains_reference},
    {"motion", embedded::motion_reference},
    {"bar", embedded::bar_reference},
}};

// Whether `word` stands in `id` between dots: "table6" in "lzb2008.table6.2to8".
bool holds(std::string_view id, std::string_view word) {
  const std::string dotted = "." + std::string(id) + ".";
  return dotted.find("." + std::string(word) + ".") != std::string::npos;
}

// All that select() understands, whole ids first.
std::vector<std::string_view> words_for(const std::vector<Item>& items) {
  std::vector<std::string_view> words;
  for (const Item& item : items) words.push_back(item.id);
  for (const Item& item : items) {
    const std::string_view id = item.id;
    for (std::size_t dot = id.find('.'); dot != id.npos; dot = id.find('.', dot + 1)) {
      words.push_back(id.substr(0, dot));
      words.push_back(id.substr(dot + 1));
      words.push_back(id.substr(dot + 1, id.find('.', dot + 1) - dot - 1));
    }
  }
  return words;
}

template <class Predicate>
std::vector<Item> filter(const std::vector<Item>& items, Predicate keep) {
  std::vector<Item> result;
  std::copy_if(items.begin(), items.end(), std::back_inserter(result), keep);
  return result;
}

}  // namespace

std::vector<Item> items_of(std::string_view file) {
  const auto* const found = std::ranges::find(kFiles, file, &decltype(kFiles)::value_type::first);
  const io::Document document =
      io::parse_json(found->second(), "data/reference/" + std::string(file) + ".json");
  const Table all =
      table_of(Value(document), {"format", "sources", "conventions", "tolerance", "relative_to",
                                 "classifications", "euler_impulse", "accuracy", "items"});
  std::vector<Item> items;
  for (const Value& value : entries(all.required("items"))) items.push_back(read_item(value));
  return items;
}

std::vector<Item> all_items() {
  std::vector<Item> all;
  for (const auto& [file, text] : kFiles) {
    std::ranges::move(items_of(file), std::back_inserter(all));
  }
  return all;
}

std::vector<Item> select(const std::vector<Item>& items, std::string_view word) {
  auto found = filter(items, [&](const Item& item) { return item.id == word; });
  if (found.empty()) found = filter(items, [&](const Item& item) { return holds(item.id, word); });
  if (found.empty()) {
    found = filter(items, [&](const Item& item) {
      return std::ranges::any_of(item.other_ids,
                                 [&](const std::string& id) { return holds(id, word); });
    });
  }
  if (found.empty()) {
    throw InvalidInput("", "no published case is called '" + io::printable(word) + "'" +
                               io::did_you_mean(word, words_for(items)) +
                               "; percute reproduce --list shows all");
  }
  return found;
}

}  // namespace percute::reproduction

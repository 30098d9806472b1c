// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/embedded.hpp"

#include <percute/io/law_cases.hpp>

#include <array>

namespace percute::io {

namespace {

std::string text(const Table& table, std::string_view key) {
  const auto found = table.find(key);
  return found ? found->string() : std::string();
}

// "impulse[1]": 0.5 from "impulse": [0, 0.5]; velocities are called v1, v2, …
void flatten(const std::string& name, const Value& value, std::vector<Quantity>& result) {
  if (value.node().as<Node::Array>() != nullptr) {
    for (std::size_t i = 0; i < value.size(); ++i) {
      const bool velocity = name == "velocity";
      flatten(velocity ? "v" + std::to_string(i + 1) : name + "[" + std::to_string(i) + "]",
              value[i], result);
    }
  } else if (const bool* truth = value.node().as<bool>()) {
    result.push_back({.name = name, .value = *truth ? 1.0 : 0.0});
  } else {
    result.push_back({.name = name, .value = value.number()});
  }
}

// All members of an object but those that have a meaning of their own.
std::vector<Quantity> read_quantities(const Value& value) {
  std::vector<Quantity> result;
  const auto* members = value.node().as<Node::Object>();
  if (members == nullptr) value.fail("must be an object, got " + value.node().describe());
  for (const auto& [key, node] : *members) {
    if (key == "status" || key == "one_of" || key == "where" || key == "tolerance") continue;
    flatten(key, Value(value.document(), node, value.path() + "." + key), result);
  }
  return result;
}

LawCase read_case(const Value& value, const std::string& item) {
  static constexpr std::array<std::string_view, 7> kKeys{
      "id", "label", "problem", "expected", "published", "tolerance", "note"};
  const Table table(value, kKeys);
  const Value expected = table.required("expected");
  LawCase result{.id = item + "." + table.required("id").string(),
                 .label = table.required("label").string(),
                 .problem = read_problem(table.required("problem")),
                 .expected = read_quantities(expected),
                 .tolerance = table.number("tolerance", 1e-9),
                 .note = text(table, "note")};
  if (const Node* status = expected.node().find("status")) {
    result.status = Value(value.document(), *status, expected.path() + ".status").string();
  }
  if (const Node* list = expected.node().find("one_of")) {
    const Value outcomes(value.document(), *list, expected.path() + ".one_of");
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      result.one_of.push_back(read_quantities(outcomes[i]));
    }
  }
  if (const auto published = table.find("published")) {
    result.published = read_quantities(*published);
    const std::string where =
        Value(value.document(), *published->node().find("where"), published->path()).string();
    result.note = result.note.empty() ? where : where + "; " + result.note;
    result.published_tolerance =
        Value(value.document(), *published->node().find("tolerance"), published->path()).number();
  }
  return result;
}

LawCoverage read_coverage(const Value& value, const std::string& item) {
  static constexpr std::array<std::string_view, 7> kKeys{"id",    "label",    "problem", "vary",
                                                         "cells", "expected", "note"};
  static constexpr std::array<std::string_view, 2> kVaryKeys{"keys", "values"};
  const Table table(value, kKeys);
  LawCoverage result{
      .id = item + "." + table.required("id").string(),
      .label = table.required("label").string(),
      .problem = {.file = value.document().file, .root = table.required("problem").node()},
      .vary = {},
      .cells = static_cast<int>(table.integer("cells", 20, 1, 1000)),
      .expected = read_quantities(table.required("expected")),
      .note = text(table, "note")};
  const Value list = table.required("vary");
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Table entry(list[i], kVaryKeys);
    const Value keys = entry.required("keys");
    const Vector values = entry.required("values").numbers();
    LawCoverage::Parameter parameter{.keys = {}, .values = {values.begin(), values.end()}};
    for (std::size_t k = 0; k < keys.size(); ++k) parameter.keys.push_back(keys[k].string());
    result.vary.push_back(std::move(parameter));
  }
  return result;
}

LawItem read_item(const Value& value) {
  static constexpr std::array<std::string_view, 6> kKeys{"id",   "title", "source",
                                                         "note", "cases", "coverage"};
  const Table table(value, kKeys);
  LawItem result{.id = table.required("id").string(),
                 .title = table.required("title").string(),
                 .source = table.required("source").string(),
                 .note = text(table, "note")};
  if (const auto cases = table.find("cases")) {
    for (std::size_t i = 0; i < cases->size(); ++i) {
      result.cases.push_back(read_case((*cases)[i], result.id));
    }
  }
  if (const auto list = table.find("coverage")) {
    for (std::size_t i = 0; i < list->size(); ++i) {
      result.coverage.push_back(read_coverage((*list)[i], result.id));
    }
  }
  return result;
}

}  // namespace

std::vector<LawItem> law_items() {
  static constexpr std::array<std::string_view, 4> kKeys{"format", "sources", "conventions",
                                                         "items"};
  const Document document = parse_json(embedded::laws_reference(), "data/reference/laws.json");
  const Table table(Value(document), kKeys);
  const Value items = table.required("items");
  std::vector<LawItem> result;
  result.reserve(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) result.push_back(read_item(items[i]));
  return result;
}

}  // namespace percute::io

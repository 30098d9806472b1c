// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "reproduction/embedded.hpp"
#include "reproduction/reading.hpp"

#include <algorithm>
#include <array>

namespace percute::reproduction {

namespace {

constexpr double kTolerance = 1e-9;  ///< laws are algebraic, their outcomes of order one

// Whether a quantity is a count or a verdict, which nothing but equality meets.
bool exact(std::string_view name) {
  static constexpr std::array<std::string_view, 10> kWords{
      "collisions", "sequence",     "energetic",          "kinematic",        "rank",
      "solutions",  "inconsistent", "non_unique_impulse", "admissible_cells", "phases"};
  return std::ranges::find(kWords, name.substr(0, name.find('['))) != kWords.end();
}

/// Members that are numbers; velocities are called v1, v2, …
std::vector<Named> read_numbers(const Value& value) {
  std::vector<Named> result;
  for (const auto& [key, entry] : members(value)) {
    if (key == "status" || key == "one_of" || key == "where" || key == "tolerance") continue;
    const auto more = key == "velocity" ? flat_from_one("v", entry, "") : flat_numbers(key, entry);
    result.insert(result.end(), more.begin(), more.end());
  }
  return result;
}

std::vector<Expected> read_expected(const Value& value, double tolerance) {
  std::vector<Expected> result;
  for (const auto& [name, number] : read_numbers(value)) {
    result.push_back({.name = name, .value = number, .tolerance = exact(name) ? 0.0 : tolerance});
  }
  return result;
}

Case read_case(const Value& value) {
  const Table table =
      table_of(value, {"id", "label", "problem", "expected", "published", "tolerance", "note"});
  const double tolerance = table.number("tolerance", kTolerance);
  const Value expected = table.required("expected");
  Case result{.id = table.required("id").string(),
              .label = table.required("label").string(),
              .subject = Impact{.file = io::read_problem(table.required("problem"))},
              .expected = read_expected(expected, tolerance),
              .note = text(table, "note")};
  if (expected.node().find("status") != nullptr) {
    result.status = member(expected, "status").string();
  }
  if (expected.node().find("one_of") != nullptr) {
    for (const Value& outcome : entries(member(expected, "one_of"))) {
      result.one_of.push_back(read_expected(outcome, tolerance));
    }
  }
  if (const auto published = table.find("published")) {
    const std::string where = member(*published, "where").string();
    result.note = result.note.empty() ? where : where + "; " + result.note;
    for (const auto& [name, printed] : read_numbers(*published)) {
      const auto found = std::ranges::find(result.expected, name, &Expected::name);
      if (found == result.expected.end()) published->fail("has no expected '" + name + "'");
      found->published = printed;
      found->published_tolerance = member(*published, "tolerance").number();
    }
  }
  return result;
}

Case read_coverage(const Value& value) {
  const Table table =
      table_of(value, {"id", "label", "problem", "vary", "cells", "expected", "note"});
  Coverage coverage{
      .problem = {.file = value.document().file, .root = table.required("problem").node()},
      .vary = {},
      .cells = static_cast<int>(table.integer("cells", 20, 1, 1000))};
  for (const Value& entry : entries(table.required("vary"))) {
    const Table parameter = table_of(entry, {"keys", "values"});
    auto& keys = coverage.vary.emplace_back();
    keys.values = list(numbers(parameter, "values"));
    for (const Value& key : entries(parameter.required("keys"))) keys.keys.push_back(key.string());
  }
  return {.id = table.required("id").string(),
          .label = table.required("label").string(),
          .subject = std::move(coverage),
          .expected = read_expected(table.required("expected"), kTolerance),
          .note = text(table, "note")};
}

Item read_item(const Value& value, const Table& /*common*/) {
  const Table table = table_of(value, {"id", "title", "source", "note", "cases", "coverage"});
  Item item = head_of(table);
  item.heading += " (" + item.source + ")";
  for (const Value& entry : entries(table.find("cases"))) item.cases.push_back(read_case(entry));
  for (const Value& entry : entries(table.find("coverage"))) {
    item.cases.push_back(read_coverage(entry));
  }
  return item;
}

}  // namespace

std::vector<Item> law_items() {
  return read_items(embedded::laws_reference(), "laws.json", "items", read_item);
}

}  // namespace percute::reproduction

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "reproduction/embedded.hpp"
#include "reproduction/reading.hpp"

namespace percute::reproduction {

namespace {

Case read_case(const Value& value) {
  const Table table =
      table_of(value, {"id", "label", "scene", "set", "swings", "expected", "tolerance", "note"});
  Motion motion{.scene = table.required("scene").string()};
  for (const auto& [key, entry] : members(table.required("set"))) {
    motion.set.emplace_back(key, entry.node());
  }
  if (const auto swings = table.find("swings")) {
    const Table times = table_of(*swings, {"first", "duration"});
    motion.first_swing = times.required("first").number();
    motion.swing = times.required("duration").number();
  }
  Case result{.id = table.required("id").string(),
              .label = table.required("label").string(),
              .subject = std::move(motion),
              .note = text(table, "note")};
  for (const auto& [key, entry] : members(table.required("expected"))) {
    const double tolerance = member(table.required("tolerance"), key).number();
    for (const auto& [name, number] : flat_from_one(key, entry, "_")) {
      result.expected.push_back({.name = name, .value = number, .tolerance = tolerance});
    }
  }
  return result;
}

Item read_item(const Value& value, const Table& /*common*/) {
  const Table table = table_of(value, {"id", "title", "source", "note", "cases"});
  Item item = head_of(table);
  for (const Value& entry : entries(table.required("cases"))) {
    item.cases.push_back(read_case(entry));
  }
  return item;
}

}  // namespace

std::vector<Item> motion_items() {
  return read_items(embedded::motion_reference(), "motion.json", "items", read_item);
}

}  // namespace percute::reproduction

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/embedded.hpp"

#include <percute/io/motion_cases.hpp>
#include <percute/io/reader.hpp>

#include <array>
#include <string_view>

namespace percute::io {

namespace {

std::string text(const Table& table, std::string_view key) {
  const auto found = table.find(key);
  return found ? found->string() : std::string();
}

// "angle_2": 0.5 from "angle": [0, 0.5].
void flatten(const std::string& name, const Value& value, double tolerance,
             std::vector<MotionNumber>& result) {
  if (value.node().as<Node::Array>() == nullptr) {
    result.push_back({.name = name, .value = value.number(), .tolerance = tolerance});
    return;
  }
  for (std::size_t i = 0; i < value.size(); ++i) {
    flatten(name + "_" + std::to_string(i + 1), value[i], tolerance, result);
  }
}

MotionCase read_case(const Value& value) {
  static constexpr std::array<std::string_view, 6> kKeys{"id",       "label",     "run",
                                                         "expected", "tolerance", "note"};
  const Table table(value, kKeys);
  MotionCase result{.id = table.required("id").string(),
                    .label = table.required("label").string(),
                    .run = table.required("run").string(),
                    .note = text(table, "note")};
  const Value expected = table.required("expected");
  const Value tolerance = table.required("tolerance");
  const auto* members = expected.node().as<Node::Object>();
  if (members == nullptr) expected.fail("must be an object, got " + expected.node().describe());
  for (const auto& [key, node] : *members) {
    const Node* own = tolerance.node().find(key);
    if (own == nullptr) tolerance.fail("has no tolerance of " + key);
    const double allowed = Value(value.document(), *own, tolerance.path() + "." + key).number();
    flatten(key, Value(value.document(), node, expected.path() + "." + key), allowed,
            result.expected);
  }
  return result;
}

MotionItem read_item(const Value& value) {
  static constexpr std::array<std::string_view, 5> kKeys{"id", "title", "source", "note", "cases"};
  const Table table(value, kKeys);
  MotionItem result{.id = table.required("id").string(),
                    .title = table.required("title").string(),
                    .source = table.required("source").string(),
                    .note = text(table, "note")};
  const Value cases = table.required("cases");
  result.cases.reserve(cases.size());
  for (std::size_t i = 0; i < cases.size(); ++i) result.cases.push_back(read_case(cases[i]));
  return result;
}

}  // namespace

std::vector<MotionItem> motion_items() {
  static constexpr std::array<std::string_view, 3> kKeys{"format", "conventions", "items"};
  const Document document = parse_json(embedded::motion_reference(), "data/reference/motion.json");
  const Table table(Value(document), kKeys);
  const Value items = table.required("items");
  std::vector<MotionItem> result;
  result.reserve(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) result.push_back(read_item(items[i]));
  return result;
}

Reproduction reproduce(const MotionItem& item) {
  Reproduction result{.id = item.id, .title = item.title, .rows = {}};
  for (const MotionCase& c : item.cases) {
    std::string status;
    const std::vector<double> numbers = numbers_of(c, status);
    if (status != "ok") {
      result.rows.push_back({.label = c.label,
                             .quantity = "status",
                             .verdict = ReferenceRow::Verdict::Differs,
                             .note = "status is " + status + ", not ok"});
    }
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const MotionNumber& expected = c.expected[i];
      result.rows.push_back(judged({.label = c.label,
                                    .quantity = expected.name,
                                    .computed = numbers[i],
                                    .reference = expected.value,
                                    .reference_tolerance = expected.tolerance,
                                    .note = c.note}));
    }
  }
  return result;
}

}  // namespace percute::io

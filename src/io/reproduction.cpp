// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include <percute/io/reproduction.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace percute::io {

namespace {

// Fails every comparison.
constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

Node number(const std::optional<double>& value) {
  return value ? Node(*value) : Node();
}

}  // namespace

ReferenceRow judged(ReferenceRow row, int decimals) {
  const double value = row.computed.value_or(kMissing);
  const double error = std::abs(value - row.reference.value_or(kMissing));
  const double difference = std::abs(row.published.value_or(value) - value);
  const double rounding = 0.505 * std::pow(10.0, -decimals);  // half a unit, and its own rounding
  const bool converged = error <= row.reference_tolerance.value_or(0.0);
  if (!converged || difference > row.tolerance.value_or(difference)) {
    row.verdict = ReferenceRow::Verdict::Differs;
  } else if (difference > rounding) {
    row.verdict = ReferenceRow::Verdict::Explained;
  }
  return row;
}

bool Reproduction::ok() const {
  return std::all_of(rows.begin(), rows.end(), [](const ReferenceRow& row) { return row.ok(); });
}

Node to_node(std::span<const Reproduction> items) {
  Node::Array list;
  bool all_ok = true;
  for (const Reproduction& item : items) {
    Node::Array rows;
    for (const ReferenceRow& row : item.rows) {
      Node entry;
      entry.add("label", row.label);
      entry.add("quantity", row.quantity);
      entry.add("published", number(row.published));
      entry.add("computed", number(row.computed));
      entry.add("tolerance", number(row.tolerance));
      entry.add("reference", number(row.reference));
      entry.add("reference_tolerance", number(row.reference_tolerance));
      entry.add("ok", row.ok());
      entry.add("note", row.note);
      rows.push_back(std::move(entry));
    }
    Node node;
    node.add("id", item.id);
    node.add("title", item.title);
    node.add("rows", std::move(rows));
    node.add("ok", item.ok());
    list.push_back(std::move(node));
    all_ok = all_ok && item.ok();
  }
  Node root;
  root.add("items", std::move(list));
  root.add("ok", all_ok);
  return root;
}

}  // namespace percute::io

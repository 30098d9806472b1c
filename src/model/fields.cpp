// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "model/text.hpp"

#include <percute/model/fields.hpp>
#include <percute/model/invalid_input.hpp>

#include <cmath>
#include <utility>

namespace percute {

std::string out_of_range(const Range& range, double value, bool integer) {
  if (range.contains(value)) return "";
  const std::string kind = integer || range.infinite ? "" : "a finite number ";
  std::string allowed;
  if (std::isfinite(range.highest)) {
    allowed = (range.above ? "in (" : "in [") + text(range.lowest) + ", " + text(range.highest) +
              (range.below ? ")" : "]");
  } else if (std::isfinite(range.lowest)) {
    allowed = kind + (range.above ? "> " : ">= ") + text(range.lowest);
    if (range.infinite) allowed += " (or infinite)";
  } else {
    allowed = "a finite number";
  }
  return text(value) + " is not " + allowed;
}

void refuse(std::string_view owner, const Field& field, double value, bool integer,
            std::optional<std::size_t> entry) {
  std::string reason = out_of_range(field.range, field.to_file(value), integer);
  std::string name = owner.empty() ? "" : std::string(owner) + ".";
  name += field.key;
  if (field.degrees) {
    if (name.ends_with("_deg")) name.erase(name.size() - 4);
    reason += " degrees";
  }
  if (entry) name += "[" + std::to_string(*entry) + "]";
  throw InvalidInput(name, reason);
}

InvalidInput::InvalidInput(std::string field, const std::string& reason)
    : std::invalid_argument(field.empty() ? reason : field + ": " + reason),
      field_(std::move(field)),
      reason_(reason) {}

}  // namespace percute

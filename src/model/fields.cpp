// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "model/text.hpp"

#include <percute/model/fields.hpp>

#include <cmath>

namespace percute {

bool Range::contains(double value) const {
  if (std::isinf(value) && value > 0.0) return infinite;
  if (!std::isfinite(value)) return false;
  return open ? value > lowest && value < highest : value >= lowest && value <= highest;
}

std::string out_of_range(const Range& range, double value, bool integer) {
  if (range.contains(value)) return "";
  const std::string kind = integer || range.infinite ? "" : "a finite number ";
  std::string allowed;
  if (std::isfinite(range.highest)) {
    allowed = (range.open ? "in (" : "in [") + text(range.lowest) + ", " + text(range.highest) +
              (range.open ? ")" : "]");
  } else if (std::isfinite(range.lowest)) {
    allowed = kind + (range.open ? "> " : ">= ") + text(range.lowest);
  } else {
    allowed = "a finite number";
  }
  return text(value) + " is not " + allowed;
}

void require_in_range(const std::string& owner, const Field& field, double value, bool integer,
                      const std::string& entry) {
  std::string reason = out_of_range(field.range, field.to_file(value), integer);
  if (reason.empty()) return;
  std::string name(field.key);
  if (field.degrees) {
    name.erase(name.rfind("_deg"));
    reason += " degrees";
  }
  throw InvalidInput((owner.empty() ? "" : owner + ".") + name + entry, reason);
}

}  // namespace percute

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "model/text.hpp"

#include <percute/model/fields.hpp>

#include <cmath>

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
  } else {
    allowed = "a finite number";
  }
  return text(value) + " is not " + allowed;
}

void refuse(const char* owner, const Field& field, double value, bool integer) {
  throw InvalidInput(std::string(owner) + "." + std::string(field.key),
                     out_of_range(field.range, value, integer));
}

}  // namespace percute

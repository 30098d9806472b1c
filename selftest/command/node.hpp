// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "selftest/invariants.hpp"

#include <percute/io/document.hpp>

#include <cmath>
#include <cstdint>
#include <string>

namespace percute::cli {

/// JSON has no number for what is not finite.
inline io::Node finite_or_text(double value) {
  return std::isfinite(value) ? io::Node(value) : io::Node(std::isnan(value) ? "nan" : "infinite");
}

/// A failure of a selftest: a check of a problem (by a law, if one is named) or an exception.
inline io::Node failure_node(std::uint64_t index, const std::string& kind, const std::string& law,
                             const selftest::Check& check, const std::string& message) {
  io::Node node;
  node.add("index", index);
  node.add("kind", kind);
  if (!message.empty()) {
    node.add("message", message);
    return node;
  }
  if (!law.empty()) node.add("law", law);
  node.add("check", check.name);
  node.add("value", finite_or_text(check.value));
  node.add("bound", finite_or_text(check.bound));
  return node;
}

}  // namespace percute::cli

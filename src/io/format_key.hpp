// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/io/reader.hpp>

#include <fmt/format.h>

namespace percute::io {

/// Refuses a file of another format. This comes before its keys are looked at, which would only be
/// unknown; a missing key 'format' is left to them.
inline void refuse_other_format(const Value& at, std::string_view format) {
  const Node* node = at.node().find("format");
  if (node == nullptr) return;
  const Value value(at.document(), *node, at.path().empty() ? "format" : at.path() + ".format");
  if (value.string() != format) {
    value.fail(fmt::format("must be \"{}\", got {}", format, node->describe()));
  }
}

}  // namespace percute::io

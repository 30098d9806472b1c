// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/io/document.hpp>

#include <optional>
#include <string>
#include <vector>

namespace percute::cli {

/// What the command line changes in a file: --law KIND and --set KEY=VALUE, in that order.
struct Overrides {
  std::optional<std::string> law = {};
  std::vector<std::string> settings = {};

  /// Throws FileError that begins with the option.
  void apply(io::Document& document) const;
};

}  // namespace percute::cli

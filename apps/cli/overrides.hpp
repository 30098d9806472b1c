// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/io/document.hpp>

#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace percute::cli {

/// What the command line changes in a file: --unset KEY, --law KIND and --set KEY=VALUE, in that
/// order, wherever they stand.
struct Overrides {
  std::optional<std::string> law = {};
  std::vector<std::string> settings = {};
  std::vector<std::string> removals = {};

  /// Throws FileError that begins with the option.
  void apply(io::Document& document) const;

  /// Reads a file, or standard input where its name is "-", and applies them to it.
  io::Document read(const std::string& file) const;
};

/// Gives a command --set and --unset, with something to set and a key to take out as examples.
void add_override_options(CLI::App& command, Overrides& overrides, const std::string& setting,
                          const std::string& key);

/// Gives a command --all, which leaves nothing out of long tables.
void add_table_option(CLI::App& command);

}  // namespace percute::cli

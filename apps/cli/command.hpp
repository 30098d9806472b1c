// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "commands.hpp"

#include <percute/io/problem_file.hpp>

#include <CLI/CLI.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

// Options that several commands have, and what becomes of them.

namespace percute::cli {

/// What a command takes that reads one file and answers with a table or as JSON.
struct FileCommand {
  std::string file = {};
  std::optional<std::string> law = {};
  std::vector<std::string> settings = {};
  std::vector<std::string> removals = {};
  std::string output = {};
  bool json = false;
  bool quiet = false;

  /// Makes the changes of --unset KEY, --law KIND and --set KEY=VALUE, in that order, wherever they
  /// stand. Throws FileError that begins with the option.
  void apply(io::Document& document) const;

  /// Reads the file, or standard input where its name is "-", and applies the changes to it.
  io::Document read() const;

  /// The answer: as JSON with --json or into a file of that name, else as text but for --quiet.
  void answer(const std::string& into, const std::function<io::Node()>& node,
              const std::function<std::string()>& text) const;
};

/// Declares a command that runs `run` with its options, which `declare` adds to it.
template <class Options>
void add_command(CLI::App& app, ExitCode& code, const char* name, const char* description,
                 const char* footer, ExitCode (*run)(const Options&),
                 const std::function<void(CLI::App&, Options&)>& declare) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(name, description);
  command->footer(footer);
  declare(*command, *options);
  command->callback([options, &code, run] { code = run(*options); });
}

/// An option with a value: "--samples N".
template <class Value>
CLI::Option& add_value(CLI::App& command, const char* names, Value& value, const std::string& help,
                       const char* type) {
  return *command.add_option(names, value, help)->type_name(type);
}

// In the order in which help shows them.
void add_file(CLI::App& command, FileCommand& options, const char* name = "FILE",
              const char* help = "problem or scene, .json or .toml; - is standard input");
void add_law(CLI::App& command, FileCommand& options);
/// --set and --unset, with something to set and a key to take out as examples.
void add_changes(CLI::App& command, FileCommand& options, const std::string& setting,
                 const std::string& key);
/// --json, --quiet and --all, which leaves nothing out of long tables.
void add_printing(CLI::App& command, FileCommand& options, const char* json, const char* quiet);

/// What `work` returns; an error of the core becomes one about the document it came from.
template <class Work>
auto located_in(const io::Document& document, Work&& work,
                const std::vector<std::string>& contact_names = {}) {
  try {
    return work();
  } catch (const io::FileError&) {
    throw;
  } catch (const InvalidInput& error) {
    throw io::located(error, document, contact_names);
  }
}

}  // namespace percute::cli

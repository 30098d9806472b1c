// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace percute::cli {

/// What the process returns.
enum class ExitCode {
  Accepted = 0,     ///< every result is an answer
  NotAccepted = 1,  ///< a numerical outcome that is not acceptable
  BadInput = 2,     ///< files or arguments that cannot be used
};

/// Each subcommand lives in a file of its own. add_<name>() declares it with its options and help;
/// when it was chosen it runs while the command line is parsed, leaves its verdict in `code`, and
/// throws InvalidInput (FileError) on bad input: main() turns that into the one message on stderr.
/// Options that several commands have are in command.hpp, results go through Output (output.hpp),
/// tables through TextTable (text_table.hpp).
void add_solve(CLI::App& app, ExitCode& code);
void add_reproduce(CLI::App& app, ExitCode& code);
void add_compare(CLI::App& app, ExitCode& code);
void add_analyze(CLI::App& app, ExitCode& code);
void add_identify_icr(CLI::App& app, ExitCode& code);
void add_fit(CLI::App& app, ExitCode& code);  ///< only where built with PERCUTE_FIT
void add_simulate(CLI::App& app, ExitCode& code);
void add_waves(CLI::App& app, ExitCode& code);
void add_completion(CLI::App& app);
void add_schema(CLI::App& app);

/// What `percute` does without arguments: the five-ball cradle, and what to type next.
ExitCode run_default();

/// The manual page of a command, or where `name` is empty of the program, in the man macros of
/// roff, made from what its help shows.
std::string manual(const CLI::App& app, const std::string& name);

/// Writes percute.1 and a page for every command, percute-solve.1, into a folder.
void write_manuals(const CLI::App& app, const std::string& folder);

// What this program, percute-bench and percute-selftest have in common.

/// Parses the arguments, which runs what was chosen. Says what is wrong with them, or shows the
/// help asked for, and returns the exit code then; else nothing.
std::optional<int> parse(CLI::App& app, int argc, char** argv);

/// Runs the program; every exception becomes the one message on stderr, and exit code 2.
int guarded(const std::function<int()>& run);

/// Where this program lies, and others that belong to it.
std::filesystem::path own_folder();

}  // namespace percute::cli

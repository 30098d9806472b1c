// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

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
/// Results go through Output (output.hpp), tables through TextTable (text_table.hpp).
void add_solve(CLI::App& app, ExitCode& code);
void add_reproduce(CLI::App& app, ExitCode& code);
void add_compare(CLI::App& app, ExitCode& code);
void add_analyze(CLI::App& app, ExitCode& code);
void add_identify_icr(CLI::App& app, ExitCode& code);
void add_fit(CLI::App& app, ExitCode& code);  ///< only where built with PERCUTE_FIT
void add_simulate(CLI::App& app, ExitCode& code);
void add_waves(CLI::App& app, ExitCode& code);
void add_helpers(CLI::App& app);  ///< bench, selftest: names alone, they are programs of their own
void add_completion(CLI::App& app);
void add_schema(CLI::App& app);

/// If the command is a program of its own, percute-<command>, goes over to it with these arguments
/// and does not come back; throws InvalidInput where that program is not there.
void run_helper(const std::string& command, const std::vector<std::string>& arguments);

/// What `percute` does without arguments: the five-ball cradle, and what to type next.
ExitCode run_default();

}  // namespace percute::cli

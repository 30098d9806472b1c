// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "commands.hpp"
#include "output.hpp"

#include <percute/io/suggest.hpp>
#include <percute/model/invalid_input.hpp>
#include <percute/version.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <new>
#include <string>
#include <vector>

namespace percute::cli {

namespace {

constexpr const char* kProgramDescription =
    "percute: multiple impacts in mechanics. What do bodies do when several contacts close at "
    "once?";

constexpr const char* kProgramFooter = R"(Without arguments percute resolves a five-ball cradle.
'percute COMMAND --help' explains a command with examples.)";

/// Ends the program without what libraries do at exit: the one that could not finish its file on a
/// full disk would add to the message.
[[noreturn]] void complain(const std::string& message) {
  fmt::print(stderr, "percute: {}\n", message);
  std::fflush(nullptr);
  std::_Exit(static_cast<int>(ExitCode::BadInput));
}

/// Why a first word is no command, empty if it is one: a file without 'solve', or a slip of the
/// pen.
std::string unknown_command(const CLI::App& app, const std::string& word) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  if (std::ranges::find(names, word) != names.end()) return "";
  const std::vector<std::string_view> words(names.begin(), names.end());
  std::error_code ignored;
  const std::string hint = std::filesystem::exists(word, ignored)
                               ? fmt::format(" (did you mean 'percute solve {}'?)", word)
                               : io::did_you_mean(word, words);
  return fmt::format("unknown command '{}'{}; commands: {}", word, hint, io::join(words));
}

int run(int argc, char** argv) {
  ExitCode code = ExitCode::Accepted;
  CLI::App app(kProgramDescription, "percute");
  app.footer(kProgramFooter);
  app.set_help_flag("-h,--help", "show this help");
  app.set_version_flag("--version", std::string("percute ") + kVersion)
      ->description("show the version");
  app.require_subcommand(0, 1);
  app.get_formatter()->column_width(30);
  add_solve(app, code);
  add_reproduce(app, code);
  add_compare(app, code);
  add_analyze(app, code);
  add_simulate(app, code);
#ifdef PERCUTE_HAS_FIT
  add_fit(app, code);
#endif
  add_waves(app, code);
  add_bench(app, code);
  add_selftest(app, code);

  const std::string first = argc > 1 ? argv[1] : "";
  if (!first.empty() && first.front() != '-') {
    const std::string problem = unknown_command(app, first);
    if (!problem.empty()) complain(problem);
  }
  try {
    app.parse(argc, argv);
    if (app.get_subcommands().empty()) code = run_default();
  } catch (const CLI::Success& asked) {  // --help, --version
    return app.exit(asked);
  } catch (const CLI::ParseError& error) {
    complain(fmt::format("{}; see 'percute {}--help'", error.what(),
                         app.get_subcommands().empty() ? "" : first + " "));
  }
  return static_cast<int>(code);
}

}  // namespace

}  // namespace percute::cli

int main(int argc, char** argv) {
  using percute::cli::complain;
  try {
    return percute::cli::run(argc, argv);
  } catch (const percute::cli::ReaderGone&) {
    return 0;
  } catch (const std::bad_alloc&) {
    complain("not enough memory");
  } catch (const std::exception& error) {
    complain(error.what());
  } catch (...) {
    complain("unexpected failure");
  }
}

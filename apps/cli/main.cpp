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
#include <memory>
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

/// Why a word is no command, empty if it is one: a file without 'solve', or a slip of the pen.
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

/// What was typed and is known neither to the program nor to the command.
std::string unknown_argument(const CLI::App& command, const std::vector<std::string>& extras) {
  const auto option = std::ranges::find_if(
      extras, [](const std::string& word) { return word.size() > 1 && word.front() == '-'; });
  if (option == extras.end()) return fmt::format("unexpected argument '{}'", extras.front());
  std::vector<std::string> names;
  for (const CLI::Option* known : command.get_options()) {
    for (const std::string& name : known->get_lnames()) names.push_back("--" + name);
  }
  const std::string word = option->substr(0, option->find('='));
  const std::vector<std::string_view> words(names.begin(), names.end());
  const std::string hint = io::did_you_mean(word, words);
  const bool changes = command.get_option_no_throw("--set") != nullptr;
  return fmt::format(
      "unknown option '{}'{}", word,
      hint.empty() && changes ? "; values of the file are changed by --set KEY=VALUE" : hint);
}

/// 'percute help solve' for 'percute solve --help'.
void add_help(CLI::App& app) {
  CLI::App* help = app.add_subcommand("help", "Show this help, or that of a command.");
  const auto name = std::make_shared<std::string>();
  help->add_option("COMMAND", *name, "command to explain")->type_name("");
  help->callback([&app, name] {
    const std::string problem = name->empty() ? "" : unknown_command(app, *name);
    if (!problem.empty()) complain(problem);
    // app.help() would be that of 'help', the command that was chosen.
    Output().write(name->empty() ? app.get_formatter()->make_help(&app, app.get_name(), {})
                                 : app.get_subcommand(*name)->help(app.get_name()));
  });
}

int run(int argc, char** argv) {
  ExitCode code = ExitCode::Accepted;
  CLI::App app(kProgramDescription, "percute");
  app.footer(kProgramFooter);
  app.set_help_flag("-h,--help", "show this help");
  app.set_version_flag("-V,--version", std::string("percute ") + kVersion)
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
  add_help(app);

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
    const bool chosen = !app.get_subcommands().empty();
    const CLI::App& command = chosen ? *app.get_subcommands().front() : app;
    const bool extras = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
    complain(fmt::format("{}; see 'percute {}--help'",
                         extras ? unknown_argument(command, app.remaining(true)) : error.what(),
                         chosen ? command.get_name() + " " : ""));
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

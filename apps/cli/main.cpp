// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "commands.hpp"
#include "io/suggest.hpp"
#include "manual.hpp"
#include "output.hpp"
#include "program.hpp"

#include <percute/model/invalid_input.hpp>
#include <percute/version.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace percute::cli {

namespace {

constexpr const char* kProgramDescription =
    "percute: multiple impacts in mechanics. What do bodies do when several contacts close at "
    "once?";

constexpr const char* kProgramFooter = R"(Without arguments percute resolves a five-ball cradle.
'percute COMMAND --help' explains a command with examples.)";

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

/// 'percute help solve' for 'percute solve --help'.
void add_help(CLI::App& app) {
  CLI::App* help = app.add_subcommand("help", "Show this help, or that of a command.");
  const auto name = std::make_shared<std::string>();
  help->add_option("COMMAND", *name, "command to explain")->type_name("");
  // For packages: what man shows.
  const auto folder = std::make_shared<std::string>();
  const auto man = std::make_shared<bool>(false);
  help->add_flag("--man", *man, "print the page of the manual instead")->group("");
  help->add_option("--manuals", *folder, "write all pages of the manual into FOLDER")->group("");
  help->callback([&app, name, man, folder] {
    const std::string problem = name->empty() ? "" : unknown_command(app, *name);
    if (!problem.empty()) throw InvalidInput("", problem);
    if (!folder->empty()) return write_manuals(app, *folder);
    if (*man) return Output().write(manual(app, *name));
    run_helper(*name, {"--help"});
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
  add_identify_icr(app, code);
  add_waves(app, code);
  add_helpers(app);
  add_schema(app);
  add_completion(app);
  add_help(app);

  const std::string first = argc > 1 ? argv[1] : "";
  if (argc > 1) run_helper(first, {argv + 2, argv + argc});
  if (!first.empty() && first.front() != '-') {
    const std::string problem = unknown_command(app, first);
    if (!problem.empty()) throw InvalidInput("", problem);
  }
  if (const std::optional<int> ended = parse(app, argc, argv)) return *ended;
  if (app.get_subcommands().empty()) code = run_default();
  return static_cast<int>(code);
}

}  // namespace

}  // namespace percute::cli

int main(int argc, char** argv) {
  return percute::cli::guarded([&] { return percute::cli::run(argc, argv); });
}

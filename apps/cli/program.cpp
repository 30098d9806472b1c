// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "commands.hpp"
#include "io/text.hpp"
#include "output.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>
#include <system_error>
#include <vector>

namespace percute::cli {

namespace {

/// Ends the program without what libraries do at exit: the one that could not finish its file on a
/// full disk would add to the message.
[[noreturn]] void complain(const std::string& message) {
  fmt::print(stderr, "percute: {}\n", message);
  std::fflush(nullptr);
  std::_Exit(static_cast<int>(ExitCode::BadInput));
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
      hint.empty() && changes ? "; to change a value of the file use --set KEY=VALUE" : hint);
}

}  // namespace

std::optional<int> parse(CLI::App& app, int argc, char** argv) {
  try {
    app.parse(argc, argv);
    return std::nullopt;
  } catch (const CLI::Success& asked) {  // --help, --version
    return app.exit(asked);
  } catch (const CLI::ParseError& error) {
    const bool chosen = !app.get_subcommands().empty();
    const CLI::App& command = chosen ? *app.get_subcommands().front() : app;
    const bool extras = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
    complain(fmt::format("{}; see '{}{} --help'",
                         extras ? unknown_argument(command, app.remaining(true)) : error.what(),
                         app.get_name(), chosen ? " " + command.get_name() : ""));
  }
}

int guarded(const std::function<int()>& run) {
  try {
    return run();
  } catch (const ReaderGone&) {
    return 0;
  } catch (const std::bad_alloc&) {
    complain("not enough memory");
  } catch (const std::exception& error) {
    complain(error.what());
  } catch (...) {
    complain("unexpected failure");
  }
}

std::filesystem::path own_folder() {
  std::error_code ignored;
  return std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
}

}  // namespace percute::cli

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "commands.hpp"
#include "program.hpp"

#include <percute/model/invalid_input.hpp>

#include <CLI/CLI.hpp>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace percute::cli {

namespace {

struct Helper {
  const char* command;
  const char* programs;  ///< what it is called in messages
  const char* description;
};

constexpr Helper kHelpers[] = {
    {.command = "bench",
     .programs = "benchmarks",
     .description =
         "Measure how long impacts take, each time beside the error it was reached with."},
    {.command = "selftest",
     .programs = "selftests",
     .description = "Solve random impacts and check each against the laws of mechanics."},
};

}  // namespace

void add_helpers(CLI::App& app) {
  for (const Helper& helper : kHelpers) app.add_subcommand(helper.command, helper.description);
}

void run_helper(const std::string& command, const std::vector<std::string>& arguments) {
  for (const Helper& helper : kHelpers) {
    if (command != helper.command) continue;
    const std::string name = "percute-" + command;
    std::vector<std::string> words{name};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    const std::filesystem::path here = own_folder();
    // In a build folder it lies beside this program, where installed in the folder for helpers.
    for (const auto& path : {here / name, here / PERCUTE_TO_HELPERS / name}) {
      if (here.empty() || access(path.c_str(), F_OK) != 0) continue;
      execv(path.c_str(), pointers.data());
      throw InvalidInput("", path.string() + " cannot be started: " + std::strerror(errno));
    }
    throw InvalidInput("", std::string("the ") + helper.programs + " are a program of their own, " +
                               name + ", which is not here; './run " + command +
                               "' in the source folder builds and runs it, and an installation has "
                               "it where the target " +
                               name + " was built before");
  }
}

}  // namespace percute::cli

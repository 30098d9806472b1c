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

void add_bench(CLI::App& app) {
  app.add_subcommand(
      "bench", "Measure how long impacts take, each time beside the error it was reached with.");
}

void run_bench(const std::vector<std::string>& arguments) {
  const std::string name = "percute-bench";
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
  throw InvalidInput("", "the benchmarks are a program of their own, " + name +
                             ", which is not here; './run bench' in the source folder builds and "
                             "runs it, and an installation has it where the target " +
                             name + " was built before");
}

}  // namespace percute::cli

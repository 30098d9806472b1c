// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <filesystem>
#include <functional>
#include <optional>

namespace CLI {
class App;
}

namespace percute::cli {

/// Parses the arguments, which runs what was chosen. Says what is wrong with them, or shows the
/// help asked for, and returns the exit code then; else nothing.
std::optional<int> parse(CLI::App& app, int argc, char** argv);

/// Runs the program; every exception becomes the one message on stderr, and exit code 2.
int guarded(const std::function<int()>& run);

/// Where this program lies, and others that belong to it.
std::filesystem::path own_folder();

}  // namespace percute::cli

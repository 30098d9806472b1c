// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace percute::cli {

/// The manual page of a command, or where `name` is empty of the program, in the man macros of
/// roff, made from what its help shows.
std::string manual(const CLI::App& app, const std::string& name);

/// Writes percute.1 and a page for every command, percute-solve.1, into a folder.
void write_manuals(const CLI::App& app, const std::string& folder);

}  // namespace percute::cli

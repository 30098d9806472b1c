// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <filesystem>
#include <string>

namespace percute::bench {

/// Standard output of a driver of other software, run in a process of its own; empty if it failed.
std::string run_driver(const std::filesystem::path& driver, const std::string& arguments);

/// The path between quotes of the shell.
std::string quoted(const std::filesystem::path& path);

}  // namespace percute::bench

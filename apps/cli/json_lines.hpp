// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "commands.hpp"
#include "output.hpp"
#include "overrides.hpp"

#include <cstdio>

namespace percute::cli {

/// Solves one problem per line of `in` and writes one line for each, in order: its result, or a
/// `percute-error/1` with the number of the line. Blank lines are counted and answered by nothing.
/// Returns the worst outcome of all lines. Ctrl-C ends it between two lines: exit code 1 at least.
ExitCode solve_lines(std::FILE* in, Output& out, const Overrides& overrides);

}  // namespace percute::cli

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/io/problem_file.hpp>

#include <string_view>

namespace percute::fuzz {

/// Reads any bytes as a file (JSON if they start with a brace, else TOML) and, if they make a small
/// valid problem, resolves it within tight limits. Aborts where a promise is broken:
///
/// * what cannot be used is refused by a FileError with one short line of clean text;
/// * what is accepted has the sizes it says and can be resolved without an exception other than
///   a FileError;
/// * an accepted outcome holds finite numbers, and its JSON reads back.
void check_input(std::string_view text, io::ProblemFile (*read)(const io::Document&));

/// Reads the same bytes as a scene that moves, and never moves it: what is refused and what is
/// accepted keeps the same promises.
void check_motion(std::string_view text);

}  // namespace percute::fuzz

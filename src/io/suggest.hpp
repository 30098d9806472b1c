// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace percute::io {

/// Damerau–Levenshtein distance (adjacent letters may swap), letters compared without case.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The candidate a mistyped word most likely meant; empty if none is close.
std::string_view closest(std::string_view word, std::span<const std::string_view> candidates);

/// " (did you mean 'restitution'?)", or nothing if no candidate is close.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates);

/// "a, b, c".
std::string join(std::span<const std::string_view> words);

}  // namespace percute::io

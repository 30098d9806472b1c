// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/io/reader.hpp>

#include <optional>
#include <vector>

namespace percute::io {

/// 'radii' of a [system] that are described, {pattern = "tapered", …}, rather than listed; nothing
/// if they are not. The number of balls is that of the [system], or that of the pattern.
std::optional<std::vector<double>> read_radii_pattern(const Table& system);

}  // namespace percute::io

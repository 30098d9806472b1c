// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "io/comparison.hpp"

#include <cstddef>
#include <string>

namespace percute::cli {

/// Laws side by side, for people: velocities, energy, verdicts, time. One law per row, or per
/// column where rows would not fit into `columns`.
std::string comparison_text(const io::Comparison& comparison, std::size_t columns);

}  // namespace percute::cli

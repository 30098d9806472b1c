// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace percute::io {

/// Text fit for one line of a message or a table: control characters and invalid bytes escaped, so
/// that a name in a file cannot steer the terminal; cut after about `limit` bytes with "…".
std::string printable(std::string_view text, std::size_t limit = 60);

}  // namespace percute::io

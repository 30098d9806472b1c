// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <array>
#include <cstdio>
#include <string>

namespace percute {

/// A number as it appears in error messages.
inline std::string text(double x) {
  std::array<char, 32> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%.6g", x);
  return buffer.data();
}

}  // namespace percute

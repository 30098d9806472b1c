// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/model/invalid_input.hpp>

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

/// "1e-9", without the zero of "1e-09".
inline std::string tolerance_text(double tolerance) {
  std::string out = text(tolerance);
  if (const auto zero = out.find("e-0"); zero != std::string::npos) out.erase(zero + 2, 1);
  return out;
}

/// Throws InvalidInput, naming the field, its value and what it is not.
inline void require(bool good, const std::string& field, double value, const char* allowed) {
  if (!good) throw InvalidInput(field, text(value) + " is not " + allowed);
}

/// The same for an option of a law.
inline void require_option(bool good, const char* option, double value, const char* allowed) {
  require(good, std::string("law.") + option, value, allowed);
}

}  // namespace percute

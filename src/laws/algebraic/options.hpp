// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "model/text.hpp"

#include <percute/model/invalid_input.hpp>

#include <string>

namespace percute::laws {

/// Throws InvalidInput, naming the option of the law, unless `good`.
inline void require_option(bool good, const char* option, double value, const char* allowed) {
  if (!good) {
    throw InvalidInput(std::string("law.") + option, text(value) + " is not " + allowed);
  }
}

}  // namespace percute::laws

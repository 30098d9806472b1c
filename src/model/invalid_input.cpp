// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include <percute/model/invalid_input.hpp>

#include <utility>

namespace percute {

InvalidInput::InvalidInput(std::string field, const std::string& reason)
    : std::invalid_argument(field.empty() ? reason : field + ": " + reason),
      field_(std::move(field)),
      reason_(reason) {}

}  // namespace percute

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include <percute/io/document.hpp>

#include <utility>

namespace percute::io {

FileError::FileError(std::string where, const std::string& path, const std::string& reason)
    : InvalidInput(path, reason),
      where_(std::move(where)),
      text_(where_ + ": " + InvalidInput::what()) {}

}  // namespace percute::io

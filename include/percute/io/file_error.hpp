// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/model/invalid_input.hpp>

#include <string>

namespace percute::io {

/// A file that cannot be used: what() reads "cradle.toml:12: contacts[1].restitution: reason".
/// `where` is a file with its line, or the command-line option that brought the value.
class FileError : public InvalidInput {
 public:
  FileError(std::string where, const std::string& path, const std::string& reason);

  const char* what() const noexcept override { return text_.c_str(); }
  const std::string& where() const { return where_; }

 private:
  std::string where_;
  std::string text_;
};

}  // namespace percute::io

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

namespace percute::cli {

/// Thrown when nobody reads our output any more; main() then ends without a word.
struct ReaderGone {};

/// Where results go: standard output, or a file. Every failure to write is reported: FileError, or
/// ReaderGone for a closed pipe.
class Output {
 public:
  Output() = default;                        ///< standard output
  explicit Output(const std::string& path);  ///< a file, truncated; empty: standard output

  void write(std::string_view text);  ///< hands the text over at once, nothing stays buffered
  void close();                       ///< of a file: reports what the system reports last

 private:
  [[noreturn]] void fail() const;

  std::string name_ = "standard output";
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_{nullptr, &std::fclose};
};

}  // namespace percute::cli

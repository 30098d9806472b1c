// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "io/columns.hpp"

#include <array>
#include <condition_variable>
#include <csignal>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

namespace percute::cli {

/// Thrown when nobody reads our output any more; main() then ends without a word.
struct ReaderGone {};

/// Where results go: standard output, or a file. Every failure to write is reported: FileError, or
/// ReaderGone for a closed pipe.
class Output {
 public:
  /// A file, truncated; empty: standard output.
  explicit Output(const std::string& path = {}) {
    if (!path.empty()) file_.emplace(path);
  }

  void write(std::string_view text);  ///< hands the text over at once, nothing stays buffered
  void close() {                      ///< of a file: reports what the system reports last
    if (file_) file_->close();
  }

 private:
  std::optional<io::Lines> file_ = {};
};

/// Says on stderr that work is going on, for as long as this object lives: only on a terminal, and
/// only once a second has passed. The line is wiped at the end.
class Progress {
 public:
  explicit Progress(std::string what, bool wanted = true);
  bool shows() const { return thread_.joinable(); }
  void say(std::string what);  ///< from now on

 private:
  void show(const std::stop_token& stop);

  std::string what_;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::jthread thread_;  ///< last: it uses the others
};

/// While this object lives, Ctrl-C (SIGINT) and SIGTERM are a wish to stop instead of the end of
/// the process; a second one ends it as usual. A file that grows too large is an error to report,
/// not a signal. Commands that keep what they have done end with exit code 1, as for anything that
/// is not whole, and say so.
class StopSignal {
 public:
  /// `notice` is written to stderr at the first signal, where what is going on may take a while.
  explicit StopSignal(const char* notice = nullptr);
  ~StopSignal();
  StopSignal& operator=(StopSignal&&) = delete;  // neither copied nor moved

  static bool wanted();

 private:
  std::array<struct sigaction, 3> before_{};  ///< of SIGINT, SIGTERM, SIGXFSZ
};

}  // namespace percute::cli

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <csignal>

namespace percute::cli {

/// While this object lives, Ctrl-C (SIGINT) and SIGTERM are a wish to stop instead of the end of
/// the process; a second one ends it as usual. A file that grows too large is an error to report,
/// not a signal. Commands that keep what they have done end with exit code 1, as for anything that
/// is not whole, and say so.
class StopSignal {
 public:
  /// `notice` is written to stderr at the first signal, where what is going on may take a while.
  explicit StopSignal(const char* notice = nullptr);
  ~StopSignal();
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;
  StopSignal(StopSignal&&) = delete;
  StopSignal& operator=(StopSignal&&) = delete;

  static bool wanted();

 private:
  struct sigaction interrupt_{};
  struct sigaction terminate_{};
  struct sigaction file_size_{};
};

}  // namespace percute::cli

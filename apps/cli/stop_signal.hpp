// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <csignal>

namespace percute::cli {

/// While this object lives, Ctrl-C (SIGINT) and SIGTERM are a wish to stop instead of the end of
/// the process; a second one ends it as usual. A file that grows too large is an error to report,
/// not a signal.
class StopSignal {
 public:
  StopSignal();
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

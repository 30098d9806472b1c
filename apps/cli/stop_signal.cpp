// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "stop_signal.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace percute::cli {

namespace {

// Set by a signal handler, which may touch nothing else.
volatile std::sig_atomic_t stop_wanted = 0;
// Set before the handler is.
const char* stop_notice = nullptr;

void want_stop(int /*signal*/) {
  stop_wanted = 1;
  if (stop_notice == nullptr) return;
  const int kept = errno;
  (void)!write(STDERR_FILENO, stop_notice, std::strlen(stop_notice));
  errno = kept;
}

}  // namespace

StopSignal::StopSignal(const char* notice) {
  stop_wanted = 0;
  stop_notice = notice;
  struct sigaction action{};
  action.sa_handler = want_stop;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, &interrupt_);
  sigaction(SIGTERM, &action, &terminate_);
  struct sigaction ignore{};
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGXFSZ, &ignore, &file_size_);
}

StopSignal::~StopSignal() {
  sigaction(SIGINT, &interrupt_, nullptr);
  sigaction(SIGTERM, &terminate_, nullptr);
  sigaction(SIGXFSZ, &file_size_, nullptr);
}

bool StopSignal::wanted() {
  return stop_wanted != 0;
}

}  // namespace percute::cli

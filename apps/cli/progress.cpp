// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "progress.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>

namespace percute::cli {

Progress::Progress(std::string what, bool wanted) : what_(std::move(what)) {
  if (!wanted || isatty(STDERR_FILENO) == 0) return;
  thread_ = std::jthread([this](const std::stop_token& stop) { show(stop); });
}

Progress::~Progress() = default;

void Progress::show(const std::stop_token& stop) {
  using std::chrono::seconds;
  bool shown = false;
  std::unique_lock lock(mutex_);
  for (int elapsed = 1; !wake_.wait_for(lock, stop, seconds(1), [] { return false; }); ++elapsed) {
    if (stop.stop_requested()) break;
    fmt::print(stderr, "\r{} … {} s", what_, elapsed);
    std::fflush(stderr);
    shown = true;
  }
  if (shown) fmt::print(stderr, "\r\033[K");
}

}  // namespace percute::cli

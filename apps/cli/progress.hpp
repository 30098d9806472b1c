// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace percute::cli {

/// Says on stderr that work is going on, for as long as this object lives: only on a terminal, and
/// only once a second has passed. The line is wiped at the end.
class Progress {
 public:
  explicit Progress(std::string what, bool wanted = true);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  Progress(Progress&&) = delete;
  Progress& operator=(Progress&&) = delete;

 private:
  void show(const std::stop_token& stop);

  std::string what_;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::jthread thread_;  ///< last: it uses the others
};

}  // namespace percute::cli

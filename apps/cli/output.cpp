// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "output.hpp"

#include "text_table.hpp"

#include <percute/io/document.hpp>

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>

namespace percute::cli {

namespace {

constexpr std::array<int, 3> kSignals{SIGINT, SIGTERM, SIGXFSZ};
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

/// What fits on a line of the terminal: one that is broken could not be wiped.
std::string cut(const std::string& text) {
  std::size_t end = std::min(text.size(), terminal_columns(STDERR_FILENO) - 1);
  while (end > 0 && end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) {
    --end;  // within a letter of UTF-8
  }
  return text.substr(0, end);
}

}  // namespace

void Output::write(std::string_view text) {
  if (file_) return file_->append(text);
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0) {
    return;
  }
  if (errno == EPIPE) throw ReaderGone{};
  throw io::FileError("standard output", "", std::string("cannot write: ") + std::strerror(errno));
}

Progress::Progress(std::string what, bool wanted) : what_(std::move(what)) {
  if (!wanted || isatty(STDERR_FILENO) == 0) return;
  thread_ = std::jthread([this](const std::stop_token& stop) { show(stop); });
}

void Progress::say(std::string what) {
  const std::lock_guard lock(mutex_);
  what_ = std::move(what);
}

void Progress::show(const std::stop_token& stop) {
  using std::chrono::seconds;
  bool shown = false;
  std::unique_lock lock(mutex_);
  for (int elapsed = 1; !wake_.wait_for(lock, stop, seconds(1), [] { return false; }); ++elapsed) {
    if (stop.stop_requested()) break;
    fmt::print(stderr, "\r\033[K{}", cut(fmt::format("{} … {} s", what_, elapsed)));
    std::fflush(stderr);
    shown = true;
  }
  if (shown) fmt::print(stderr, "\r\033[K");
}

StopSignal::StopSignal(const char* notice) {
  stop_wanted = 0;
  stop_notice = notice;
  for (std::size_t k = 0; k < kSignals.size(); ++k) {
    struct sigaction action{};
    action.sa_handler = kSignals[k] == SIGXFSZ ? SIG_IGN : want_stop;
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    sigemptyset(&action.sa_mask);
    sigaction(kSignals[k], &action, &before_[k]);
  }
}

StopSignal::~StopSignal() {
  for (std::size_t k = 0; k < kSignals.size(); ++k) sigaction(kSignals[k], &before_[k], nullptr);
}

bool StopSignal::wanted() {
  return stop_wanted != 0;
}

}  // namespace percute::cli

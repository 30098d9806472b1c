// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "run_progress.hpp"

#include "run_report.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <limits>

namespace percute::cli {

namespace {

constexpr double kEvery = 0.25;  // s between lines

/// What fits on a line of the terminal: one that is broken could not be wiped.
std::string cut(const std::string& text) {
  winsize size{};
  const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  if (!known || text.size() < size.ws_col) return text;
  std::size_t end = size.ws_col - 1U;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;  // UTF-8
  return text.substr(0, end);
}

}  // namespace

RunProgress::RunProgress(const io::MotionFile& file, bool wanted)
    : file_(file),
      wanted_(wanted && isatty(STDERR_FILENO) != 0),
      adds_up_(adds_up(file)),
      solver_(file.system.solver()) {
  const auto duration = io::run_options(file.method).duration;
  end_ = duration ? file.start.time + *duration : std::numeric_limits<double>::infinity();
}

RunProgress::~RunProgress() {
  clear();
}

void RunProgress::clear() {
  if (shown_) fmt::print(stderr, "\r\033[K");
  shown_ = false;
}

void RunProgress::start(const simulation::Moment& from) {
  if (from.totals) {
    expected_ = from.totals->record.energy.expected;
    dissipated_ = from.totals->record.energy.dissipated;
    events_ = from.totals->events;
  } else {
    expected_ = solver_->kinetic_energy(from.state.position, from.state.velocity) +
                file_.system.potential_energy(from.state.position);
  }
  events_shown_ = events_;
}

void RunProgress::event(const simulation::Event& event) {
  dissipated_ += event.dissipated;
  ++events_;
}

void RunProgress::step(double now, double time, const Vector& q, const Vector& v) {
  if (!wanted_) return;
  if (last_ == 0.0) last_ = now;  // nothing in the first moments: most runs are over by then
  if (now < last_ + kEvery) return;
  const double energy = solver_->kinetic_energy(q, v) + file_.system.potential_energy(q);
  const double rate = static_cast<double>(events_ - events_shown_) / (now - last_);
  std::string text = fmt::format("t = {:.6g} s", time);
  if (std::isfinite(end_)) text += fmt::format(" of {:.6g} s", end_);
  text += fmt::format(", {} events, {:.0f}/s", events_, rate);
  if (adds_up_ && expected_ != 0.0) {
    text += fmt::format(", energy drift {:.1e}",
                        (energy + dissipated_ - expected_) / std::abs(expected_));
  }
  fmt::print(stderr, "\r\033[K{}", cut(text));
  std::fflush(stderr);
  shown_ = true;
  last_ = now;
  events_shown_ = events_;
}

}  // namespace percute::cli

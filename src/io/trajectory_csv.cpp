// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/text.hpp"
#include "io/trajectory_sinks.hpp"

#include <percute/io/result_file.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>

namespace percute::io {

namespace {

/// A text file to whose end whole lines are added; a line of which only a part fits on the disk is
/// taken back.
class Lines {
 public:
  explicit Lines(const std::filesystem::path& path)
      : name_(path.string()),
        file_(open(name_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)) {
    if (file_ < 0) fail(errno);
  }
  ~Lines() {
    if (file_ >= 0) ::close(file_);
  }
  Lines(const Lines&) = delete;
  Lines& operator=(const Lines&) = delete;
  Lines(Lines&&) = delete;
  Lines& operator=(Lines&&) = delete;

  /// Of the text given last, how many lines are on disk.
  std::size_t lines() const { return lines_; }

  void append(std::string_view text) {
    lines_ = 0;
    while (!text.empty()) {
      const ssize_t written = ::write(file_, text.data(), text.size());
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) {
        const int reason = errno;
        // Of the lines that were cut, all whole ones stay.
        if (ftruncate(file_, static_cast<off_t>(whole_)) == 0) lseek(file_, 0, SEEK_END);
        fail(reason);
      }
      const std::string_view part = text.substr(0, static_cast<std::size_t>(written));
      const auto end = part.rfind('\n');
      if (end != std::string_view::npos) whole_ = size_ + end + 1;
      lines_ += static_cast<std::size_t>(std::ranges::count(part, '\n'));
      size_ += part.size();
      text.remove_prefix(part.size());
    }
  }

  void close() {
    const int file = file_;
    file_ = -1;
    if (::close(file) != 0) fail(errno);
  }

 private:
  [[noreturn]] void fail(int reason) const {
    throw FileError(name_, "", fmt::format("cannot write: {}", std::strerror(reason)));
  }

  std::string name_;
  int file_;
  std::size_t lines_ = 0;
  std::size_t size_ = 0;
  std::size_t whole_ = 0;  ///< bytes up to the end of the last whole line
};

std::string state_header(const CoordinateLabels& labels) {
  std::string out = "time [s]";
  for (std::size_t k = 0; k < labels.names.size(); ++k) {
    out +=
        ',' + csv_cell(fmt::format("position {} [{}]", labels.names[k], labels.position_units[k]));
  }
  for (std::size_t k = 0; k < labels.names.size(); ++k) {
    out +=
        ',' + csv_cell(fmt::format("velocity {} [{}]", labels.names[k], labels.velocity_units[k]));
  }
  return out + '\n';
}

std::string event_header(const CoordinateLabels& labels, const std::vector<std::string>& contacts) {
  std::string out = "time [s],event,contacts,dissipated [J],status";
  for (const std::string& contact : contacts) {
    out += ',' + csv_cell(fmt::format("impulse {} [N s]", contact));
  }
  for (std::size_t k = 0; k < labels.names.size(); ++k) {
    out +=
        ',' + csv_cell(fmt::format("position {} [{}]", labels.names[k], labels.position_units[k]));
  }
  for (const char* when : {"before", "after"}) {
    for (std::size_t k = 0; k < labels.names.size(); ++k) {
      out += ',' + csv_cell(fmt::format("velocity {} {} [{}]", when, labels.names[k],
                                        labels.velocity_units[k]));
    }
  }
  return out + '\n';
}

}  // namespace

class TrajectoryFile::CsvSink final : public Sink {
 public:
  CsvSink(const std::filesystem::path& path, const MotionFile& motion)
      : contacts_(motion.contact_names), states_(path), events_(events_path(path)) {
    const CoordinateLabels labels = coordinate_labels(motion);
    states_.append(state_header(labels));
    events_.append(event_header(labels, contacts_));
  }

  void append(const Rows& rows) override {
    const std::size_t n = rows.t.empty() ? 0 : rows.q.size() / rows.t.size();
    std::string text;
    auto end = std::back_inserter(text);
    for (std::size_t k = 0; k < rows.t.size(); ++k) {
      fmt::format_to(end, "{:.17g}", rows.t[k]);
      // + 0.0 makes zero of minus zero.
      for (std::size_t i = 0; i < n; ++i) fmt::format_to(end, ",{:.17g}", rows.q[k * n + i] + 0.0);
      for (std::size_t i = 0; i < n; ++i) fmt::format_to(end, ",{:.17g}", rows.v[k * n + i] + 0.0);
      text += '\n';
    }
    states_.append(text);
    text.clear();
    for (const simulation::Event& event : rows.events) add(text, event);
    events_.append(text);
  }

  std::size_t kept() const override { return states_.lines(); }

  void flush() override {}  // append() leaves nothing behind

  void close(const simulation::Run& /*run*/) override {
    states_.close();
    events_.close();
  }

 private:
  void add(std::string& text, const simulation::Event& event) const {
    Vector impulse = Vector::Zero(static_cast<Eigen::Index>(contacts_.size()));
    std::string names;
    for (std::size_t k = 0; k < event.contacts.size(); ++k) {
      const int contact = event.contacts[k];
      names += (k == 0 ? "" : "; ") + contacts_[static_cast<std::size_t>(contact)];
      const auto entry = static_cast<Eigen::Index>(k);
      if (entry < event.impulse.size()) impulse[contact] = event.impulse[entry];
    }
    auto end = std::back_inserter(text);
    fmt::format_to(end, "{:.17g},{},{},{:.17g},{}", event.time, name(event.kind), csv_cell(names),
                   event.dissipated + 0.0, name(event.status));
    for (const Vector* values : std::initializer_list<const Vector*>{
             &impulse, &event.position, &event.velocity_before, &event.velocity_after}) {
      for (const double value : *values) fmt::format_to(end, ",{:.17g}", value + 0.0);
    }
    text += '\n';
  }

  std::vector<std::string> contacts_;
  Lines states_;
  Lines events_;
};

std::unique_ptr<TrajectoryFile::Sink> TrajectoryFile::Sink::csv(const std::filesystem::path& path,
                                                                const MotionFile& motion) {
  return std::make_unique<CsvSink>(path, motion);
}

}  // namespace percute::io

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/hdf5_file.hpp"

#include <percute/io/checkpoint_file.hpp>
#include <percute/io/result_file.hpp>
#include <percute/io/trajectory_file.hpp>
#include <percute/version.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>

namespace percute::io {

namespace {

constexpr double kEvery = 1.0;                               // s between writes
constexpr std::size_t kMostNumbers = std::size_t{1} << 15U;  // kept in memory
constexpr std::size_t kMostEvents = 256;
constexpr std::uint64_t kSlack = std::uint64_t{1} << 18U;  // for what HDF5 writes besides

double seconds_now() {
  using std::chrono::steady_clock;
  return std::chrono::duration<double>(steady_clock::now().time_since_epoch()).count();
}

bool is_trajectory_csv(const std::filesystem::path& path) {
  return is_csv(path, "a trajectory is written as .h5, .hdf5 or .csv");
}

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

}  // namespace

/// States and events that are not on disk yet, as columns.
struct TrajectoryFile::Rows {
  explicit Rows(const MotionFile& motion)
      : contacts(motion.contact_names),
        names(coordinate_names(motion.bodies, motion.system.coordinates())),
        units(coordinate_units(motion.bodies, motion.system.coordinates())),
        position_units(units) {
    for (std::string& unit : position_units) {
      if (unit.ends_with("/s")) unit.resize(unit.size() - 2);
    }
  }

  Columns states() const {
    return {
        {"/state/t", "time", "s", std::span<const double>(t)},
        {"/state/q", "position", "", std::span<const double>(q), &names, &position_units, kMixed},
        {"/state/v", "velocity", "", std::span<const double>(v), &names, &units}};
  }

  Columns events_so_far() const {
    const std::size_t m = contacts.size();
    std::vector<std::uint8_t> concerned(m * events.size(), 0);
    std::vector<double> impulses(m * events.size(), 0.0);
    for (std::size_t k = 0; k < events.size(); ++k) {
      const simulation::Event& event = events[k];
      for (std::size_t j = 0; j < event.contacts.size(); ++j) {
        const std::size_t at = m * k + static_cast<std::size_t>(event.contacts[j]);
        concerned[at] = 1;
        const auto entry = static_cast<Eigen::Index>(j);
        if (entry < event.impulse.size()) impulses[at] = event.impulse[entry];
      }
    }
    const auto joined = [this](Vector simulation::Event::* field) {
      std::vector<double> all;
      for (const simulation::Event& event : events) {
        all.insert(all.end(), (event.*field).begin(), (event.*field).end());
      }
      return all;
    };
    using simulation::Event;
    const auto kind = [](const Event& event) -> std::string { return name(event.kind); };
    const auto status = [](const Event& event) -> std::string { return name(event.status); };
    return {
        {"/events/t", "time", "s", each(events, &Event::time)},
        {"/events/kind", "event", "", each(events, kind)},
        {"/events/contacts", "contacts", "", SomeContacts{std::move(concerned)}},
        {"/events/dissipated", "dissipated", "J", each(events, &Event::dissipated)},
        {"/events/status", "status", "", each(events, status)},
        {"/events/impulse", "impulse", "N s", std::move(impulses), &contacts},
        {"/events/q", "position", "", joined(&Event::position), &names, &position_units, kMixed},
        {"/events/v-", "velocity before", "", joined(&Event::velocity_before), &names, &units},
        {"/events/v+", "velocity after", "", joined(&Event::velocity_after), &names, &units}};
  }

  static constexpr const char* kMixed = "see /meta/position_units";

  void clear() {
    t.clear();
    q.clear();
    v.clear();
    events.clear();
  }

  std::vector<std::string> contacts;
  std::vector<std::string> names;  ///< of the coordinates
  std::vector<std::string> units;  ///< of their velocities
  std::vector<std::string> position_units;
  std::vector<double> t = {};
  std::vector<double> q = {};  ///< n per state
  std::vector<double> v = {};
  std::vector<simulation::Event> events = {};
};

/// Where rows go: one kind of file.
class TrajectoryFile::Sink {
 public:
  Sink() = default;
  Sink(const Sink&) = delete;
  Sink& operator=(const Sink&) = delete;
  Sink(Sink&&) = delete;
  Sink& operator=(Sink&&) = delete;
  virtual ~Sink() = default;

  virtual void append(const Rows& rows) = 0;
  /// How many of the states are on disk nevertheless, after append() has failed.
  virtual std::size_t kept() const { return 0; }
  virtual void flush() = 0;
  virtual void close(const simulation::Run& run) = 0;
};

class TrajectoryFile::CsvSink final : public Sink {
 public:
  CsvSink(const std::filesystem::path& path, const Rows& rows)
      : states_(path), events_(events_path(path)) {
    states_.append(csv_header(rows.states()));
    events_.append(csv_header(rows.events_so_far()));
  }

  void append(const Rows& rows) override {
    states_.append(csv_rows(rows.states(), rows.t.size(), rows.contacts));
    events_.append(csv_rows(rows.events_so_far(), rows.events.size(), rows.contacts));
  }
  std::size_t kept() const override { return states_.lines(); }
  void flush() override {}  // append() leaves nothing behind
  void close(const simulation::Run& /*run*/) override {
    states_.close();
    events_.close();
  }

 private:
  Lines states_;
  Lines events_;
};

class TrajectoryFile::Hdf5Sink final : public Sink {
 public:
  Hdf5Sink(const std::filesystem::path& path, const MotionFile& motion, const Document& document,
           const Rows& rows)
      : motion_(motion), file_(Hdf5File::growing(path)) {
    // A file that is too large from the start must not be half made.
    file_->reserve(4 * kSlack);
    write_meta(document, rows);
    for (const Column& column : rows.states()) {
      states_.emplace_back(*file_, column, rows.contacts.size());
    }
    for (const Column& column : rows.events_so_far()) {
      events_.emplace_back(*file_, column, rows.contacts.size());
    }
    file_->flush();
  }

  void append(const Rows& rows) override {
    std::uint64_t bytes = kSlack;
    for (const Hdf5Series& series : states_) bytes += series.growth(rows.t.size());
    for (const Hdf5Series& series : events_) bytes += series.growth(rows.events.size());
    file_->reserve(bytes);
    const Columns states = rows.states();
    const Columns events = rows.events_so_far();
    for (std::size_t k = 0; k < states.size(); ++k) states_[k].append(states[k]);
    for (std::size_t k = 0; k < events.size(); ++k) events_[k].append(events[k]);
  }

  void flush() override { file_->flush(); }

  void close(const simulation::Run& run) override {
    const std::string summary = to_json(to_node(run, motion_));
    file_->reserve(kSlack + 2 * summary.size());
    file_->write("/meta/summary", std::vector<std::string>{summary});
    file_->replace_attribute("/meta", "status", name(run.status));
    states_.clear();
    events_.clear();
    file_->close();
  }

 private:
  void write_meta(const Document& document, const Rows& rows) {
    const auto text = [this](const std::string& path, const std::string& value) {
      file_->write(path, std::vector<std::string>{value});
    };
    file_->write("/meta/coordinates", rows.names);
    file_->write("/meta/units", rows.units);
    file_->write("/meta/position_units", rows.position_units);
    file_->write("/meta/contacts", rows.contacts);
    text("/meta/scene", to_json(document.root));
    text("/meta/law", to_json(to_node(motion_.law), JsonLayout::Line));
    text("/meta/simulation", to_json(motion_.simulation_keys, JsonLayout::Line));
    file_->attribute("/meta", "format", "percute-trajectory/1");
    file_->attribute("/meta", "version", kVersion);
    file_->attribute("/meta", "name", motion_.name);
    file_->attribute("/meta", "method", std::string(kind(motion_.method)));
    file_->attribute("/meta", "status", "incomplete");
  }

  const MotionFile& motion_;
  std::unique_ptr<Hdf5File> file_;
  std::vector<Hdf5Series> states_;  ///< last, with the next: closed before the file
  std::vector<Hdf5Series> events_;
};

TrajectoryFile::TrajectoryFile(std::filesystem::path path, const MotionFile& motion,
                               const Document& document)
    : path_(std::move(path)),
      motion_(motion),
      document_(document),
      rows_(std::make_unique<Rows>(motion)),
      written_to_(motion.start.time) {
  const bool csv = is_trajectory_csv(path_);
  check_writable(path_);
  if (csv) check_writable(events_path(path_));
}

TrajectoryFile::~TrajectoryFile() = default;

void TrajectoryFile::state(double time, const Vector& q, const Vector& v) {
  rows_->t.push_back(time);
  rows_->q.insert(rows_->q.end(), q.begin(), q.end());
  rows_->v.insert(rows_->v.end(), v.begin(), v.end());
  ++states_;
  write_if_due();
}

void TrajectoryFile::event(const simulation::Event& event) {
  rows_->events.push_back(event);
  ++events_;
  write_if_due();
}

void TrajectoryFile::write_if_due() {
  const double now = seconds_now();
  const bool full = rows_->q.size() >= kMostNumbers || rows_->events.size() >= kMostEvents;
  const bool due = now >= next_write_;
  if (!full && !due) return;
  write(due);
  if (due) next_write_ = now + kEvery;
}

void TrajectoryFile::write(bool through) {
  try {
    if (!sink_ && is_trajectory_csv(path_)) sink_ = std::make_unique<CsvSink>(path_, *rows_);
    if (!sink_) sink_ = std::make_unique<Hdf5Sink>(path_, motion_, document_, *rows_);
    sink_->append(*rows_);
    if (through) sink_->flush();
  } catch (const FileError& error) {
    if (!sink_) throw;  // it could not be made
    const std::size_t kept = std::min(sink_->kept(), rows_->t.size());
    if (kept > 0) written_to_ = rows_->t[kept - 1];
    throw FileError(error.where(), error.field(),
                    fmt::format("{}; it holds the run up to {} s", error.reason(), written_to_));
  }
  if (!rows_->t.empty()) written_to_ = rows_->t.back();
  rows_->clear();
}

void TrajectoryFile::close(const simulation::Run& run) {
  write(true);
  sink_->close(run);
  sink_.reset();
}

}  // namespace percute::io

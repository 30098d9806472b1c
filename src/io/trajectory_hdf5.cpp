// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/hdf5_series.hpp"
#include "io/trajectory_sinks.hpp"

#include <percute/version.hpp>

#include <algorithm>
#include <functional>

namespace percute::io {

namespace {

constexpr std::uint64_t kSlack = std::uint64_t{1} << 18U;  // for what the library writes besides

/// One unit for all columns, or where to look.
std::string common(const std::vector<std::string>& units, const char* otherwise) {
  const bool mixed = std::ranges::adjacent_find(units, std::ranges::not_equal_to()) != units.end();
  return mixed || units.empty() ? otherwise : units.front();
}

}  // namespace

class TrajectoryFile::Hdf5Sink final : public Sink {
 public:
  Hdf5Sink(const std::filesystem::path& path, const MotionFile& motion, const Document& document)
      : motion_(motion), file_(Hdf5File::growing(path)) {
    // A file that is too large from the start must not be half made.
    file_->reserve(4 * kSlack);
    write_meta(document);
    series_.reserve(kCount);
    const CoordinateLabels labels = coordinate_labels(motion);
    const int n = motion.system.coordinates();
    const int m = motion.system.contacts();
    const std::string position = common(labels.position_units, "see /meta/position_units");
    const std::string velocity = common(labels.velocity_units, "see /meta/units");
    series_.push_back(Hdf5Series::numbers(*file_, "/state/t", 0, "s"));
    series_.push_back(Hdf5Series::numbers(*file_, "/state/q", n, position));
    series_.push_back(Hdf5Series::numbers(*file_, "/state/v", n, velocity));
    series_.push_back(Hdf5Series::numbers(*file_, "/events/t", 0, "s"));
    series_.push_back(Hdf5Series::texts(*file_, "/events/kind"));
    series_.push_back(Hdf5Series::flags(*file_, "/events/contacts", m));
    series_.push_back(Hdf5Series::numbers(*file_, "/events/impulse", m, "N s"));
    series_.push_back(Hdf5Series::numbers(*file_, "/events/q", n, position));
    series_.push_back(Hdf5Series::numbers(*file_, "/events/v-", n, velocity));
    series_.push_back(Hdf5Series::numbers(*file_, "/events/v+", n, velocity));
    series_.push_back(Hdf5Series::numbers(*file_, "/events/dissipated", 0, "J"));
    series_.push_back(Hdf5Series::texts(*file_, "/events/status"));
    file_->flush();
  }

  void append(const Rows& rows) override {
    std::uint64_t bytes = kSlack;
    for (std::size_t k = 0; k < series_.size(); ++k) {
      bytes += series_[k].growth(k < kEvents ? rows.t.size() : rows.events.size());
    }
    file_->reserve(bytes);
    series_[0].append(rows.t);
    series_[1].append(rows.q);
    series_[2].append(rows.v);
    if (!rows.events.empty()) append_events(rows.events);
  }

  void flush() override { file_->flush(); }

  void close(const simulation::Run& run) override {
    const std::string summary = to_json(to_node(run, motion_));
    file_->reserve(kSlack + 2 * summary.size());
    file_->write("/meta/summary", summary);
    file_->replace_attribute("/meta", "status", name(run.status));
    series_.clear();
    file_->close();
  }

 private:
  static constexpr std::size_t kEvents = 3;  ///< first series of events
  static constexpr std::size_t kCount = 12;

  void write_meta(const Document& document) {
    const CoordinateLabels labels = coordinate_labels(motion_);
    file_->write("/meta/coordinates", labels.names);
    file_->write("/meta/units", labels.velocity_units);
    file_->write("/meta/position_units", labels.position_units);
    file_->write("/meta/contacts", motion_.contact_names);
    file_->write("/meta/scene", to_json(document.root));
    file_->write("/meta/law", to_json(to_node(motion_.law), JsonLayout::Line));
    file_->write("/meta/simulation", to_json(motion_.simulation_keys, JsonLayout::Line));
    file_->attribute("/meta", "format", "percute-trajectory/1");
    file_->attribute("/meta", "version", kVersion);
    file_->attribute("/meta", "name", motion_.name);
    file_->attribute("/meta", "method", std::string(kind(motion_.method)));
    file_->attribute("/meta", "status", "incomplete");
  }

  void append_events(const std::vector<simulation::Event>& events) {
    const auto m = static_cast<std::size_t>(motion_.system.contacts());
    std::vector<double> times;
    std::vector<double> dissipated;
    std::vector<std::string> kinds;
    std::vector<std::string> statuses;
    std::vector<std::uint8_t> flags(m * events.size(), 0);
    std::vector<double> impulses(m * events.size(), 0.0);
    for (std::size_t k = 0; k < events.size(); ++k) {
      const simulation::Event& event = events[k];
      times.push_back(event.time);
      dissipated.push_back(event.dissipated);
      kinds.emplace_back(name(event.kind));
      statuses.emplace_back(name(event.status));
      for (std::size_t j = 0; j < event.contacts.size(); ++j) {
        const std::size_t at = m * k + static_cast<std::size_t>(event.contacts[j]);
        flags[at] = 1;
        const auto entry = static_cast<Eigen::Index>(j);
        if (entry < event.impulse.size()) impulses[at] = event.impulse[entry];
      }
    }
    const auto rows = [&events](Vector simulation::Event::* field) {
      std::vector<double> all;
      for (const simulation::Event& event : events) {
        all.insert(all.end(), (event.*field).begin(), (event.*field).end());
      }
      return all;
    };
    series_[3].append(times);
    series_[4].append(kinds);
    series_[5].append(flags);
    series_[6].append(impulses);
    series_[7].append(rows(&simulation::Event::position));
    series_[8].append(rows(&simulation::Event::velocity_before));
    series_[9].append(rows(&simulation::Event::velocity_after));
    series_[10].append(dissipated);
    series_[11].append(statuses);
  }

  const MotionFile& motion_;
  std::unique_ptr<Hdf5File> file_;
  std::vector<Hdf5Series> series_;  ///< last: closed before the file
};

std::unique_ptr<TrajectoryFile::Sink> TrajectoryFile::Sink::hdf5(const std::filesystem::path& path,
                                                                 const MotionFile& motion,
                                                                 const Document& document) {
  return std::make_unique<Hdf5Sink>(path, motion, document);
}

}  // namespace percute::io

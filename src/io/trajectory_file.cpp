// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/hdf5_file.hpp"
#include "io/schema.hpp"
#include "io/text.hpp"
#include "simulation/fixed_steps.hpp"

#include <percute/io/motion_file.hpp>
#include <percute/io/problem_file.hpp>
#include <percute/version.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <optional>

namespace percute::io {

namespace {

constexpr double kEvery = 1.0;                               // s between writes
constexpr std::size_t kMostNumbers = std::size_t{1} << 15U;  // kept in memory
constexpr std::size_t kMostEvents = 256;
constexpr std::uint64_t kSlack = std::uint64_t{1} << 18U;  // for what HDF5 writes besides

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

  /// States, then events.
  std::array<Columns, 2> tables() const { return {states(), events_so_far()}; }
  std::array<std::size_t, 2> sizes() const { return {t.size(), events.size()}; }

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

/// Where rows go: a CSV file for each table, or one of HDF5.
class TrajectoryFile::Files {
 public:
  Files(const std::filesystem::path& path, const MotionFile& motion, const Document& document,
        const Rows& rows)
      : motion_(motion) {
    const std::array<Columns, 2> tables = rows.tables();
    if (is_csv(path)) {
      text_.emplace_back(path).append(csv_header(tables[0]));
      text_.emplace_back(events_path(path)).append(csv_header(tables[1]));
      return;
    }
    hdf5_.emplace(path, true);
    // A file that is too large from the start must not be half made.
    hdf5_->reserve(4 * kSlack);
    write_meta(document, rows);
    for (std::size_t k = 0; k < tables.size(); ++k) {
      for (const Column& column : tables[k]) {
        series_[k].emplace_back(*hdf5_, column, rows.contacts.size());
      }
    }
    hdf5_->flush();
  }

  void append(const Rows& rows) {
    const std::array<Columns, 2> tables = rows.tables();
    if (hdf5_) reserve(rows);
    for (std::size_t k = 0; k < tables.size(); ++k) {
      if (!hdf5_) text_[k].append(csv_rows(tables[k], rows.sizes()[k], rows.contacts));
      for (std::size_t i = 0; i < series_[k].size(); ++i) series_[k][i].append(tables[k][i]);
    }
  }

  /// How many of the states are on disk nevertheless, after append() has failed.
  std::size_t kept() const { return hdf5_ ? 0 : text_.front().lines(); }

  void flush() {
    if (hdf5_) hdf5_->flush();  // texts leave nothing behind
  }

  void close(const simulation::Run& run) {
    for (Lines& text : text_) text.close();
    if (!hdf5_) return;
    const std::string summary = to_json(to_node(run, motion_));
    hdf5_->reserve(kSlack + 2 * summary.size());
    hdf5_->write("/meta/summary", {summary});
    hdf5_->attribute("/meta", "status", name(run.status));
    series_ = {};
    hdf5_->close();
  }

 private:
  void reserve(const Rows& rows) {
    std::uint64_t bytes = kSlack;
    for (std::size_t k = 0; k < series_.size(); ++k) {
      for (const Hdf5Series& series : series_[k]) bytes += series.growth(rows.sizes()[k]);
    }
    hdf5_->reserve(bytes);
  }

  void write_meta(const Document& document, const Rows& rows) {
    hdf5_->write("/meta/coordinates", rows.names);
    hdf5_->write("/meta/units", rows.units);
    hdf5_->write("/meta/position_units", rows.position_units);
    hdf5_->write("/meta/contacts", rows.contacts);
    hdf5_->write("/meta/scene", {to_json(document.root)});
    hdf5_->write("/meta/law", {to_json(to_node(motion_.law), JsonLayout::Line)});
    hdf5_->write("/meta/simulation", {to_json(motion_.simulation_keys, JsonLayout::Line)});
    hdf5_->attribute("/meta", "format", "percute-trajectory/1");
    hdf5_->attribute("/meta", "version", kVersion);
    hdf5_->attribute("/meta", "name", motion_.name);
    hdf5_->attribute("/meta", "method", std::string(kind(motion_.method)));
    hdf5_->attribute("/meta", "status", "incomplete");
  }

  const MotionFile& motion_;
  std::deque<Lines> text_;
  std::optional<Hdf5File> hdf5_;
  std::array<std::vector<Hdf5Series>, 2> series_;  ///< last: closed before the file
};

TrajectoryFile::TrajectoryFile(std::filesystem::path path, const MotionFile& motion,
                               const Document& document)
    : path_(std::move(path)),
      motion_(motion),
      document_(document),
      rows_(std::make_unique<Rows>(motion)),
      written_to_(motion.start.time) {
  const bool csv = is_csv(path_);
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
    if (!files_) files_ = std::make_unique<Files>(path_, motion_, document_, *rows_);
    files_->append(*rows_);
    if (through) files_->flush();
  } catch (const FileError& error) {
    if (!files_) throw;  // it could not be made
    const std::size_t kept = std::min(files_->kept(), rows_->t.size());
    if (kept > 0) written_to_ = rows_->t[kept - 1];
    throw FileError(error.where(), error.field(),
                    fmt::format("{}; it holds the run up to {} s", error.reason(), written_to_));
  }
  if (!rows_->t.empty()) written_to_ = rows_->t.back();
  rows_->clear();
}

void TrajectoryFile::close(const simulation::Run& run) {
  write(true);
  files_->close(run);
  files_.reset();
}

// ------------------------------------------------------------------------- the summary of a run

namespace {

constexpr std::string_view kRunFormat = "percute-run/1";

// What the parts of percute-run/1 hold.

struct EnergyView {
  simulation::EnergyRecord energy = {};
};
void fields(Same<EnergyView> auto& view, auto&& visit) {
  const simulation::EnergyRecord& energy = view.energy;
  // Samples begin with the first impact.
  const auto sampled = [&energy](double value) {
    return energy.samples > 0 ? std::optional(value) : std::nullopt;
  };
  const auto relative = [&energy, sampled](double value) {
    return energy.expected == 0.0 ? std::nullopt : sampled(value / energy.expected);
  };
  visit(Field{"expected", "at the start", {}, "J"}, energy.expected);
  visit(Field{"mean", "from the first impact on", {}, "J"}, sampled(energy.mean));
  visit(Field{"min", "", {}, "J"}, sampled(energy.min));
  visit(Field{"max", "", {}, "J"}, sampled(energy.max));
  visit(Field{"final", "", {}, "J"}, energy.final);
  visit(Field{"d_rel", "(expected - mean) / expected"}, relative(energy.expected - energy.mean));
  visit(Field{"s_rel", "standard deviation / expected"}, relative(energy.deviation));
  visit(Field{"dissipated", "in all events, and by sliding in between", {}, "J"},
        energy.dissipated);
}

/// Small vibrations: null where the system has no elastic forces or is too large.
struct Stability {
  std::optional<double> omega_max = {};
  std::optional<double> step_limit = {};
  std::optional<double> first_bending_hz = {};
};
void fields(Same<Stability> auto& stability, auto&& visit) {
  visit(Field{"omega_max", "largest frequency of small vibrations", {}, "rad/s"},
        stability.omega_max);
  visit(Field{"step_limit", "2 / omega_max", {}, "s"}, stability.step_limit);
  visit(Field{"first_bending_hz", "of a bar", {}, "Hz"}, stability.first_bending_hz);
}

Stability stability(const MotionFile& file) {
  const auto omega = simulation::highest_frequency(file.system, file.start.state.position);
  Stability stability{.first_bending_hz = file.first_bending_hz};
  if (omega && *omega > 0.0) {
    stability.omega_max = omega;
    stability.step_limit = 2.0 / *omega;
  }
  return stability;
}

struct Impact {
  static Node schema() {
    ObjectSchema impact;
    const Node number = typed("number");
    impact.add({"restitution", "of all contacts, or one number each"},
               one_of({number, list_of(number), typed("null")}), true);
    impact.add({"law", "its kind"}, words_schema(law_kinds()), true);
    impact.add({"options", "of the law"}, LawSchema::schema(), true);
    return std::move(impact).node();
  }
};

struct RunView {
  const simulation::Run* run = nullptr;
  const MotionFile* file = nullptr;
};

void fields(Same<RunView> auto& view, auto&& visit) {
  // A schema asks for types alone.
  static const simulation::Run none;
  const simulation::Run& run = view.run != nullptr ? *view.run : none;
  visit(Field{"format", "of this object"}, kRunFormat);
  visit(Field{"status", "how the run ended"}, run.status);
  visit(Field{"reason", "why it is not ok"}.where_known(),
        run.reason.empty() ? std::nullopt : std::optional(run.reason));
  visit(Field{"system", "[system] of the scene, defaults filled in"},
        [&view] { return view.file->system_keys; });
  visit(Field{"impact", "law and restitution"},
        [&view] { return Shaped<Impact>{view.file->impact_keys}; });
  visit(Field{"simulation", "[simulation] of the scene, defaults filled in"},
        [&view] { return Shaped<MethodSchema>{view.file->simulation_keys}; });
  visit(Field{"time", ""}, Part{[&](auto&& part) {
          part(Field{"start", "", {}, "s"}, [&view, &run] {
            return run.end.totals ? run.end.totals->start_time : view.file->start.time;
          });
          part(Field{"end", "", {}, "s"}, run.end.time);
        }});
  visit(Field{"steps", ""}, run.steps);
  visit(Field{"iterations", "Newton or fixed-point passes; adaptive: right-hand sides"},
        run.iterations);
  visit(Field{"wall_time", "of the computation", {}, "s"}, run.wall_time);
  visit(Field{"impacts", "instants at which velocities jumped"}, run.impacts);
  visit(Field{"active_steps", "time stepping: steps with an impulse"}, run.active_steps);
  visit(Field{"contact_phases", "times that contacts began to be held closed"}, run.contact_phases);
  const simulation::Bounce bounce = run.bounce.value_or(simulation::Bounce{});
  const auto cluster = [&bounce](auto of) {
    const bool known = !bounce.clusters.empty();
    return known ? std::optional(of(bounce.clusters.front())) : std::nullopt;
  };
  visit(Field{"contact_clusters", "of the first bounce of a body that vibrates"},
        run.bounce ? std::optional(bounce.clusters.size()) : std::nullopt);
  visit(Field{"first_impact", ""}, Part{[&](auto&& part) {
          part(Field{"time", "", {}, "s"}, run.first_impact_time);
          part(Field{"velocity", "lowest gap rate just before it", {}, "m/s"},
               run.first_impact_velocity);
        }});
  visit(Field{"first_cluster", ""}, Part{[&](auto&& part) {
          part(Field{"impacts", ""}, cluster([](const auto& first) { return first.impacts; }));
          part(Field{"duration", "", {}, "s"},
               cluster([](const auto& first) { return first.end - first.start; }));
        }});
  visit(Field{"last_contact", ""}, Part{[&](auto&& part) {
          part(Field{"time", "its end", {}, "s"}, run.bounce ? bounce.end : run.last_contact);
        }});
  visit(Field{"apparent_restitution", "of the flight after the first bounce"},
        Part{[&](auto&& part) {
          part(Field{"window", "after the last contact", {}, "s"}, [&view] {
            const auto& asked = run_options(view.file->method).bounce;
            return asked ? std::optional(asked->restitution_window) : std::nullopt;
          });
          part(Field{"value", ""}, bounce.apparent_restitution);
        }});
  visit(Field{"energy", ""}, EnergyView{run.energy});
  visit(Field{"stability", "of steps; null without elastic forces, or of a large system"},
        [&view] { return stability(*view.file); });
  visit(Field{"final", "state at the end"}, Part{[&](auto&& part) {
          part(Field{"position", "q"}, run.end.state.position);
          part(Field{"velocity", "v"}, run.end.state.velocity);
        }});
  visit(Field{"warnings", ""}, run.warnings);
}

}  // namespace

Node to_node(const simulation::Run& run, const MotionFile& file) {
  return node_of(RunView{.run = &run, .file = &file});
}

Node run_schema() {
  return schema_of<RunView>(Writer::Percute);
}

}  // namespace percute::io

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "commands.hpp"
#include "io/text.hpp"
#include "output.hpp"
#include "report.hpp"
#include "text_table.hpp"

#include <percute/io/motion_file.hpp>
#include <percute/simulation/run.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <optional>

namespace percute::cli {

namespace {

using simulation::Moment;
using simulation::Run;
using simulation::RunStatus;

constexpr const char* kSimulateFooter = R"(
SCENE names a system, where it starts, a law and a method. A complete scene, in SI units:

    [system]
    kind = "bouncing_ball"
    mass = 1.0                        # kg
    gravity = 9.81                    # m/s²; every scene that moves says what it is

    [material]
    restitution = 0.8

    [start]
    height = 1.0                      # m, of the lowest point
    velocity = 0.0                    # m/s, upwards

    [law]
    kind = "newton"                   # any law of 'percute solve'

    [simulation]
    method = "event_driven_adaptive"  # or event_driven, paoli_schatzman, moreau_jean
    duration = 5.0                    # s; and / or stop_after_quiet, s without contact
    output_interval = 0.01            # s between states in the file; 0: every step

Fixed-step methods take step (s) in place of tolerance. With law.kind = "compliant" and
event_driven_adaptive contacts are springs that move with the bodies, not impacts. Every key is in
docs/howto/simulate.md, scenes to copy are in examples/motion.

-o writes the states and events while the run goes. HDF5 has groups /state (t, q, v), /events (t,
kind, contacts, impulse, v-, v+, dissipated, status) and /meta (names, units, scene, summary); CSV
has run.csv and run.events.csv. What a run has written stays readable if it is killed.

Ctrl-C stops at the next step: the file is closed, the summary says "interrupted". --checkpoint
saves the state of the run, and --restart continues from there with the same bits as a run that was
never stopped; the rest of the trajectory goes to a file of its own.

Examples:
    percute simulate ball.toml
    percute simulate ball.toml -o run.h5
    percute simulate ball.toml -o run.csv --set simulation.output_interval=0.001
    percute simulate ball.toml --law lzb --json                 # percute-run/1
    percute simulate bar.toml --set simulation.method=event_driven_adaptive --unset simulation.step
    percute simulate long.toml -o a.h5 --checkpoint long.ckpt   # and after Ctrl-C
    percute simulate long.toml -o b.h5 --checkpoint long.ckpt --restart long.ckpt

Exit status: 0 the run reached its end; 1 it did not (unstable, not_converged, not_terminated,
interrupted; the output says how far it got); 2 bad input, or a file that cannot be written, with
one message on stderr.)";

struct SimulateOptions : FileCommand {
  std::string checkpoint = {};
  std::string restart = {};
  double checkpoint_every = 60.0;  ///< s
};

/// Whether energy at the end and what contacts took must add up to that at the start: what friction
/// takes of contacts that stay is not counted, nor the work of a base that moves.
bool adds_up(const io::MotionFile& file) {
  if (!file.system.conservative()) return false;
  for (int i = 0; i < file.system.contacts(); ++i) {
    if (friction_acts(file.system.contact(i, file.start.state.position))) return false;
  }
  return true;
}

// ------------------------------------------------------------------------------------ the report

constexpr double kRounding = 1e-9;  // parts of the energy that mean nothing
constexpr double kNothing = 1e-30;  // and that are none at all
std::string seconds(double time) {
  return fmt::format("{:.10g} s", time);
}

std::string line(const char* heading, const std::string& text) {
  return fmt::format("  {:<10}{}\n", heading, text);
}

std::string title(const io::MotionFile& file) {
  return fmt::format("{} · {} · {} · {} · {}\n\n", io::printable(file.name, 200),
                     counted(file.bodies.size(), "body", "bodies"),
                     counted(file.system.contacts(), "contact"), io::title(file.method),
                     file.law.title());
}

std::string motion_lines(const Run& run) {
  const double start = run.end.totals ? run.end.totals->start_time : 0.0;
  std::string out =
      line("time",
           fmt::format(
               "{} to {}, {}{}", seconds(start), seconds(run.end.time), counted(run.steps, "step"),
               run.wall_time < 0.001 ? std::string() : fmt::format(" in {:.3g} s", run.wall_time)));
  std::string contacts = counted(run.impacts, "impact");
  if (run.active_steps > 0) contacts += ", " + counted(run.active_steps, "active step");
  if (run.contact_phases > 0) {
    contacts += fmt::format(", {} of lasting contact", counted(run.contact_phases, "phase"));
  }
  out += line("contacts", contacts);
  if (run.first_impact_time) {
    out += line("", fmt::format("first at {}, approach {:.6g} m/s", seconds(*run.first_impact_time),
                                std::abs(run.first_impact_velocity.value_or(0.0))));
  }
  if (run.last_contact && run.last_contact != run.first_impact_time) {
    out += line("", fmt::format("last until {}", seconds(*run.last_contact)));
  }
  if (run.bounce && run.bounce->apparent_restitution) {
    out += line("rebound", fmt::format("apparent restitution {:.6g}, after {} until {}",
                                       *run.bounce->apparent_restitution,
                                       counted(run.bounce->clusters.size(), "cluster of contacts",
                                               "clusters of contacts"),
                                       seconds(run.bounce->end.value_or(0.0))));
  }
  return out;
}

/// Energy at both ends, what contacts took, and what nothing accounts for.
std::string energy_line(const io::MotionFile& file, const Run& run) {
  const auto& energy = run.energy;
  const double scale = std::max(std::abs(energy.expected), std::abs(energy.final));
  const bool none_left = std::abs(energy.final) < kNothing * scale;
  std::string text =
      fmt::format("{:.9g} J → {:.9g} J", energy.expected, none_left ? 0.0 : energy.final);
  if (std::abs(energy.dissipated) > kRounding * scale) {
    text += fmt::format(", lost in contacts {:.6g} J", energy.dissipated);
  }
  // What sliding takes between events is in the record of this method alone.
  const bool all_counted =
      file.system.conservative() && std::holds_alternative<simulation::EventDriven>(file.method);
  if (adds_up(file) || all_counted) {
    const double drift = energy.final + energy.dissipated - energy.expected;
    text += fmt::format(", drift {:.1e}", scale > 0.0 ? drift / scale : drift);
  }
  return line("energy", text);
}

/// What rounding leaves of a coordinate or velocity that is 0.
double shown(double value) {
  return std::abs(value) < 1e-20 ? 0.0 : value;
}

/// Where everything ended; where units differ each number is on the scale of those with its own.
std::string end_table(const io::MotionFile& file, const Run& run) {
  std::vector<Coordinate> rows = coordinates_of(file.bodies);
  for (Coordinate& row : rows) {
    if (row.unit.ends_with("/s")) row.unit.resize(row.unit.size() - 2);
  }
  const std::optional<std::string> unit = common_unit(rows);
  TextTable table;
  table.text("body", rows, &Coordinate::name);
  const auto add = [&](const char* heading, const char* rate, const Vector& all) {
    const auto value = [&all](const Coordinate& row) { return shown(all[row.index]); };
    if (unit) {
      table.numbers(fmt::format("{} [{}{}]", heading, *unit, rate), rows, value, true);
      return;
    }
    table.right(heading, rows, [&](const Coordinate& row) {
      double scale = 0.0;
      for (const Coordinate& other : rows) {
        if (other.unit == row.unit) scale = std::max(scale, std::abs(value(other)));
      }
      return number_text(value(row), scale, true);
    });
  };
  add("position", "", run.end.state.position);
  add("velocity", "/s", run.end.state.velocity);
  if (!unit) {
    table.text("unit", rows,
               [](const Coordinate& row) { return fmt::format("{0}, {0}/s", row.unit); });
  }
  return indented(table);
}

std::string status_line(const Run& run) {
  if (run.status == RunStatus::Ok) return "";
  std::string text = simulation::name(run.status);
  if (!run.reason.empty()) text += ": " + io::printable(run.reason, 300);
  return line("status", text);
}

/// One run for people: what moved and how, contacts, energy, where everything ended.
std::string run_report(const io::MotionFile& file, const Run& run) {
  std::string out = title(file) + motion_lines(run) + energy_line(file, run) + status_line(run);
  for (const std::string& warning : run.warnings) {
    out += line("warning", io::printable(warning, 300));
  }
  return out + "\n" + end_table(file, run);
}

// ---------------------------------------------------------------------------------- the progress

/// How far a run has got, on stderr: simulated time, events per second, energy drift.
class RunProgress {
 public:
  /// The reference is kept.
  RunProgress(const io::MotionFile& file, bool wanted)
      : file_(file),
        adds_up_(adds_up(file)),
        solver_(file.system.solver()),
        progress_("simulating " + io::printable(file.name), wanted) {}

  /// A part of the run that begins, from where another one ended or from the start.
  void start(const simulation::Moment& from) {
    if (from.totals) {
      expected_ = from.totals->record.energy.expected;
      dissipated_ = from.totals->record.energy.dissipated;
      events_ = from.totals->events;
    } else {
      expected_ = energy(from.state.position, from.state.velocity);
    }
    events_shown_ = events_;
  }

  void event(const simulation::Event& event) {
    dissipated_ += event.dissipated;
    ++events_;
  }

  /// now: s, of any clock
  void step(double now, double time, const Vector& q, const Vector& v) {
    constexpr double kEvery = 0.5;  // s between texts
    if (!progress_.shows() || now < last_ + kEvery) return;
    const auto duration = io::run_options(file_.method).duration;
    std::string text = fmt::format("t = {:.6g} s", time);
    if (duration) text += fmt::format(" of {:.6g} s", file_.start.time + *duration);
    const double rate = static_cast<double>(events_ - events_shown_) / (now - last_);
    text += fmt::format(", {} events, {:.0f}/s", events_, rate);
    if (adds_up_ && expected_ != 0.0) {
      text += fmt::format(", energy drift {:.1e}",
                          (energy(q, v) + dissipated_ - expected_) / std::abs(expected_));
    }
    progress_.say(text);
    last_ = now;
    events_shown_ = events_;
  }

 private:
  double energy(const Vector& q, const Vector& v) const {
    return solver_->kinetic_energy(q, v) + file_.system.potential_energy(q);
  }

  const io::MotionFile& file_;
  bool adds_up_;
  std::unique_ptr<systems::MassSolver> solver_;
  double expected_ = 0.0;
  double dissipated_ = 0.0;
  std::int64_t events_ = 0;
  std::int64_t events_shown_ = 0;
  double last_ = 0.0;  ///< when a text was last made
  Progress progress_;
};

// --------------------------------------------------------------------------------------- the run

/// A number of seconds above 0; the reason why it is none.
std::string check_seconds(const std::string& text) {
  double seconds = 0.0;
  const bool good =
      CLI::detail::lexical_cast(text, seconds) && std::isfinite(seconds) && seconds > 0.0;
  return good ? "" : fmt::format("must be a number of seconds above 0, got '{}'", text);
}

/// The same file, however it is written.
std::string absolute(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::weakly_canonical(path, ignored).string();
}

/// One run with everything around it: its file, its checkpoints, what a terminal shows.
class Simulation {
 public:
  Simulation(const io::MotionFile& motion, const io::Document& document,
             const SimulateOptions& options)
      : motion_(motion),
        document_(document),
        options_(options),
        progress_(std::in_place, motion, !options.quiet) {
    check_names(options);
    if (!options.checkpoint.empty()) io::check_writable(options.checkpoint, true);
    if (!options.restart.empty()) restart();
    if (!options.output.empty()) file_.emplace(options.output, motion, document);
  }

  Run run() {
    next_checkpoint_ = io::seconds_now() + options_.checkpoint_every;
    if (progress_) progress_->start(from_);
    simulation::Care care{.observer = observer()};
    if (!options_.checkpoint.empty()) {
      care.due = [this] { return now_ >= next_checkpoint_; };
      care.keep = [this](const Run& part) { keep(part); };
    }
    Run ended = simulation::run_in_parts(
        [this](const Moment& from, const simulation::Observer& observer) {
          return io::simulate(motion_, document_, from, observer);
        },
        from_, care);
    progress_.reset();
    if (StopSignal::wanted() && ended.status == RunStatus::Interrupted) {
      ended.reason = "stopped by a signal";
    }
    if (file_) file_->close(ended);
    return ended;
  }

  const std::optional<io::TrajectoryFile>& file() const { return file_; }

  /// Whether a run that ended so had got there before its restart.
  bool was_over(const Run& run) const {
    return !options_.restart.empty() && run.status == RunStatus::Ok && run.end.time == from_.time;
  }

 private:
  /// No file is written over another one of the same run.
  static void check_names(const SimulateOptions& options) {
    const std::string& output = options.output;
    const std::string events = output.empty() ? "" : io::events_path(output).string();
    const auto check = [](const std::string& option, const std::string& path,
                          const std::vector<std::string>& others) {
      for (const std::string& other : others) {
        if (path.empty() || other.empty() || absolute(path) != absolute(other)) continue;
        throw io::FileError(option, "",
                            "would be written over " + other + "; give it another name");
      }
    };
    check("--checkpoint " + options.checkpoint, options.checkpoint, {options.file, output, events});
    check("-o " + output, output, {options.file, options.restart});
    check("-o " + output, events, {options.file, options.restart});
  }

  void restart() {
    io::Checkpoint checkpoint = io::read_checkpoint(options_.restart, motion_, document_);
    from_ = std::move(checkpoint.moment);
    if (!options_.output.empty() && absolute(options_.output) == checkpoint.trajectory) {
      throw io::FileError(options_.output, "",
                          "holds the first part of this run; give -o another name for the rest");
    }
  }

  simulation::Observer observer() {
    simulation::Observer observer;
    if (file_) {
      observer.state = [this](double time, const Vector& q, const Vector& v) {
        file_->state(time, q, v);
        return true;
      };
    }
    observer.event = [this](const simulation::Event& event) {
      progress_->event(event);
      if (file_) file_->event(event);
      return true;
    };
    observer.step = [this](double time, const Vector& q, const Vector& v) {
      now_ = io::seconds_now();
      progress_->step(now_, time, q, v);
      return !StopSignal::wanted();
    };
    return observer;
  }

  void keep(const Run& part) {
    const std::string output = options_.output.empty() ? "" : absolute(options_.output);
    io::write_checkpoint(
        options_.checkpoint,
        {.moment = part.end, .trajectory = output, .status = part.status, .reason = part.reason},
        motion_, document_);
    next_checkpoint_ = io::seconds_now() + options_.checkpoint_every;
    if (progress_) progress_->start(part.end);
  }

  const io::MotionFile& motion_;
  const io::Document& document_;
  const SimulateOptions& options_;
  StopSignal signals_;  ///< before the file, so that it is still there when the file is closed
  std::optional<RunProgress> progress_;
  Moment from_ = motion_.start;
  std::optional<io::TrajectoryFile> file_;
  double now_ = 0.0;  ///< s, at the last step
  double next_checkpoint_ = 0.0;
};

ExitCode simulate(const SimulateOptions& given) {
  SimulateOptions options = given;
  const bool drawn = !options.figure.empty();
  if (drawn) check_figure(options.figure);
  const io::Document document = options.read();
  const io::MotionFile motion = io::read_motion(document);
  // What is drawn has to be in a file, if only for as long as that takes.
  std::optional<TemporaryFile> data;
  if (drawn && options.output.empty()) options.output = data.emplace(".h5").path();
  Simulation simulation(motion, document, options);
  const Run run = simulation.run();
  const auto text = [&] {
    std::string out = run_report(motion, run);
    if (simulation.was_over(run)) {
      out +=
          fmt::format("\n  restart   {} is at the end of this run: there was nothing left to do\n",
                      io::printable(options.restart, 200));
    }
    if (run.status == RunStatus::Interrupted && !options.checkpoint.empty()) {
      out += fmt::format("\n  kept      in {0}; --restart {0} continues from here\n",
                         io::printable(options.checkpoint, 200));
    }
    if (const auto& file = simulation.file(); file && !data) {
      out += fmt::format("\n  file      {} states and {} events in {}\n", file->states(),
                         file->events(), io::printable(options.output, 200));
    }
    return out;
  };
  options.answer("", [&] { return io::to_node(run, motion); }, text);
  const ExitCode code = run.status == RunStatus::Ok ? ExitCode::Accepted : ExitCode::NotAccepted;
  if (!drawn) return code;
  return std::max(code, draw_figure(options.output, options.figure));
}

}  // namespace

void add_simulate(CLI::App& app, ExitCode& code) {
  add_command<SimulateOptions>(
      app, code, "simulate",
      "Move a system in time: smooth motion, impacts by any law, contacts that stay.",
      kSimulateFooter, simulate, [](CLI::App& command, SimulateOptions& options) {
        add_file(command, options, "SCENE", "scene, .toml or .json; - is standard input");
        add_law(command, options);
        add_changes(command, options, "simulation.duration=2", "simulation.tolerance");
        add_value(command, "-o,--output", options.output,
                  "write states and events to FILE: .h5, .hdf5 or .csv", "FILE")
            .check(not_empty);
        CLI::Option& checkpoint = add_value(
            command, "--checkpoint", options.checkpoint,
            "save the state of the run in FILE: at its end, on Ctrl-C and from time to time",
            "FILE");
        checkpoint.check(not_empty);
        add_value(command, "--checkpoint-every", options.checkpoint_every,
                  "seconds between checkpoints (60)", "S")
            .check(check_seconds)
            ->needs(&checkpoint);
        add_value(command, "--restart", options.restart,
                  "continue from a checkpoint of the same scene", "FILE")
            .check(not_empty);
        add_figure(command, options);
        add_printing(command, options, "the summary (percute-run/1)");
      });
}

}  // namespace percute::cli

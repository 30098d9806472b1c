// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "commands.hpp"
#include "io/printable.hpp"
#include "output.hpp"
#include "overrides.hpp"
#include "run_progress.hpp"
#include "run_report.hpp"
#include "stop_signal.hpp"

#include <percute/io/checkpoint_file.hpp>
#include <percute/io/trajectory_file.hpp>
#include <percute/simulation/run.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>

namespace percute::cli {

namespace {

using simulation::Moment;
using simulation::Run;
using simulation::RunStatus;

constexpr const char* kSimulateDescription =
    "Move a system in time: smooth motion, impacts by any law, contacts that stay.";

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

struct SimulateOptions {
  std::string file = {};
  Overrides overrides = {};
  std::string output = {};
  std::string checkpoint = {};
  std::string restart = {};
  double checkpoint_every = 60.0;  ///< s
  bool json = false;
  bool quiet = false;
};

/// A number of seconds above 0; the reason why it is none.
std::string check_seconds(const std::string& text) {
  double seconds = 0.0;
  const bool good =
      CLI::detail::lexical_cast(text, seconds) && std::isfinite(seconds) && seconds > 0.0;
  return good ? ""
              : fmt::format("must be a number of seconds above 0, got '{}'", io::printable(text));
}

/// What a script makes of a variable that is not set.
std::string check_name(const std::string& name) {
  return name.empty() ? "must be the name of a file, got ''" : "";
}

double seconds_now() {
  using std::chrono::steady_clock;
  return std::chrono::duration<double>(steady_clock::now().time_since_epoch()).count();
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
      : motion_(motion), document_(document), options_(options), progress_(motion, !options.quiet) {
    check_names(options);
    if (!options.checkpoint.empty()) io::check_replaceable(options.checkpoint);
    if (!options.restart.empty()) restart();
    if (!options.output.empty()) file_.emplace(options.output, motion, document);
  }

  Run run() {
    next_checkpoint_ = seconds_now() + options_.checkpoint_every;
    progress_.start(from_);
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
    progress_.clear();
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
    const auto same = [](const std::string& a, const std::string& b) {
      return !a.empty() && !b.empty() && absolute(a) == absolute(b);
    };
    std::filesystem::path events = options.output;
    events.replace_extension(".events.csv");
    for (const std::string& other :
         {options.file, options.output, options.output.empty() ? "" : events.string()}) {
      if (same(options.checkpoint, other)) {
        throw io::FileError("--checkpoint " + options.checkpoint, "",
                            "would be written over " + other + "; give it another name");
      }
    }
    for (const std::string& other : {options.file, options.restart}) {
      if (same(options.output, other) ||
          (!options.output.empty() && same(events.string(), other))) {
        throw io::FileError("-o " + options.output, "",
                            "would be written over " + other + "; give it another name");
      }
    }
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
      progress_.event(event);
      if (file_) file_->event(event);
      return true;
    };
    observer.step = [this](double time, const Vector& q, const Vector& v) {
      now_ = seconds_now();
      progress_.step(now_, time, q, v);
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
    next_checkpoint_ = seconds_now() + options_.checkpoint_every;
    progress_.start(part.end);
  }

  const io::MotionFile& motion_;
  const io::Document& document_;
  const SimulateOptions& options_;
  StopSignal signals_;  ///< before the file, so that it is still there when the file is closed
  RunProgress progress_;
  Moment from_ = motion_.start;
  std::optional<io::TrajectoryFile> file_;
  double now_ = 0.0;  ///< s, at the last step
  double next_checkpoint_ = 0.0;
};

ExitCode simulate(const SimulateOptions& options) {
  const io::Document document = options.overrides.read(options.file);
  const io::MotionFile motion = io::read_motion(document);
  Simulation simulation(motion, document, options);
  const Run run = simulation.run();
  if (options.json) {
    Output().write(io::to_json(io::to_node(run, motion)) + "\n");
  } else if (!options.quiet) {
    std::string text = report(motion, run);
    if (simulation.was_over(run)) {
      text +=
          fmt::format("\n  restart   {} is at the end of this run: there was nothing left to do\n",
                      io::printable(options.restart, 200));
    }
    if (run.status == RunStatus::Interrupted && !options.checkpoint.empty()) {
      text += fmt::format("\n  kept      in {0}; --restart {0} continues from here\n",
                          io::printable(options.checkpoint, 200));
    }
    if (const auto& file = simulation.file()) {
      text += fmt::format("\n  file      {} states and {} events in {}\n", file->states(),
                          file->events(), io::printable(options.output, 200));
    }
    Output().write(text);
  }
  return run.status == RunStatus::Ok ? ExitCode::Accepted : ExitCode::NotAccepted;
}

}  // namespace

void add_simulate(CLI::App& app, ExitCode& code) {
  const auto options = std::make_shared<SimulateOptions>();
  CLI::App* command = app.add_subcommand("simulate", kSimulateDescription);
  command->footer(kSimulateFooter);
  command->add_option("SCENE", options->file, "scene, .toml or .json; - is standard input")
      ->type_name("")
      ->required();
  command->add_option("--law", options->overrides.law, "use this law instead of the file's")
      ->type_name("KIND");
  add_override_options(*command, options->overrides, "simulation.duration=2",
                       "simulation.tolerance");
  command
      ->add_option("-o,--output", options->output,
                   "write states and events to FILE: .h5, .hdf5 or .csv")
      ->type_name("FILE")
      ->check(check_name);
  CLI::Option* checkpoint =
      command
          ->add_option(
              "--checkpoint", options->checkpoint,
              "save the state of the run in FILE: at its end, on Ctrl-C and from time to time")
          ->type_name("FILE")
          ->check(check_name);
  command
      ->add_option("--checkpoint-every", options->checkpoint_every,
                   "seconds between checkpoints (60)")
      ->type_name("S")
      ->check(check_seconds)
      ->needs(checkpoint);
  command->add_option("--restart", options->restart, "continue from a checkpoint of the same scene")
      ->type_name("FILE")
      ->check(check_name);
  command->add_flag("--json", options->json, "print the summary as JSON (percute-run/1)");
  command->add_flag("--quiet", options->quiet, "print no report and no progress");
  add_table_option(*command);
  command->callback([options, &code] { code = simulate(*options); });
}

}  // namespace percute::cli

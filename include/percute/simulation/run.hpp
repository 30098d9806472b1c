// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/model/fields.hpp>
#include <percute/simulation/event.hpp>
#include <percute/simulation/moment.hpp>
#include <percute/simulation/record.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace percute::simulation {

enum class RunStatus {
  Ok,             ///< reached its end
  Unstable,       ///< the motion blew up: the step is too long
  NotConverged,   ///< an equation of a step, or an impact, could not be solved
  NotTerminated,  ///< a limit on events or steps was reached
  Interrupted,    ///< an observer asked to stop
};

/// Name in files: "ok", "unstable", "not_converged", "not_terminated", "interrupted".
const char* name(RunStatus status);

/// A speed below which a rebound is none: in m/s, or, if none is given, kPart of the fastest
/// approach that the run has met so far, which is the same motion in any units.
class MicroBounceVelocity {
 public:
  static constexpr double kPart = 1e-5;

  constexpr MicroBounceVelocity() = default;
  constexpr MicroBounceVelocity(double speed)  // NOLINT(google-explicit-constructor): it is a speed
      : given_(speed) {}
  constexpr MicroBounceVelocity(std::optional<double> speed)  // NOLINT(google-explicit-constructor)
      : given_(speed) {}
  constexpr const std::optional<double>& given() const { return given_; }
  constexpr double where_fastest_is(double approach) const {
    return given_.value_or(kPart * approach);
  }

 private:
  std::optional<double> given_ = {};
};

/// What is asked about the first bounce of a body with one contact: see Bounce.
struct BounceOptions {
  double restitution_window = 2.5e-3;
  double cluster_gap = 5e-5;
};

/// What all methods are asked: how long to go, and what to measure on the way.
struct RunOptions {
  std::optional<double> duration = {};
  std::optional<double> stop_after_quiet = {};
  double output_interval = 0.0;
  std::optional<BounceOptions> bounce = {};  ///< one contact only
  MicroBounceVelocity micro_bounce_velocity = {};
  std::int64_t max_events = 100000;
  bool resume = false;  ///< the start is where a part of this run ended: its books (Moment::books)
                        ///< are carried on, and times count from where the first part began
};

template <Same<RunOptions> Options>
void fields(Options& run, auto&& visit) {
  visit(Field{"duration", "from the start; this or the next, or both", Range::positive(), "s"},
        run.duration);
  visit(Field{"stop_after_quiet",
              "without contact after the last one: then stop; at the latest after 1e6 of them",
              Range::positive(), "s"},
        run.stop_after_quiet);
  visit(Field{"output_interval", "between the states told to the observer; 0: every step",
              Range::not_negative(), "s"},
        run.output_interval);
  std::optional<double> speed = run.micro_bounce_velocity.given();
  visit(Field{"micro_bounce_velocity",
              "slower rebounds onto a contact that would close again are contact that stays",
              Range::not_negative(), "m/s"},
        speed);
  std::optional<double> window;
  std::optional<double> gap;
  if (run.bounce) {
    window = run.bounce->restitution_window;
    gap = run.bounce->cluster_gap;
  }
  visit(Field{"restitution_window", "after the last contact: apparent restitution",
              Range::positive(), "s"},
        window);
  visit(Field{"cluster_gap", "contacts closer than this belong to one cluster",
              Range::not_negative(), "s"},
        gap);
  visit(
      Field{"max_events",
            "of any kind, time stepping: impacts; then the run ends, all that happens at the same "
            "instant included",
            Range::count()},
      run.max_events);
  if constexpr (!std::is_const_v<Options>) {
    const BounceOptions usual;
    run.micro_bounce_velocity = speed;
    if (window || gap) {
      run.bounce = {window.value_or(usual.restitution_window), gap.value_or(usual.cluster_gap)};
    }
  }
}

/// Throws InvalidInput, naming the field, unless the options make sense.
void validate(const RunOptions& options);

/// What a run tells while it goes; any may be empty. One that returns false ends the run, and all
/// it was told stays true.
struct Observer {
  /// A state to keep: at every step, or every output_interval.
  std::function<bool(double time, const Vector& q, const Vector& v)> state = {};
  std::function<bool(const Event& event)> event = {};
  /// Every step, whatever the output_interval.
  std::function<bool(double time, const Vector& q, const Vector& v)> step = {};
};

/// What came out of a run.
struct Run : RunRecord {
  Moment end;  ///< where another run can go on
  RunStatus status = RunStatus::Ok;
  std::string reason = {};  ///< why it is not Ok
};

}  // namespace percute::simulation

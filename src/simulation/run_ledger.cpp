// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "simulation/run_ledger.hpp"

#include "model/text.hpp"
#include "numerics/bracketed_root.hpp"
#include "simulation/moment_checks.hpp"

#include <percute/model/invalid_input.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <utility>

namespace percute::simulation {

namespace {

constexpr double kMostOutputs = 1e9;
constexpr double kMostQuiet = 1e6;  ///< of stop_after_quiet

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Throws if bodies overlap at a start; a method that goes on may have left them so.
void refuse_overlap(const AnySystem& system, const Vector& q) {
  Vector gaps(system.contacts());
  system.gaps(q, gaps);
  const double overlap = kTenDigits * scene_length(system, q);
  for (Eigen::Index i = 0; i < gaps.size(); ++i) {
    if (gaps[i] >= -overlap) continue;
    throw InvalidInput("start.position", "contact " + names_of({static_cast<int>(i)}, system) +
                                             " has gap " + text(gaps[i]) +
                                             " m: bodies must not overlap at the start");
  }
}

}  // namespace

void validate(const RunOptions& options) {
  require_ranges("simulation", options);
  if (!options.duration && !options.stop_after_quiet) {
    throw InvalidInput("simulation.duration",
                       "is missing: give duration, stop_after_quiet or both");
  }
  const double interval = options.output_interval;
  if (options.duration && interval > 0.0 && *options.duration > kMostOutputs * interval) {
    throw InvalidInput("simulation.output_interval",
                       text(interval) + " gives more than 1e9 states in the duration");
  }
}

RunLedger::RunLedger(const AnySystem& system, const RunOptions& options, const Observer& observer,
                     const Moment& start)
    : system_(system),
      options_(options),
      observer_(observer),
      solver_(system.solver()),
      next_output_(kNever),
      known_(options.resume && start.totals.has_value()),
      last_{.time = start.time, .q = start.state.position, .v = start.state.velocity},
      work_{.q = Vector(system.coordinates()), .v = Vector(system.coordinates())},
      inside_(work_),
      wall_start_(seconds_now()) {
  validate(options);
  validate(start, system);
  const bool begins = std::holds_alternative<std::monostate>(start.memory) && start.step == 0.0 &&
                      start.held.empty() && !start.totals;
  if (begins) refuse_overlap(system, last_.q);
  if (known_) {
    totals_ = *start.totals;
  } else {
    totals_.start_time = start.time;
    EnergyRecord& energy = counts().energy;
    energy.expected = energy_of(last_.q, last_.v);
    energy.final = energy.expected;
    energy.min = kNever;
    energy.max = -kNever;
  }
  if (options_.bounce && !counts().bounce) counts().bounce.emplace();
  if (options_.bounce && system.contacts() != 1) {
    throw InvalidInput("simulation",
                       "the first bounce, with restitution_window and cluster_gap, "
                       "is measured where there is one contact; here are " +
                           std::to_string(system.contacts()));
  }
  if (options.output_interval > 0.0 && observer.state) next_output_ = output_time();
}

/// Energy of the last state told, from the first impact on.
void RunLedger::sample_energy() {
  EnergyRecord& energy = counts().energy;
  energy.final = energy_of(last_.q, last_.v);
  step_sampled_ = counts().first_impact_time.has_value();
  if (!step_sampled_) return;
  // Deviations: sums of the energy itself would lose the digits asked for.
  const double deviation = energy.final - energy.expected;
  totals_.energy_sum += deviation;
  totals_.energy_squares += deviation * deviation;
  energy.min = std::min(energy.min, energy.final);
  energy.max = std::max(energy.max, energy.final);
  ++energy.samples;
}

bool RunLedger::step(double time, const Vector& q, const Vector& v, bool outputs_told) {
  if (is_repeated(time)) return !stop_;
  work_.time = time;
  work_.q = q;
  work_.v = v;
  if (observer_.state && !(options_.output_interval > 0.0)) {
    if (!observer_.state(time, q, v)) stop_ = true;
  } else if (observer_.state && !outputs_told) {
    interpolate_outputs(work_);
  }
  if (auto& bounce = counts().bounce; bounce && options_.bounce) {
    measure_bounce(*bounce, options_.bounce->restitution_window, work_);
  }
  std::swap(last_, work_);
  sample_energy();
  if (observer_.step && !observer_.step(time, q, v)) stop_ = true;
  return !stop_;
}

/// By cubics through the states at both ends.
void RunLedger::interpolate_outputs(const MotionState& to) {
  const double h = to.time - last_.time;
  outputs(to.time, [&](double asked) {
    if (!(h > 0.0)) {
      output(asked, to.q, to.v);
      return;
    }
    for (Eigen::Index i = 0; i < to.q.size(); ++i) {
      const numerics::Cubic cubic{h, last_.q[i], to.q[i], last_.v[i], to.v[i]};
      inside_.q[i] = cubic(asked - last_.time);
      inside_.v[i] = cubic.slope(asked - last_.time);
    }
    output(asked, inside_.q, inside_.v);
  });
}

void RunLedger::count_impact(double time, double rate) {
  if (!counts().first_impact_time) {
    counts().first_impact_time = time;
    counts().first_impact_velocity = rate;
  }
  ++counts().impacts;
  if (auto& bounce = counts().bounce; bounce && options_.bounce && !bounce->clusters.empty()) {
    ++bounce->clusters.back().impacts;
  }
}

bool RunLedger::event(const Event& event) {
  ++totals_.events;
  known_ = false;
  const bool impact = event.kind == EventKind::Impact;
  const bool active = event.kind == EventKind::ActiveStep;
  const bool begins =
      event.kind == EventKind::ContactBegins || event.kind == EventKind::Accumulation;
  if ((impact || active) && !event.contacts.empty()) {
    const double rate = lowest_rate(event);
    totals_.fastest_approach = std::max(totals_.fastest_approach, -rate);
    if (impact && !counts().first_impact_time) {
      counts().first_impact_time = event.time;
      counts().first_impact_velocity = rate;
    }
  }
  EnergyRecord& energy = counts().energy;
  energy.dissipated += event.dissipated;
  if (impact) ++counts().impacts;
  if (active) ++counts().active_steps;
  if (begins) ++counts().contact_phases;
  // A step that ended at an impact: one instant is one sample, the state after the impact.
  if (impact && step_sampled_ && event.time == last_.time) {
    const double deviation = energy.final - energy.expected;
    totals_.energy_sum -= deviation;
    totals_.energy_squares -= deviation * deviation;
    --energy.samples;
  }
  last_.time = event.time;
  last_.q = event.position;
  last_.v = event.velocity_after;
  if (impact || active || begins || event.kind == EventKind::ContactEnds) {
    touch(event.time, event.time, impact ? 1 : 0);
  }
  // Time stepping has its samples at steps: positions and velocities of the same instant.
  if (impact) sample_energy();
  step_sampled_ = false;
  if (observer_.event && !observer_.event(event)) stop_ = true;
  return !stop_;
}

double RunLedger::end_time() const {
  double end = options_.duration ? totals_.start_time + *options_.duration : kNever;
  if (!options_.stop_after_quiet) return end;
  const double quiet = *options_.stop_after_quiet;
  const auto& last = totals_.record.last_contact;
  if (last) end = std::min(end, *last + quiet);
  // What never touches, or never lets go, is not waited for without end.
  if (!options_.duration) end = std::min(end, totals_.start_time + kMostQuiet * quiet);
  return end;
}

Run RunLedger::finish(Moment end, RunStatus status, std::string reason, std::string warning) {
  if (status == RunStatus::Ok && !stop_ && !options_.duration && options_.stop_after_quiet &&
      end.time >= totals_.start_time + kMostQuiet * *options_.stop_after_quiet) {
    status = RunStatus::NotTerminated;
    reason = "contacts neither begin nor end; stop_after_quiet was waited for a million times over";
  }
  EnergyRecord& energy = counts().energy;
  if (energy.samples > 0) {
    const auto count = static_cast<double>(energy.samples);
    const double mean = totals_.energy_sum / count;
    energy.mean = energy.expected + mean;
    energy.deviation = std::sqrt(std::max(0.0, totals_.energy_squares / count - mean * mean));
  }
  counts().wall_time += seconds_now() - wall_start_;
  Run run;
  static_cast<RunRecord&>(run) = counts();
  if (!warning.empty()) run.warnings.push_back(std::move(warning));
  run.end = std::move(end);
  run.end.totals = std::move(totals_);
  run.status = stop_ ? RunStatus::Interrupted : status;
  run.reason = std::move(reason);
  return run;
}

// ------------------------------------------------------------------------------- the first bounce
//
// Of a body on its only contact (Paoli & Schatzman 2007, section 5): clusters of its contacts up to
// the first long flight, and the apparent restitution of that flight.

void RunLedger::touch_bounce(Bounce& bounce, double cluster_gap, double from, double to,
                             int impacts) const {
  constexpr double kLongFlight = 2.5e-3;  // s without contact that end the bounce
  if (bounce.end && from - *bounce.end > kLongFlight) return;
  auto& clusters = bounce.clusters;
  if (clusters.empty() || from - clusters.back().end >= cluster_gap) {
    clusters.push_back({.start = from, .end = to, .impacts = 0});
  }
  clusters.back().end = std::max(clusters.back().end, to);
  clusters.back().impacts += impacts;
  bounce.end = to;
  bounce.gap = only_gap(last_.q);
  bounce.measured = false;
  bounce.apparent_restitution.reset();
}

// Mean speed away from the floor in the window after the last contact, over the speed of arrival.
void RunLedger::measure_bounce(Bounce& bounce, double window, const MotionState& to) const {
  // A step this long, of the window, that begins before the rebound tells nothing about the flight;
  // below 1, or rounding would decide where they are equal.
  constexpr double kAsLong = 0.999;
  if (bounce.measured || !bounce.end) return;
  const double at = *bounce.end + window;
  if (to.time < at) return;
  bounce.measured = true;
  const double arrival = std::abs(totals_.record.first_impact_velocity.value_or(0.0));
  const double h = to.time - last_.time;
  const double before = only_gap_rate(last_);
  const bool falls = last_.time <= *bounce.end && before < 0.0;
  if (!(arrival > 0.0) || (falls && h >= kAsLong * window)) return;
  const double then = h > 0.0 ? numerics::Cubic{h, only_gap(last_.q), only_gap(to.q), before,
                                                only_gap_rate(to)}(at - last_.time)
                              : only_gap(to.q);
  bounce.apparent_restitution = (then - bounce.gap) / (window * arrival);
}

// ---------------------------------------------------------------------------------------- parts

Run run_in_parts(const std::function<Run(const Moment& from, const Observer& observer)>& move,
                 Moment from, const Care& care) {
  std::exception_ptr failure;  // the first one is the one to tell
  bool due = false;
  bool stopped = false;
  const auto guarded = [&](const auto& action) {
    try {
      if (action()) return true;
    } catch (...) {
      if (!failure) failure = std::current_exception();
    }
    stopped = true;
    return false;
  };
  Observer observer;
  if (const auto& state = care.observer.state) {
    observer.state = [&](double time, const Vector& q, const Vector& v) {
      return guarded([&] { return state(time, q, v); });
    };
  }
  if (const auto& event = care.observer.event) {
    observer.event = [&](const Event& what) { return guarded([&] { return event(what); }); };
  }
  observer.step = [&](double time, const Vector& q, const Vector& v) {
    const auto& step = care.observer.step;
    if (step && !guarded([&] { return step(time, q, v); })) return false;
    due = care.due && care.due();
    return !due;
  };
  for (;;) {
    due = false;
    Run part = move(from, observer);
    if (care.keep) {
      guarded([&] {
        care.keep(part);
        return true;
      });
    }
    if (failure) std::rethrow_exception(failure);
    if (part.status != RunStatus::Interrupted || !due || stopped) return part;
    from = std::move(part.end);
  }
}

}  // namespace percute::simulation

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "simulation/run_ledger.hpp"

#include "model/text.hpp"
#include "numerics/cubic.hpp"
#include "simulation/scene_length.hpp"

#include <percute/model/invalid_input.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <utility>

namespace percute::simulation {

namespace {

constexpr double kMostOutputs = 1e9;
constexpr double kMostQuiet = 1e6;  ///< of stop_after_quiet
constexpr double kNever = std::numeric_limits<double>::infinity();
/// Steps in which a contact must come through the widest gap for its impacts to mean something.
constexpr double kFewestSteps = 3.0;

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void require(bool good, const char* field, double value, const char* allowed) {
  if (!good) throw InvalidInput(field, text(value) + std::string(allowed));
}

/// Throws if bodies overlap at a start; a method that goes on may have left them so.
void refuse_overlap(const AnySystem& system, const Vector& q) {
  Vector gaps(system.contacts());
  system.gaps(q, gaps);
  const double overlap = kTenDigits * scene_length(system, q);
  for (Eigen::Index i = 0; i < gaps.size(); ++i) {
    if (gaps[i] >= -overlap) continue;
    const std::string contact = system.contact_names()[static_cast<std::size_t>(i)];
    throw InvalidInput("start.position", "contact " + contact + " has gap " + text(gaps[i]) +
                                             " m: bodies must not overlap at the start");
  }
}

}  // namespace

const char* name(RunStatus status) {
  switch (status) {
    case RunStatus::Ok:
      return "ok";
    case RunStatus::Unstable:
      return "unstable";
    case RunStatus::NotConverged:
      return "not_converged";
    case RunStatus::NotTerminated:
      return "not_terminated";
    case RunStatus::Interrupted:
      return "interrupted";
  }
  return "";
}

const char* name(EventKind kind) {
  switch (kind) {
    case EventKind::Impact:
      return "impact";
    case EventKind::ActiveStep:
      return "active_step";
    case EventKind::ContactBegins:
      return "contact_begins";
    case EventKind::ContactEnds:
      return "contact_ends";
    case EventKind::Accumulation:
      return "accumulation";
    case EventKind::Sticking:
      return "sticking";
    case EventKind::Sliding:
      return "sliding";
  }
  return "";
}

void validate(const RunOptions& options) {
  require_ranges("simulation", options);
  if (!options.duration && !options.stop_after_quiet) {
    throw InvalidInput("simulation.duration",
                       "is missing: give duration, stop_after_quiet or both");
  }
  if (options.duration && options.output_interval > 0.0) {
    require(*options.duration <= kMostOutputs * options.output_interval,
            "simulation.output_interval", options.output_interval,
            " gives more than 1e9 states in the duration");
  }
}

RunLedger::RunLedger(const AnySystem& system, const RunOptions& options, const Observer& observer,
                     const Moment& start)
    : system_(system),
      options_(options),
      observer_(observer),
      solver_(system.solver()),
      next_output_(kNever),
      known_(options.resume && start.books.has_value()),
      time_(start.time),
      q_(start.state.position),
      v_(start.state.velocity),
      x_(system.coordinates()),
      y_(system.coordinates()),
      wall_start_(seconds_now()) {
  validate(options);
  const auto n = system.coordinates();
  if (q_.size() != n || v_.size() != n || !q_.allFinite() || !v_.allFinite()) {
    throw InvalidInput("start", "position and velocity must be " + std::to_string(n) +
                                    " finite numbers each, one per coordinate");
  }
  const bool begins = start.previous_position.size() == 0 && start.step == 0.0 &&
                      start.held.empty() && start.memory.empty() && !start.books;
  if (begins) refuse_overlap(system, q_);
  closed_ = kTenDigits * scene_length(system, q_);
  if (known_) {
    books_ = *start.books;
  } else {
    books_.start_time = start.time;
    EnergyRecord& energy = run_.energy;
    energy.expected = solver_->kinetic_energy(q_, v_) + system.potential_energy(q_);
    energy.final = energy.expected;
    energy.min = kNever;
    energy.max = -kNever;
  }
  if (options_.bounce) {
    if (!run_.bounce) run_.bounce.emplace();
    bounce_.emplace(system_, *options_.bounce, *run_.bounce);
  }
  if (options.output_interval > 0.0 && observer.state) next_output_ = output_time();
}

double RunLedger::output_time() const {
  return books_.start_time + static_cast<double>(books_.outputs) * options_.output_interval;
}

void RunLedger::warn(std::string warning) {
  auto& warnings = run_.warnings;
  if (std::find(warnings.begin(), warnings.end(), warning) != warnings.end()) return;
  warnings.push_back(std::move(warning));
}

void RunLedger::warn_at_start(std::string warning) {
  if (!known_ && !warning.empty()) warn(std::move(warning));
}

/// A part that carries on may begin by telling its start, which the part before has told.
bool RunLedger::is_repeated(double time) {
  const bool repeated = known_ && time == time_;
  known_ = false;
  return repeated;
}

bool RunLedger::sample_energy(const Vector& q, const Vector& v) {
  const double energy =
      solver_->kinetic_energy(q, v) + system_.potential_energy(q) + stored_energy_;
  run_.energy.final = energy;
  if (!run_.first_impact_time) return false;
  // Deviations: sums of the energy itself would lose the digits asked for.
  const double deviation = energy - run_.energy.expected;
  books_.energy_sum += deviation;
  books_.energy_squares += deviation * deviation;
  run_.energy.min = std::min(run_.energy.min, energy);
  run_.energy.max = std::max(run_.energy.max, energy);
  ++run_.energy.samples;
  return true;
}

/// The sample of the last step, if it was the last to be taken.
void RunLedger::withdraw_energy() {
  if (!step_sampled_) return;
  const double deviation = run_.energy.final - run_.energy.expected;
  books_.energy_sum -= deviation;
  books_.energy_squares -= deviation * deviation;
  --run_.energy.samples;
}

bool RunLedger::step(double time, const Vector& q, const Vector& v) {
  if (is_repeated(time)) return !stop_;
  if (observer_.state) {
    if (options_.output_interval > 0.0) {
      interpolate_outputs(time, q, v);
    } else if (!observer_.state(time, q, v)) {
      stop_ = true;
    }
  }
  return step_without_output(time, q, v);
}

bool RunLedger::step_without_output(double time, const Vector& q, const Vector& v) {
  if (is_repeated(time)) return !stop_;
  if (bounce_) {
    bounce_->step({time_, q_, v_}, {time, q, v},
                  std::abs(run_.first_impact_velocity.value_or(0.0)));
  }
  time_ = time;
  q_ = q;
  v_ = v;
  step_sampled_ = sample_energy(q, v);
  if (observer_.step && !observer_.step(time, q, v)) stop_ = true;
  return !stop_;
}

void RunLedger::interpolate_outputs(double time, const Vector& q, const Vector& v) {
  while (next_output_ <= time && !stop_) {
    const double h = time - time_;
    if (h > 0.0) {
      for (Eigen::Index i = 0; i < q.size(); ++i) {
        const numerics::Cubic cubic{h, q_[i], q[i], v_[i], v[i]};
        x_[i] = cubic(next_output_ - time_);
        y_[i] = cubic.slope(next_output_ - time_);
      }
      output(next_output_, x_, y_);
    } else {
      output(next_output_, q, v);
    }
  }
}

bool RunLedger::output(double time, const Vector& q, const Vector& v) {
  if (!observer_.state(time, q, v)) stop_ = true;
  ++books_.outputs;
  next_output_ = output_time();
  return !stop_;
}

void RunLedger::touch(double from, double to, int impacts) {
  run_.last_contact = to;
  if (bounce_) bounce_->touch(from, to, impacts, q_);
}

double RunLedger::lowest_rate(const Event& event) {
  double lowest = kNever;
  for (const int contact : event.contacts) {
    system_.gradient(contact, event.position, x_);
    lowest = std::min(lowest, x_.dot(event.velocity_before));
  }
  return lowest;
}

bool RunLedger::strikes(const Event& event) {
  return lowest_rate(event) < -std::max(micro_bounce_velocity(), slow_approach_);
}

void RunLedger::count_impact(double time, double rate) {
  if (!run_.first_impact_time) {
    run_.first_impact_time = time;
    run_.first_impact_velocity = rate;
  }
  ++run_.impacts;
  if (bounce_) bounce_->count_impact();
}

bool RunLedger::event(const Event& event) {
  ++books_.events;
  known_ = false;
  const bool jump = event.kind == EventKind::Impact || event.kind == EventKind::ActiveStep;
  const bool closes = jump || event.kind == EventKind::ContactBegins ||
                      event.kind == EventKind::Accumulation || event.kind == EventKind::ContactEnds;
  if (jump && !event.contacts.empty()) {
    const double rate = lowest_rate(event);
    books_.fastest_approach = std::max(books_.fastest_approach, -rate);
    if (event.kind == EventKind::Impact && !run_.first_impact_time) {
      run_.first_impact_time = event.time;
      run_.first_impact_velocity = rate;
    }
  }
  run_.energy.dissipated += event.dissipated;
  if (event.kind == EventKind::Impact) ++run_.impacts;
  if (event.kind == EventKind::ActiveStep) ++run_.active_steps;
  if (event.kind == EventKind::ContactBegins || event.kind == EventKind::Accumulation) {
    ++run_.contact_phases;
  }
  // A step that ended at an impact: one instant is one sample, the state after the impact.
  if (event.kind == EventKind::Impact && event.time == time_) withdraw_energy();
  step_sampled_ = false;
  time_ = event.time;
  q_ = event.position;
  v_ = event.velocity_after;
  if (closes) touch(event.time, event.time, event.kind == EventKind::Impact ? 1 : 0);
  // Time stepping has its samples at steps: positions and velocities of the same instant.
  if (event.kind == EventKind::Impact) sample_energy(q_, v_);
  if (observer_.event && !observer_.event(event)) stop_ = true;
  return !stop_;
}

void RunLedger::in_contact(double time) {
  touch(run_.last_contact.value_or(time), time, 0);
}

void RunLedger::watch_gaps(const Vector& gaps) {
  auto& reaches = books_.reaches;
  if (reaches.empty()) {
    reaches.resize(static_cast<std::size_t>(gaps.size()));
    for (Eigen::Index i = 0; i < gaps.size(); ++i) {
      reaches[static_cast<std::size_t>(i)].start = gaps[i];
    }
  }
  for (Eigen::Index i = 0; i < gaps.size(); ++i) {
    ContactReach& reach = reaches[static_cast<std::size_t>(i)];
    reach.gap = std::max(reach.gap, gaps[i]);
    reach.overlap = std::max(reach.overlap, -gaps[i]);
  }
}

// What has never been open came no way, and what forces do to a closed contact is weight it
// carries. Contacts that rest from the start lift off by less than their fall in a step without
// meaning it.
void RunLedger::watch_way(int contact, double gap, double approach, double fall) {
  ContactReach& reach = books_.reaches[static_cast<std::size_t>(contact)];
  if (reach.gap <= closed_ || (reach.start <= closed_ && reach.gap < fall)) return;
  reach.way = std::max({reach.way, approach, gap > closed_ ? fall : 0.0});
}

// Time stepping sees an impact up to a step late, and a body by |U| h too far on. Against the
// widest gap that any contact came through, G, that is the error of an impact in parts of the
// motion: a ball that falls from G has |U| h/G = 2 h/T with T the time it falls. Later, smaller
// bounces are shorter than any step, and are small against G all the same.
std::string RunLedger::coarse_step() const {
  const auto& reaches = books_.reaches;
  double widest = 0.0;
  std::size_t worst = 0;
  for (std::size_t i = 0; i < reaches.size(); ++i) {
    if (reaches[i].way > 0.0) widest = std::max(widest, reaches[i].gap);
    if (reaches[i].way > reaches[worst].way) worst = i;
  }
  if (options_.duration && step_ > *options_.duration) {
    return "simulation.step: " + text(step_) + " s is longer than the run, " +
           text(*options_.duration) + " s";
  }
  if (reaches.empty() || kFewestSteps * reaches[worst].way <= widest) return {};
  return "simulation.step: " + text(step_) + " s is too long for this motion: contact " +
         system_.contact_names()[worst] + " closes by " + text(reaches[worst].way) +
         " m in one step, and no contact that closes was " + "ever open by more than " +
         text(widest) + " m; impacts mean something where that takes " + text(kFewestSteps) +
         " steps or more";
}

double RunLedger::end_time() const {
  double end = options_.duration ? books_.start_time + *options_.duration : kNever;
  if (options_.stop_after_quiet && run_.last_contact) {
    end = std::min(end, *run_.last_contact + *options_.stop_after_quiet);
  }
  // What never touches, or never lets go, is not waited for without end.
  if (!options_.duration && options_.stop_after_quiet) {
    end = std::min(end, books_.start_time + kMostQuiet * *options_.stop_after_quiet);
  }
  return end;
}

std::string RunLedger::limit_reached() const {
  return "max_events = " + std::to_string(options_.max_events) + " was reached";
}

Run RunLedger::finish(Moment end, RunStatus status, std::string reason) {
  if (status == RunStatus::Ok && !stop_ && !options_.duration && options_.stop_after_quiet &&
      end.time >= books_.start_time + kMostQuiet * *options_.stop_after_quiet) {
    status = RunStatus::NotTerminated;
    reason = "contacts neither begin nor end; stop_after_quiet was waited for a million times over";
  }
  if (run_.energy.samples > 0) {
    const auto count = static_cast<double>(run_.energy.samples);
    const double mean = books_.energy_sum / count;
    run_.energy.mean = run_.energy.expected + mean;
    run_.energy.deviation = std::sqrt(std::max(0.0, books_.energy_squares / count - mean * mean));
  }
  run_.wall_time += seconds_now() - wall_start_;
  Run run;
  static_cast<RunRecord&>(run) = run_;
  // Not in the books: a part that goes on from here may open wider.
  if (std::string warning = coarse_step(); !warning.empty()) {
    run.warnings.push_back(std::move(warning));
  }
  run.end = std::move(end);
  run.end.books = std::move(books_);
  run.status = stop_ ? RunStatus::Interrupted : status;
  run.reason = std::move(reason);
  return run;
}

}  // namespace percute::simulation

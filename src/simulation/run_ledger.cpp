// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "simulation/run_ledger.hpp"

#include "model/text.hpp"
#include "numerics/cubic.hpp"
#include "simulation/moment_checks.hpp"
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
    const std::string contact = system.contact_names()[static_cast<std::size_t>(i)];
    throw InvalidInput("start.position", "contact " + contact + " has gap " + text(gaps[i]) +
                                             " m: bodies must not overlap at the start");
  }
}

}  // namespace

const char* name(RunStatus status) {
  static constexpr Names<RunStatus, 5> kNames{{
      {"ok", RunStatus::Ok},
      {"unstable", RunStatus::Unstable},
      {"not_converged", RunStatus::NotConverged},
      {"not_terminated", RunStatus::NotTerminated},
      {"interrupted", RunStatus::Interrupted},
  }};
  return name_of(status, kNames).data();
}

const char* name(EventKind kind) {
  static constexpr Names<EventKind, 7> kNames{{
      {"impact", EventKind::Impact},
      {"active_step", EventKind::ActiveStep},
      {"contact_begins", EventKind::ContactBegins},
      {"contact_ends", EventKind::ContactEnds},
      {"accumulation", EventKind::Accumulation},
      {"sticking", EventKind::Sticking},
      {"sliding", EventKind::Sliding},
  }};
  return name_of(kind, kNames).data();
}

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
      energy_(system),
      next_output_(kNever),
      known_(options.resume && start.books.has_value()),
      time_(start.time),
      q_(start.state.position),
      v_(start.state.velocity),
      x_(system.coordinates()),
      y_(system.coordinates()),
      wall_start_(seconds_now()) {
  validate(options);
  validate(start, system);
  const bool begins = std::holds_alternative<std::monostate>(start.memory) && start.step == 0.0 &&
                      start.held.empty() && !start.books;
  if (begins) refuse_overlap(system, q_);
  if (known_) {
    books_ = *start.books;
  } else {
    books_.start_time = start.time;
    EnergyRecord& energy = counts().energy;
    energy.expected = energy_.of(q_, v_);
    energy.final = energy.expected;
    energy.min = kNever;
    energy.max = -kNever;
  }
  if (options_.bounce) {
    if (!counts().bounce) counts().bounce.emplace();
    bounce_.emplace(system_, *options_.bounce, *counts().bounce);
  }
  if (options.output_interval > 0.0 && observer.state) next_output_ = output_time();
}

double RunLedger::output_time() const {
  return books_.start_time + static_cast<double>(books_.outputs) * options_.output_interval;
}

void RunLedger::warn(std::string warning) {
  auto& warnings = counts().warnings;
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

bool EnergyAccount::sample(const Vector& q, const Vector& v, Books& books) {
  EnergyRecord& energy = books.record.energy;
  energy.final = of(q, v);
  if (!books.record.first_impact_time) return false;
  // Deviations: sums of the energy itself would lose the digits asked for.
  const double deviation = energy.final - energy.expected;
  books.energy_sum += deviation;
  books.energy_squares += deviation * deviation;
  energy.min = std::min(energy.min, energy.final);
  energy.max = std::max(energy.max, energy.final);
  ++energy.samples;
  return true;
}

void EnergyAccount::withdraw_step(Books& books) {
  if (!step_counted_) return;
  const double deviation = books.record.energy.final - books.record.energy.expected;
  books.energy_sum -= deviation;
  books.energy_squares -= deviation * deviation;
  --books.record.energy.samples;
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
                  std::abs(counts().first_impact_velocity.value_or(0.0)));
  }
  time_ = time;
  q_ = q;
  v_ = v;
  energy_.sample_step(q, v, books_);
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
  counts().last_contact = to;
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

bool RunLedger::strikes(const Event& event, double slow) {
  return lowest_rate(event) < -std::max(micro_bounce_velocity(), slow);
}

void RunLedger::count_impact(double time, double rate) {
  if (!counts().first_impact_time) {
    counts().first_impact_time = time;
    counts().first_impact_velocity = rate;
  }
  ++counts().impacts;
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
    if (event.kind == EventKind::Impact && !counts().first_impact_time) {
      counts().first_impact_time = event.time;
      counts().first_impact_velocity = rate;
    }
  }
  counts().energy.dissipated += event.dissipated;
  if (event.kind == EventKind::Impact) ++counts().impacts;
  if (event.kind == EventKind::ActiveStep) ++counts().active_steps;
  if (event.kind == EventKind::ContactBegins || event.kind == EventKind::Accumulation) {
    ++counts().contact_phases;
  }
  // A step that ended at an impact: one instant is one sample, the state after the impact.
  const bool impact = event.kind == EventKind::Impact;
  energy_.end_step(impact && event.time == time_, books_);
  time_ = event.time;
  q_ = event.position;
  v_ = event.velocity_after;
  if (closes) touch(event.time, event.time, event.kind == EventKind::Impact ? 1 : 0);
  // Time stepping has its samples at steps: positions and velocities of the same instant.
  if (impact) energy_.sample(q_, v_, books_);
  if (observer_.event && !observer_.event(event)) stop_ = true;
  return !stop_;
}

void RunLedger::in_contact(double time) {
  touch(counts().last_contact.value_or(time), time, 0);
}

double RunLedger::end_time() const {
  double end = options_.duration ? books_.start_time + *options_.duration : kNever;
  if (options_.stop_after_quiet && counts().last_contact) {
    end = std::min(end, *counts().last_contact + *options_.stop_after_quiet);
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

Run RunLedger::finish(Moment end, RunStatus status, std::string reason, std::string warning) {
  if (status == RunStatus::Ok && !stop_ && !options_.duration && options_.stop_after_quiet &&
      end.time >= books_.start_time + kMostQuiet * *options_.stop_after_quiet) {
    status = RunStatus::NotTerminated;
    reason = "contacts neither begin nor end; stop_after_quiet was waited for a million times over";
  }
  if (counts().energy.samples > 0) {
    const auto count = static_cast<double>(counts().energy.samples);
    const double mean = books_.energy_sum / count;
    counts().energy.mean = counts().energy.expected + mean;
    counts().energy.deviation =
        std::sqrt(std::max(0.0, books_.energy_squares / count - mean * mean));
  }
  counts().wall_time += seconds_now() - wall_start_;
  Run run;
  static_cast<RunRecord&>(run) = counts();
  if (!warning.empty()) run.warnings.push_back(std::move(warning));
  run.end = std::move(end);
  run.end.books = std::move(books_);
  run.status = stop_ ? RunStatus::Interrupted : status;
  run.reason = std::move(reason);
  return run;
}

}  // namespace percute::simulation

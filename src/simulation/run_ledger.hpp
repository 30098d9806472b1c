// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "simulation/scene.hpp"

#include <percute/simulation/run.hpp>

#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace percute::simulation {

/// An event of contacts at which velocities stay as they are.
inline Event event_without_jump(EventKind kind, double time, const Vector& q, const Vector& v,
                                std::vector<int> contacts) {
  const auto count = static_cast<Eigen::Index>(contacts.size());
  return {.time = time,
          .kind = kind,
          .contacts = std::move(contacts),
          .position = q,
          .velocity_before = v,
          .velocity_after = v,
          .impulse = Vector::Zero(count)};
}

/// What is counted, measured and told while a run goes, the same for every method: a method tells
/// each step it has accepted and each event, and asks when to stop. Steps and events come in the
/// order of time; an event that makes velocities jump is told after the step that led to it, and
/// the next step starts from its velocity_after.
class RunLedger {
 public:
  /// Throws InvalidInput if the options or the sizes of the start are wrong, or if bodies overlap.
  /// References are kept.
  RunLedger(const AnySystem& system, const RunOptions& options, const Observer& observer,
            const Moment& start);
  RunLedger(const RunLedger&) = delete;
  RunLedger& operator=(const RunLedger&) = delete;

  /// The motion from the last state told to this one; `outputs_told`: a method with dense output
  /// has told the states of output instants in it. False: the observer wants to stop.
  bool step(double time, const Vector& q, const Vector& v, bool outputs_told = false);
  /// Next instant at which the observer wants a state; infinite if none.
  double next_output() const { return next_output_; }
  /// A state at next_output().
  bool output(double time, const Vector& q, const Vector& v) {
    if (!observer_.state(time, q, v)) stop_ = true;
    ++totals_.outputs;
    next_output_ = output_time();
    return !stop_;
  }
  /// All of them up to this time: `tell_at` is called with each instant, and tells output().
  template <class TellAt>
  void outputs(double until, TellAt&& tell_at) {
    while (next_output_ <= until && !stop_) tell_at(next_output_);
  }
  bool event(const Event& event);
  bool stopped() const { return stop_; }  ///< the observer wants to stop
  /// Energy stored in contacts at the states told from now on, J.
  void set_stored_energy(double energy) { stored_ = energy; }
  /// Rebounds up to this are contact, m/s: as the options say, or a part of the fastest approach.
  double micro_bounce_velocity() const {
    return options_.micro_bounce_where(totals_.fastest_approach);
  }
  double fastest_approach() const { return totals_.fastest_approach; }  ///< of impacts so far, m/s
  /// An active step is an impact: others, that approach no faster than `slow`, m/s, carry contacts
  /// at rest.
  bool strikes(const Event& event, double slow) {
    return lowest_rate(event) < -std::max(micro_bounce_velocity(), slow);
  }
  /// An impact that began in this active step, the one told last.
  void count_impact(const Event& event) { count_impact(event.time, lowest_rate(event)); }
  /// An impact at this time, with the gap rate just before it, m/s.
  void count_impact(double time, double rate);
  /// How far each contact was open, overlapped and moved: kept by FixedStepRun.
  std::vector<ContactReach>& reaches() { return totals_.reaches; }
  /// Some contact was closed and held up to this time.
  void in_contact(double time) { touch(counts().last_contact.value_or(time), time, 0); }
  /// Once, however often it is said.
  void warn(std::string warning) {
    auto& warnings = counts().warnings;
    if (std::find(warnings.begin(), warnings.end(), warning) != warnings.end()) return;
    warnings.push_back(std::move(warning));
  }
  /// What is known before the first step; nothing if empty, or where a run goes on, which has it.
  void warn_at_start(std::string warning) {
    if (!known_ && !warning.empty()) warn(std::move(warning));
  }

  /// When the run is to end, as far as is known now.
  double end_time() const;
  /// Why a run ends that is told too many events or impacts.
  std::string limit_reached() const {
    return "max_events = " + std::to_string(options_.max_events) + " was reached";
  }
  /// Events of any kind, max_events of them or more: there shall be no others.
  bool too_many_events() const { return totals_.events >= options_.max_events; }
  /// The same of impacts: time stepping, where every step with an impulse is an event.
  bool too_many_impacts() const { return totals_.record.impacts >= options_.max_events; }

  RunRecord& counts() { return totals_.record; }  ///< steps, iterations: counted by the method
  /// Ends the run. The warning is not in its totals: a part that goes on from here may take it
  /// back.
  Run finish(Moment end, RunStatus status = RunStatus::Ok, std::string reason = {},
             std::string warning = {});

 private:
  static constexpr double kNever = std::numeric_limits<double>::infinity();

  double energy_of(const Vector& q, const Vector& v) const {
    return solver_->kinetic_energy(q, v) + system_.potential_energy(q) + stored_;
  }
  void interpolate_outputs(const MotionState& to);
  void sample_energy();
  double lowest_rate(const Event& event) {
    double lowest = kNever;
    for (const int contact : event.contacts) {
      system_.gradient(contact, event.position, work_.q);
      lowest = std::min(lowest, work_.q.dot(event.velocity_before));
    }
    return lowest;
  }
  void touch(double from, double to, int impacts) {
    counts().last_contact = to;
    if (auto& bounce = counts().bounce; bounce && options_.bounce) {
      touch_bounce(*bounce, options_.bounce->cluster_gap, from, to, impacts);
    }
  }
  void touch_bounce(Bounce& bounce, double cluster_gap, double from, double to, int impacts) const;
  void measure_bounce(Bounce& bounce, double window, const MotionState& to) const;
  double only_gap(const Vector& q) const {
    Vector gap(1);
    system_.gaps(q, gap);
    return gap[0];
  }
  double only_gap_rate(const MotionState& at) const {
    Vector gradient(at.q.size());
    system_.gradient(0, at.q, gradient);
    return gradient.dot(at.v);
  }
  /// A part that carries on may begin by telling its start, which the part before has told.
  bool is_repeated(double time) {
    const bool repeated = known_ && time == last_.time;
    known_ = false;
    return repeated;
  }
  double output_time() const {
    return totals_.start_time + static_cast<double>(totals_.outputs) * options_.output_interval;
  }

  const AnySystem& system_;
  RunOptions options_;
  const Observer& observer_;
  std::unique_ptr<systems::MassSolver> solver_;
  double stored_ = 0.0;        // energy in contacts
  bool step_sampled_ = false;  // the last state told is one of the samples of energy
  double next_output_;
  bool stop_ = false;
  bool known_;          // the first state told was told at the end of the part before
  MotionState last_;    // told
  MotionState work_;    // memory to work in
  MotionState inside_;  // of a step, at an instant of output
  RunTotals totals_;
  double wall_start_;
};

}  // namespace percute::simulation

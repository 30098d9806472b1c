// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "simulation/first_bounce.hpp"

#include <percute/simulation/run.hpp>
#include <percute/systems/any_system.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace percute::simulation {

using systems::AnySystem;

/// Energy of the states of a run, for its books.
class EnergyAccount {
 public:
  explicit EnergyAccount(const AnySystem& system) : system_(system), solver_(system.solver()) {}

  double of(const Vector& q, const Vector& v) const {
    return solver_->kinetic_energy(q, v) + system_.potential_energy(q) + stored_;
  }
  /// Energy stored in contacts, J, at the states told from now on.
  void set_stored(double energy) { stored_ = energy; }
  /// A state; whether it counts, which states before the first impact do not.
  bool sample(const Vector& q, const Vector& v, Books& books);
  /// That at the end of a step.
  void sample_step(const Vector& q, const Vector& v, Books& books) {
    step_counted_ = sample(q, v, books);
  }
  /// The last step is over; its sample is withdrawn where another one at the same instant follows.
  void end_step(bool withdrawn, Books& books) {
    if (withdrawn) withdraw_step(books);
    step_counted_ = false;
  }

 private:
  void withdraw_step(Books& books);

  const AnySystem& system_;
  std::unique_ptr<systems::MassSolver> solver_;
  double stored_ = 0.0;
  bool step_counted_ = false;
};

/// Keeps the books of a run, the same for every method: a method tells each step it has accepted
/// and each event, and asks when to stop. Steps and events come in the order of time; an event that
/// makes velocities jump is told after the step that led to it, and the next step starts from its
/// velocity_after.
class RunLedger {
 public:
  /// Throws InvalidInput if the options or the sizes of the start are wrong, or if bodies overlap.
  /// References are kept.
  RunLedger(const AnySystem& system, const RunOptions& options, const Observer& observer,
            const Moment& start);
  RunLedger(const RunLedger&) = delete;
  RunLedger& operator=(const RunLedger&) = delete;
  RunLedger(RunLedger&&) = delete;
  RunLedger& operator=(RunLedger&&) = delete;
  ~RunLedger() = default;

  /// The motion from the last state told to this one. False: the observer wants to stop.
  bool step(double time, const Vector& q, const Vector& v);
  /// The same where the method itself tells the states of output instants (it has dense output).
  bool step_without_output(double time, const Vector& q, const Vector& v);
  /// Next instant at which the observer wants a state; infinite if none. For methods with dense
  /// output.
  double next_output() const { return next_output_; }
  /// A state at next_output().
  bool output(double time, const Vector& q, const Vector& v);
  bool event(const Event& event);
  bool stopped() const { return stop_; }  ///< the observer wants to stop
  /// Energy stored in contacts at the states told from now on.
  void set_stored_energy(double energy) { energy_.set_stored(energy); }
  /// Rebounds up to this are contact, m/s: as the options say, or a part of the fastest approach.
  double micro_bounce_velocity() const {
    return options_.micro_bounce_velocity.where_fastest_is(books_.fastest_approach);
  }
  double fastest_approach() const { return books_.fastest_approach; }  ///< of impacts so far, m/s
  /// An active step is an impact: others, that approach no faster than `slow`, m/s, carry contacts
  /// at rest.
  bool strikes(const Event& event, double slow);
  /// An impact that began in this active step, the one told last.
  void count_impact(const Event& event) { count_impact(event.time, lowest_rate(event)); }
  /// An impact at this time, with the gap rate just before it, m/s.
  void count_impact(double time, double rate);
  std::vector<ContactReach>& reaches() { return books_.reaches; }  ///< for GapWatch
  /// Some contact was closed and held up to this time.
  void in_contact(double time);
  void warn(std::string warning);  ///< once, however often it is said
  /// What is known before the first step; nothing if empty, or where a run goes on, which has it.
  void warn_at_start(std::string warning);

  /// When the run is to end, as far as is known now.
  double end_time() const;
  /// Why a run ends that is told too many events or impacts.
  std::string limit_reached() const;
  /// Events of any kind, max_events of them or more: there shall be no others.
  bool too_many_events() const { return books_.events >= options_.max_events; }
  /// The same of impacts: time stepping, where every step with an impulse is an event.
  bool too_many_impacts() const { return counts().impacts >= options_.max_events; }

  RunRecord& counts() { return books_.record; }  ///< steps, iterations: counted by the method
  const RunRecord& counts() const { return books_.record; }
  /// Closes the books. The warning is not in them: a part that goes on from here may take it back.
  Run finish(Moment end, RunStatus status = RunStatus::Ok, std::string reason = {},
             std::string warning = {});

 private:
  void interpolate_outputs(double time, const Vector& q, const Vector& v);
  double lowest_rate(const Event& event);
  void touch(double from, double to, int impacts);
  bool is_repeated(double time);
  double output_time() const;

  const AnySystem& system_;
  RunOptions options_;
  const Observer& observer_;
  EnergyAccount energy_;
  double next_output_;
  bool stop_ = false;
  bool known_;  // the first state told was told at the end of the part before

  // The last state told.
  double time_;
  Vector q_;
  Vector v_;

  Vector x_;  // memory to work in
  Vector y_;
  Books books_;
  std::optional<FirstBounce> bounce_;
  double wall_start_;
};

}  // namespace percute::simulation

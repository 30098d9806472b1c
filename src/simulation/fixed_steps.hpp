// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "model/text.hpp"
#include "simulation/run_ledger.hpp"

#include <percute/model/fields.hpp>
#include <percute/model/invalid_input.hpp>

#include <algorithm>
#include <optional>
#include <string>

namespace percute::simulation {

/// Largest ω of K φ = ω² M φ at q, rad/s; none where the system does not tell its stiffness.
/// Methods that are explicit in q blow up at steps of 2/ω and above.
std::optional<double> highest_frequency(const AnySystem& system, const Vector& q);

/// Steps that are too long for the fastest vibration, which then is not resolved, in words for the
/// warnings of a run; empty where they are not.
std::string unresolved_vibration(const AnySystem& system, const Vector& q, double step);

/// The same of forces that change in time: fewer than four steps in a cycle of a base that shakes.
std::string unresolved_forces(const AnySystem& system, double time, double step);

/// A run with fixed steps: how it goes on and ends, and how far contacts are open, overlap and move
/// in its steps.
class FixedStepRun {
 public:
  FixedStepRun(const FixedStepRun&) = delete;
  FixedStepRun& operator=(const FixedStepRun&) = delete;
  virtual ~FixedStepRun() = default;

  RunLedger& ledger() { return ledger_; }
  /// Steps until less than the part `sliver` of one is left.
  Run run(const Moment& start, double sliver);

 protected:
  /// Steps of this length, s. References are kept.
  FixedStepRun(const AnySystem& system, const RunOptions& options, double step,
               const Observer& observer, const Moment& start)
      : system_(system),
        ledger_(system, options, observer, start),
        time_(start.time),
        gaps_(Vector::Zero(system.contacts())),
        before_(gaps_),
        column_(Vector::Zero(system.coordinates())),
        options_(options),
        step_(step),
        closed_(kTenDigits * scene_length(system, start.state.position)) {}

  /// Tells the start; gaps there are known.
  virtual void begin(const Moment& start) = 0;
  /// A step, where so much time is left.
  virtual void step(double left) = 0;
  /// So many events or impacts have been told that there shall be no others.
  virtual bool too_many() const { return ledger_.too_many_impacts(); }
  /// Where another run can go on.
  virtual Moment moment() = 0;

  /// Ends the run, for a reason " at t = …".
  void fail(RunStatus status, const std::string& reason) {
    status_ = status;
    reason_ = reason + " at t = " + text(time_) + " s";
  }
  double gap_rate(int contact, const Vector& q, const Vector& v) {
    system_.gradient(contact, q, column_);
    return column_.dot(v);
  }
  /// Gaps at the end of a step, in gaps_.
  void note_gaps() {
    auto& reaches = ledger_.reaches();
    const bool first = reaches.empty();
    if (first) reaches.resize(static_cast<std::size_t>(gaps_.size()));
    for (Eigen::Index i = 0; i < gaps_.size(); ++i) {
      ContactReach& reach = reaches[static_cast<std::size_t>(i)];
      if (first) reach.start = gaps_[i];
      reach.gap = std::max(reach.gap, gaps_[i]);
      reach.overlap = std::max(reach.overlap, -gaps_[i]);
    }
  }
  /// The same of time stepping; overlap that no impulse has met is a way, too.
  void follow_gaps(const Vector& q) {
    gaps_.swap(before_);
    system_.gaps(q, gaps_);
    note_gaps();
    for (int i = 0; i < gaps_.size(); ++i) {
      if (gaps_[i] < 0.0) note_way(i, before_[i], 0.0, before_[i] - gaps_[i]);
    }
  }
  /// How far a contact was open at the most, m.
  double widest(int contact) { return ledger_.reaches()[static_cast<std::size_t>(contact)].gap; }
  /// Time stepping: a contact closes in a step that begins with this gap. Its way in the step is
  /// `approach` by the velocities before, `fall` with what forces do, m.
  /// What has never been open came no way, and what forces do to a closed contact is weight it
  /// carries. Contacts that rest from the start lift off by less than their fall in a step without
  /// meaning it.
  void note_way(int contact, double gap, double approach, double fall) {
    ContactReach& reach = ledger_.reaches()[static_cast<std::size_t>(contact)];
    if (reach.gap <= closed_ || (reach.start <= closed_ && reach.gap < fall)) return;
    reach.way = std::max({reach.way, approach, gap > closed_ ? fall : 0.0});
  }

  const AnySystem& system_;
  RunLedger ledger_;
  double time_;
  Vector gaps_;    ///< now
  Vector before_;  ///< a step ago
  Vector column_;  ///< memory to work in
  RunStatus status_ = RunStatus::Ok;
  std::string reason_;

 private:
  std::string coarse_step();

  const RunOptions& options_;
  double step_;
  double closed_;  // gaps up to this are none: ten digits of the scene's length, m
};

/// Throws InvalidInput, naming the field, unless a method with fixed steps makes sense.
template <class Method>
void validate_fixed_steps(const Method& method) {
  require_ranges("simulation", method);
  validate(method.run);
  constexpr double kMostSteps = 1e12;  // some months
  if (method.run.duration && *method.run.duration > kMostSteps * method.step) {
    throw InvalidInput("simulation.step",
                       text(method.step) + " s gives more than 1e12 steps in the duration");
  }
}

}  // namespace percute::simulation

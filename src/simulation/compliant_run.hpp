// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "laws/compliant/contact_dynamics.hpp"
#include "simulation/moving_mechanism.hpp"
#include "simulation/run_ledger.hpp"
#include "simulation/smooth_gap.hpp"

#include <percute/simulation/compliant_motion.hpp>

#include <string>
#include <vector>

namespace percute::simulation {

/// How long time has stood still: events without time between them, and the steps taken since it
/// last went on by as much as a compression takes.
struct Standstill {
  int events = 0;
  std::vector<int> contacts;  ///< of these events, ascending
  double start = 0.0;         ///< of a stretch as long as a compression, s
  long steps = 0;             ///< when it began, taken and rejected
};

/// One run of CompliantMotion.
class CompliantRun final : public laws::ContactDynamics {
 public:
  CompliantRun(const CompliantMotion& method, const AnySystem& system, MovingMechanism& mechanism,
               const contact::FrictionRows& rows, const Moment& start, const Observer& observer);
  Run run();
  void warn(std::string warning) { ledger_.warn(std::move(warning)); }

  void passed(double until) override;
  bool interrupted() override { return false; }
  double time_scale() const override { return std::abs(integrator_.time()); }

 private:
  using Mode = laws::CompliantContact::Mode;

  bool in_flight() const { return loaded() == 0; }
  int loaded() const;  ///< contacts with a force
  bool impact_under_way(int except) const;
  bool advance();
  void finish_step();
  bool restart(bool felt);
  void set_tolerances();
  void measure_contacts();
  void first_step();
  double smooth_step(double h);
  bool still_open(int i);
  void note_force(int i, double time, double force);

  void make_force(int i);
  double slowest_closing(int i) const;
  void apply(int i, Change change);
  void close(int i) override { apply(i, Change::Close); }
  void friction_changed(int i, bool sticks) override {
    tell(i, sticks ? EventKind::Sticking : EventKind::Sliding);
  }
  /// Slower rebounds are none, m/s.
  double micro_bounce() const {
    return method_.run.micro_bounce_velocity.where_fastest_is(approach_);
  }
  double rest_rate() const override { return 1e-9 * approach_; }
  void tell(int i, EventKind kind);
  void note_at_once(bool moved, int i);
  bool stalls();
  std::string named(const std::vector<int>& contacts) const;
  std::string failure() const;
  std::string loaded_contacts() const;
  double stored() const;  ///< in all contacts

  // Ends of a run: compliant_moment.cpp.
  void begin(const Moment& start);
  void recall(const CompliantMemory& memory);
  MotionState motion() const;
  double mechanical_energy();
  double balance();
  Moment moment() const;
  Run finish(RunStatus status, std::string reason);

  const CompliantMotion& method_;
  const AnySystem& system_;
  MovingMechanism& bodies_;
  RunLedger ledger_;
  std::vector<CompliantMemory::Phase> phases_;
  std::vector<ContactTotals> totals_;
  GapOutlook outlook_;         ///< of contacts that are apart
  double smooth_until_ = 0.0;  ///< their gaps are, as far as was looked, s
  double approach_ = 0.0;      ///< fastest closing so far, m/s
  double fastest_ = 0.0;       ///< of all contact velocities so far, m/s
  Standstill still_;
  double start_energy_ = 0.0;  ///< J
  bool failed_ = false;        ///< at the start
};

}  // namespace percute::simulation

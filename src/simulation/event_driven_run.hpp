// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "simulation/bounce_forecast.hpp"
#include "simulation/run_ledger.hpp"
#include "simulation/smooth_motion.hpp"

#include <percute/simulation/event_driven.hpp>

#include <string>
#include <vector>

namespace percute::simulation {

/// One run of EventDriven: smooth motion, and what happens at events.
class EventDrivenRun {
 public:
  EventDrivenRun(const EventDriven& method, const AnySystem& system, const Moment& start,
                 const AnyLaw& law, const Observer& observer);
  EventDrivenRun(const EventDrivenRun&) = delete;
  EventDrivenRun& operator=(const EventDrivenRun&) = delete;
  Run run(const Moment& moment);

 private:
  using Guard = SmoothMotion::Guard;

  /// Why contacts are looked at anew.
  enum class Settle {
    Impact,  ///< velocities have jumped: slow rebounds are taken as contact
    Forces,  ///< a load, or friction, has reached its limit
  };

  // The whole.
  bool start(const Moment& moment);
  bool begin();
  bool restart();
  bool advance(double end);
  EventDrivenMemory memory() const;
  void recall(const EventDrivenMemory& memory);
  bool fail(RunStatus status, std::string reason);
  std::string names(const std::vector<int>& contacts) const;

  // What happens at events.
  bool change(const Guard& guard, bool at_once);
  std::vector<HeldContact> slipping_with(std::size_t place);
  bool impact(int contact = -1);
  std::vector<int> closed_with(int contact);
  bool strike(const std::vector<int>& closed, bool& struck);
  bool settle(Settle why, const std::vector<int>& forced = {},
              const std::vector<HeldContact>& slipping = {});
  bool settle_forces(const std::vector<int>& closed, const std::vector<HeldContact>& slipping,
                     ContactMotion::Settled& settled);
  void let_leave(std::vector<HeldContact>& held, const BounceForecast::Cut& cut, Settle why) const;
  double stop_held(const BounceForecast::Cut& cut, const std::vector<int>& more);

  // What is told of them.
  void warn_of_small_gap(int struck, int left_out);
  Event event_now(EventKind kind, std::vector<int> contacts, const Vector& before,
                  double dissipated) const;
  void tell_ends(const std::vector<Accumulation::Ending>& endings);
  void tell_ends_by_now();
  void tell_changes(const std::vector<HeldContact>& old, const Vector& v_before, double lost);

  const AnySystem& system_;
  const AnyLaw& law_;
  RunLedger ledger_;
  MotionState now_;
  ContactGaps gaps_;
  HeldContacts held_;
  SmoothMotion smooth_;
  BounceForecast bounces_;
  std::vector<int> struck_;  // in the impact that is under way
  double last_change_ = -Accumulation::kNever;
  int changes_at_once_ = 0;  // events since then, without time between them
  RunStatus status_ = RunStatus::Ok;
  std::string reason_;
};

}  // namespace percute::simulation

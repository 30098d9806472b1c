// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "simulation/contact_motion.hpp"
#include "simulation/run_ledger.hpp"

#include <percute/model/impact_problem.hpp>
#include <percute/model/impact_result.hpp>

#include <string>
#include <vector>

namespace percute::simulation {

/// The contacts that are held closed now, the motion they allow, and their friction.
class HeldContacts {
 public:
  /// `memory`: what is known of friction and sliding is kept there.
  HeldContacts(const AnySystem& system, const RunOptions& options, const RunLedger& ledger,
               const Vector& q, EventDrivenMemory& memory);

  void hold(std::vector<HeldContact> contacts);
  const std::vector<HeldContact>& contacts() const { return held_; }
  bool holds(int contact) const { return is_held_[static_cast<std::size_t>(contact)] != 0; }
  bool none() const { return held_.empty(); }
  /// The contact is redundant: held, but without a force.
  void unload(int contact) {
    for (HeldContact& c : held_) {
      if (c.contact == contact) c.loaded = false;
    }
  }
  JointedMass& mass() { return mass_; }
  const ContactMotion& motion() const { return motion_; }
  /// With these contacts, or with others.
  bool accelerate(const MotionState& state, Vector& acceleration) {
    return motion_.accelerate(state, held_, acceleration);
  }
  bool accelerate(const MotionState& state, const std::vector<HeldContact>& held,
                  Vector& acceleration) {
    return motion_.accelerate(state, held, acceleration);
  }

  /// Whether some contact has friction and the law of impacts uses it.
  bool friction() const { return has_friction_ && law_has_friction_; }
  bool has_friction() const { return has_friction_; }
  /// What the law did with the friction of an impact.
  void note_friction(const ImpactProblem& problem, const ImpactResult& result);
  /// How fast a closed contact slides, or could: the unit of what is taken as no sliding. Where all
  /// is at rest, the rounding of what presses the contact in a step.
  void note_sliding(int contact, const MotionState& state, double step);
  /// How fast a held contact that slides still does, along its direction.
  double sliding(const HeldContact& held, const MotionState& state) const;
  /// Contacts that slide more slowly do not slide: rounding of the fastest, m/s.
  double stick_speed() const {
    return 1e-10 * sliding_speed_ + 1e-8 * ledger_.micro_bounce_velocity();
  }

  /// Which of the contacts `closed` stay closed, and which of them slide; why there is no answer,
  /// or "".
  std::string settle(const MotionState& state, const std::vector<int>& closed,
                     std::vector<HeldContact>& settled) {
    return settling_.settle(state, closed, friction(), stick_speed(), {}, settled);
  }
  /// The same where some slip, and, if friction of what slides has no solution (both walls of a
  /// groove draw a body in), what slides no faster than rebounds that are taken as contact is at
  /// rest.
  std::string settle_slipping(const MotionState& state, const std::vector<int>& closed,
                              const std::vector<HeldContact>& slipping,
                              std::vector<HeldContact>& settled);
  /// Whether forces exist that keep the held contacts as they are: where they are not unique, all
  /// of them are asked.
  bool stay(const MotionState& state);

 private:
  const AnySystem& system_;
  const RunOptions& options_;
  const RunLedger& ledger_;
  JointedMass mass_;
  ContactMotion motion_;
  Settling settling_;
  std::vector<HeldContact> held_;
  std::vector<char> is_held_;  // by contact
  bool has_friction_;          // some contact has
  bool& law_has_friction_;     // and the law uses it
  double& sliding_speed_;      // fastest of a contact, or more, m/s
  Vector column_;              // memory to work in
};

}  // namespace percute::simulation

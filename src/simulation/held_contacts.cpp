// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "simulation/held_contacts.hpp"

#include <algorithm>
#include <utility>

namespace percute::simulation {

namespace {

/// Rounding of the velocities of a step, over stick_speed() of them.
constexpr double kRounded = 1e-4;

}  // namespace

HeldContacts::HeldContacts(const AnySystem& system, const RunOptions& options,
                           const RunLedger& ledger, const Vector& q)
    : system_(system),
      options_(options),
      ledger_(ledger),
      motion_(system),
      is_held_(static_cast<std::size_t>(system.contacts()), 0),
      column_(system.coordinates()) {
  for (int i = 0; i < system.contacts(); ++i) {
    has_friction_ = has_friction_ || system.contact(i, q).material.friction > 0.0;
  }
}

void HeldContacts::hold(std::vector<HeldContact> contacts) {
  held_ = std::move(contacts);
  std::fill(is_held_.begin(), is_held_.end(), 0);
  for (const HeldContact& c : held_) is_held_[static_cast<std::size_t>(c.contact)] = 1;
}

void HeldContacts::note_friction(const ImpactProblem& problem, const ImpactResult& result) {
  bool known = false;  // the law could have used it
  bool odd = false;    // friction without tangents is ignored by all laws
  for (const Contact& contact : problem.contacts) {
    if (contact.material.friction <= 0.0) continue;
    (contact.directions > 0 ? known : odd) = true;
  }
  if (known && !odd) law_has_friction_ = !result.consistency.friction_ignored;
}

void HeldContacts::note_sliding(int contact, const MotionState& state, double step) {
  if (!friction()) return;
  const Matrix T = system_.tangents(contact, state.q);
  if (T.cols() == 0) return;
  const Vector speeds = T.cwiseAbs().transpose() * state.v.cwiseAbs();
  system_.gradient(contact, state.q, column_);
  const double pressed = column_.cwiseAbs().dot(motion_.free_acceleration().cwiseAbs());
  sliding_speed_ = std::max({sliding_speed_, speeds.maxCoeff(), kRounded * step * pressed});
}

bool HeldContacts::settle(const MotionState& state, const std::vector<int>& closed,
                          ContactMotion::Settled& settled) {
  return motion_.settle(state.time, state.q, state.v, closed, friction(), stick_speed(), {},
                        settled);
}

bool HeldContacts::settle_slipping(const MotionState& state, const std::vector<int>& closed,
                                   const std::vector<HeldContact>& slipping,
                                   ContactMotion::Settled& settled) {
  const auto settles = [&](double stick) {
    return motion_.settle(state.time, state.q, state.v, closed, friction(), stick, slipping,
                          settled);
  };
  double slow_slip = ledger_.micro_bounce_velocity();
  if (!options_.micro_bounce_velocity.given()) {
    slow_slip = std::max(slow_slip, MicroBounceVelocity::kPart * sliding_speed_);
  }
  return settles(stick_speed()) || (friction() && settles(std::max(stick_speed(), slow_slip)));
}

bool HeldContacts::stay(const MotionState& state) {
  std::vector<int> closed;
  closed.reserve(held_.size());
  for (const HeldContact& c : held_) closed.push_back(c.contact);
  ContactMotion::Settled settled;
  if (!settle(state, closed, settled)) return false;
  return settled.held.size() == held_.size() &&
         std::equal(held_.begin(), held_.end(), settled.held.begin(),
                    [](const HeldContact& a, const HeldContact& b) {
                      return a.contact == b.contact && a.friction == b.friction;
                    });
}

}  // namespace percute::simulation

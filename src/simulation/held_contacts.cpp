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
                           const RunLedger& ledger, const Vector& q, EventDrivenMemory& memory)
    : system_(system),
      options_(options),
      ledger_(ledger),
      mass_(system),
      motion_(mass_),
      settling_(mass_),
      is_held_(static_cast<std::size_t>(system.contacts()), 0),
      has_friction_(simulation::has_friction(system, q)),
      law_has_friction_(memory.law_has_friction),
      sliding_speed_(memory.sliding_speed),
      column_(system.coordinates()) {}

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
  const double pressed = column_.cwiseAbs().dot(mass_.free_acceleration().cwiseAbs());
  sliding_speed_ = std::max({sliding_speed_, speeds.maxCoeff(), kRounded * step * pressed});
}

double HeldContacts::sliding(const HeldContact& held, const MotionState& state) const {
  const Matrix T = system_.tangents(held.contact, state.q);
  Eigen::Vector2d u = Eigen::Vector2d::Zero();
  u.head(T.cols()) = T.transpose() * state.v;
  return u.dot(held.direction);
}

std::string HeldContacts::settle_slipping(const MotionState& state, const std::vector<int>& closed,
                                          const std::vector<HeldContact>& slipping,
                                          std::vector<HeldContact>& settled) {
  const auto settles = [&](double stick) {
    return settling_.settle(state, closed, friction(), stick, slipping, settled);
  };
  std::string reason = settles(stick_speed());
  if (reason.empty() || !friction()) return reason;
  double slow_slip = ledger_.micro_bounce_velocity();
  if (!options_.micro_bounce_velocity.given()) {
    slow_slip = std::max(slow_slip, MicroBounceVelocity::kPart * sliding_speed_);
  }
  return settles(std::max(stick_speed(), slow_slip));
}

bool HeldContacts::stay(const MotionState& state) {
  std::vector<int> closed;
  closed.reserve(held_.size());
  for (const HeldContact& c : held_) closed.push_back(c.contact);
  std::vector<HeldContact> settled;
  return settle(state, closed, settled).empty() &&
         std::equal(held_.begin(), held_.end(), settled.begin(), settled.end(),
                    [](const HeldContact& a, const HeldContact& b) {
                      return a.contact == b.contact && a.friction == b.friction;
                    });
}

}  // namespace percute::simulation

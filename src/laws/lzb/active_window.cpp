// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/lzb/active_window.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace percute::laws {

namespace {

/// Steps between two looks whether the window has become too large.
constexpr long kStepsBetweenSweeps = 32;

constexpr int kFar = std::numeric_limits<int>::max();

}  // namespace

void ActiveWindow::start(const ImpactSetup& whole, ContactPhases& phases) {
  whole_ = &whole;
  moving_ = whole.m > numerics::DelassusOperator::kLargestSmall && !whole.tracked_gap &&
            !whole.bodies.used();
  if (!moving_) return;
  widening_ = 0;
  last_look_ = 0;
  const auto size = static_cast<std::size_t>(whole.m);
  xi_.resize(size);
  P_.assign(size, 0.0);
  U_.assign(whole.U_before.begin(), whole.U_before.begin() + whole.m);
  place_.assign(size, -1);
  distance_.assign(size, kFar);
  members_.clear();
  for (int i = 0; i < whole.m; ++i) {
    xi_[i] = phases.initial_indentation(i);
    if (live(phases[i], xi_[i], U_[i])) reach(i, 0);
  }
  choose();
  phases.restrict_to(part_, members_);
}

/// Does the contact exert a force, or will it by its own motion?
bool ActiveWindow::live(const ContactState& state, double xi, double U) const {
  switch (state.phase) {
    case Phase::Compressing:
    case Phase::Expanding:
      return true;
    case Phase::Resting:
      return xi > 0.0 || U < -whole_->drive;
    case Phase::Open:
      return U < -whole_->drive;
  }
  return true;
}

bool ActiveWindow::outdated(const ImpactInstant& now, long steps) {
  if (!moving_) return false;
  for (const int i : rim_) {
    if (live(now.phases[i], now.xi[i], now.U[i])) return true;
  }
  if (steps < last_look_ + kStepsBetweenSweeps) return false;
  last_look_ = steps;
  int alive = 0;
  for (int i = 0; i < part_.m; ++i) alive += live(now.phases[i], now.xi[i], now.U[i]) ? 1 : 0;
  return 2 * (alive + 2 * margin) < part_.m;
}

bool ActiveWindow::overrun(const double* P_trial) {
  if (!moving_) return false;
  for (const int i : rim_) {
    // A neighbour's gap rate changes by less than one's own would.
    if (part_.G.diagonal(i) * (P_trial[i] - P_[members_[i]]) > whole_->motion) {
      ++widening_;
      return true;
    }
  }
  widening_ = 0;
  return false;
}

void ActiveWindow::move(const ImpactInstant& now) {
  store(now);
  for (int i = 0; i < part_.m; ++i) {
    if (live(now.phases[i], now.xi[i], now.U[i])) reach(members_[i], 0);
  }
  choose();
  now.phases.restrict_to(part_, members_);
  // Open contacts may have turned round unseen, slower than what counts as motion.
  for (int i = 0; i < part_.m; ++i) {
    const int contact = members_[i];
    if (now.phases[i].phase != Phase::Open || !(U_[contact] < 0.0)) continue;
    xi_[contact] = now.phases.reenter(
        i, {.time = now.time, .xi = xi_[contact], .P = P_[contact], .U = U_[contact]});
  }
}

void ActiveWindow::store(const ImpactInstant& now) {
  for (int i = 0; i < part_.m; ++i) {
    const int contact = members_[i];
    xi_[contact] = now.xi[i];
    P_[contact] = now.P[i];
    U_[contact] = now.U[i];
  }
}

/// Notes that a contact is this far from a live one.
void ActiveWindow::reach(int contact, int distance) {
  if (distance_[contact] <= distance) return;
  distance_[contact] = distance;
  reached_.push_back(contact);
}

/// The window around the contacts reached so far.
void ActiveWindow::choose() {
  std::size_t next = 0;
  while (next < reached_.size()) {
    const int contact = reached_[next++];
    if (distance_[contact] >= margin + widening_) continue;
    whole_->G.for_row(contact, [&](int j, double) {
      if (distance_[j] == kFar && place_[j] < 0) {
        // Not followed so far: what its neighbours did to it, and whether that drives it.
        U_[j] = whole_->U_before[j] + whole_->G.row(j, P_.data());
        if (U_[j] < -whole_->drive) reach(j, 0);
      }
      reach(j, distance_[contact] + 1);
    });
  }
  for (const int contact : members_) place_[contact] = -1;
  members_.clear();
  for (const int contact : reached_) {
    if (distance_[contact] == kFar) continue;  // seen already
    distance_[contact] = kFar;
    members_.push_back(contact);
  }
  reached_.clear();
  std::sort(members_.begin(), members_.end());
  for (std::size_t i = 0; i < members_.size(); ++i) place_[members_[i]] = static_cast<int>(i);
  part_.assign(*whole_, members_, place_, P_);
  rim_.clear();
  for (int i = 0; i < part_.m; ++i) {
    if (part_.G.nonzeros_of_row(i) < whole_->G.nonzeros_of_row(members_[i])) rim_.push_back(i);
  }
}

double ActiveWindow::fastest_outside() const {
  double fastest = 0.0;
  for (int i = 0; moving_ && i < whole_->m; ++i) {
    if (place_[i] < 0) fastest = std::max(fastest, std::abs(U_[i]));
  }
  return fastest;
}

void ActiveWindow::finish(const ImpactInstant& now) {
  if (!moving_) return;
  store(now);
  whole_->G.apply(whole_->U_before.data(), P_.data(), U_.data());
  now.phases.rejoin(*whole_);
}

}  // namespace percute::laws

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/lzb/dynamics.hpp"

#include <limits>

namespace percute::laws {

namespace {

constexpr double kNoLimit = -std::numeric_limits<double>::infinity();

}  // namespace

void LzbDynamics::assign(const ImpactSetup& setup, const ContactPhases& phases) {
  setup_ = &setup;
  phases_ = &phases;
  const auto lanes = static_cast<std::size_t>(setup.lanes);
  U_.assign(lanes, 0.0);
  rows_.assign(kRows * lanes, 0.0);
  for (std::size_t i = 0; i < lanes; ++i) {
    rows_[kLowest * lanes + i] = rows_[kLeastRate * lanes + i] = kNoLimit;
  }
  special_.reserve(static_cast<std::size_t>(setup.m));
  evaluations_ = 0;
  refresh();
}

void LzbDynamics::refresh() {
  revision_ = phases_->revision();
  special_.clear();
  polynomial_ = false;
  const int lanes = setup_->lanes;
  for (int i = 0; i < setup_->m; ++i) {
    const ContactState& s = (*phases_)[i];
    const ContactLaw& contact = setup_->contact[i];
    const bool loaded = s.phase != Phase::Open;
    const bool resting = s.phase == Phase::Resting;
    ContactLaw::Polynomial force;
    const bool simple = !loaded || contact.polynomial(s.plastic, force);
    if (!simple || (resting && setup_->tracked_gap)) special_.push_back(i);
    polynomial_ =
        polynomial_ || force.constant != 0.0 || force.linear != 0.0 || force.square != 0.0;
    const bool limited = loaded && !resting && contact.singular();
    double* column = rows_.data() + i;
    column[kMinusGain * lanes] = -s.gain;
    column[kInertia * lanes] = resting ? setup_->noise : 0.0;
    column[kLeastRate * lanes] = resting ? 0.0 : kNoLimit;
    column[kHertz * lanes] = force.hertz;
    column[kConstant * lanes] = force.constant;
    column[kLinear * lanes] = force.linear;
    column[kSquare * lanes] = force.square;
    column[kLowest * lanes] = limited ? -setup_->spent[i] : kNoLimit;
  }
}

void LzbDynamics::evaluate_special(const double* y, double* f, int lanes) const {
  for (const int i : special_) {
    const ContactState& s = (*phases_)[i];
    const double xi = y[i];
    double& force = f[lanes + i];
    force = setup_->contact[i].force(xi, s.plastic);
    if (s.phase != Phase::Resting || !setup_->tracked_gap) continue;
    // Driven together it loads; driven apart it opens a gap (ξ < 0).
    const double U = U_[i];
    const bool drifts = xi <= setup_->spent[i];
    f[i] = U < -setup_->noise || (drifts && U > setup_->noise) ? -U : 0.0;
    if (xi <= 0.0) force = 0.0;
  }
}

}  // namespace percute::laws

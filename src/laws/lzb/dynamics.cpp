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
  small_ = setup.m <= numerics::DelassusOperator::kLargestSmall && !setup.bodies.used();
  if (small_) {
    rates_.clear(setup.lanes);
  } else {
    U_.assign(lanes, 0.0);
  }
  rows_.assign(Rows * lanes, 0.0);
  for (std::size_t i = 0; i < lanes; ++i) {
    rows_[Lowest * lanes + i] = rows_[LeastRate * lanes + i] = kNoLimit;
    rows_[Free * lanes + i] = 1.0;
  }
  landing_ = -1;
  special_.reserve(static_cast<std::size_t>(setup.m));
  polynomial_ = false;
  for (const ContactLaw& contact : setup.contact) {
    polynomial_ = polynomial_ || !(contact.hertz() || contact.general());
  }
  special_.clear();
  revision_ = -1;
  refresh();
}

void LzbDynamics::refresh() {
  for (int i = 0; i < setup_->m; ++i) {
    if ((*phases_)[i].revision > revision_) refresh(i);
  }
  revision_ = phases_->revision();
  special_.clear();
  for (int i = 0; i < setup_->m; ++i) {
    const Phase phase = (*phases_)[i].phase;
    const bool resting = phase == Phase::Resting && setup_->tracked_gap;
    const bool general = phase != Phase::Open && setup_->contact[i].general();
    if (resting || general) special_.push_back(i);
  }
  choose_path();
}

void LzbDynamics::refresh(int i) {
  const ContactState& s = (*phases_)[i];
  const ContactLaw& contact = setup_->contact[i];
  const bool resting = s.phase == Phase::Resting;
  const bool loaded = s.phase != Phase::Open;
  const bool limited = loaded && !resting && contact.singular();
  const auto force = loaded ? contact.polynomial(s.plastic) : ContactLaw::Polynomial{};
  const int lanes = setup_->lanes;
  double* column = rows_.data() + i;
  const double inertia = resting ? setup_->drive : 0.0;
  column[MinusGain * lanes] = -s.gain;
  column[Inertia * lanes] = inertia;
  column[FirstRate * lanes] = -s.gain * setup_->U_before[i] - inertia;
  if (small_) rates_.set_row(i, setup_->G.small(), -s.gain);
  column[LeastRate * lanes] = resting ? 0.0 : kNoLimit;
  column[Hertz * lanes] = force.hertz;
  column[Constant * lanes] = force.constant;
  column[Linear * lanes] = force.linear;
  column[Square * lanes] = force.square;
  column[Lowest * lanes] = limited ? -setup_->contact[i].spent : kNoLimit;
}

bool LzbDynamics::evaluate_arrays(const double* y, double* f) {
  const int lanes = setup_->lanes;
  using Array = Eigen::ArrayXd;
  const auto row = [&](Row r) { return Eigen::Map<const Array>(rows_.data() + r * lanes, lanes); };
  setup_->gap_rates(y, U_.data());
  const Eigen::Map<const Array> xi(y, lanes);
  const Eigen::Map<const Array> U(U_.data(), lanes);
  Eigen::Map<Array> rate(f, lanes);
  Eigen::Map<Array> force(f + lanes, lanes);
  rate = (row(MinusGain) * U - row(Inertia)).max(row(LeastRate));
  force = row(Hertz) * xi.max(0.0) * xi.max(0.0).sqrt();
  if (polynomial_) force += row(Constant) + xi * (row(Linear) + xi * row(Square));
  return !((xi - row(Lowest)).minCoeff() < 0.0);
}

void LzbDynamics::evaluate_special(const double* y, double* f, int lanes) const {
  for (const int i : special_) {
    const ContactState& s = (*phases_)[i];
    const double xi = y[i];
    double& force = f[lanes + i];
    force = setup_->contact[i].force(xi, s.plastic);
    if (s.phase != Phase::Resting || !setup_->tracked_gap) continue;
    // Driven together it loads; driven apart it opens a gap (ξ < 0).
    const double U = setup_->gap_rate(i, y);
    const bool drifts = xi <= setup_->contact[i].spent;
    f[i] = U < -setup_->drive || (drifts && U > setup_->drive) ? -U : 0.0;
    if (xi <= 0.0) force = 0.0;
  }
}

}  // namespace percute::laws

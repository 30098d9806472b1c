// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/lzb/frictionless_equations.hpp"

#include <cmath>
#include <limits>

namespace percute::laws {

namespace {

constexpr double kNoLimit = -std::numeric_limits<double>::infinity();

}  // namespace

void LzbDynamics::assign(const ImpactSetup& setup, const ContactPhases& phases) {
  setup_ = &setup;
  phases_ = &phases;
  const auto lanes = static_cast<std::size_t>(setup.lanes);
  const bool small = setup.m <= numerics::DelassusOperator::kLargestSmall && !setup.bodies.used();
  known_lanes_ = small ? setup.lanes : 0;
  if (small) rates_.clear(setup.lanes);
  work_.assign(lanes + static_cast<std::size_t>(setup.bodies.size()), 0.0);
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
  if (known_lanes_ > 0) rates_.set_row(i, setup_->G.small(), -s.gain);
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
  setup_->gap_rates(y, work_.data());
  const Eigen::Map<const Array> xi(y, lanes);
  const Eigen::Map<const Array> U(work_.data(), lanes);
  Eigen::Map<Array> rate(f, lanes);
  Eigen::Map<Array> force(f + lanes, lanes);
  rate = (row(MinusGain) * U - row(Inertia)).max(row(LeastRate));
  force = row(Hertz) * xi.max(0.0) * xi.max(0.0).sqrt();
  if (polynomial_) force += row(Constant) + xi * (row(Linear) + xi * row(Square));
  return !((xi - row(Lowest)).minCoeff() < 0.0);
}

void LzbDynamics::look(const double* slope, const double* y, RowMotion& motion) {
  const ImpactSetup& s = *setup_;
  const double pace = slope[s.clock()];
  const double* forces = slope + s.lanes;
  const double* accelerations = slope + s.velocities();
  if (pace == 0.0) {
    for (int i = 0; i < s.m; ++i) work_[i] = phases_->force(i, y[i]);
    forces = work_.data();
    accelerations = work_.data() + s.lanes;
    if (s.bodies.used()) s.bodies.accelerations(forces, work_.data() + s.lanes);
  }
  if (s.bodies.used()) {
    s.gap_rates(y, motion.U.data());
    s.bodies.gap_rates(s.zero.data(), accelerations, motion.a.data());
  } else {
    with_lanes([&](auto lanes) {
      s.G.apply<lanes()>(s.U_before.data(), y + s.lanes, motion.U.data());
      s.G.apply<lanes()>(s.zero.data(), forces, motion.a.data());
    });
  }
  if (pace != 0.0 && pace != 1.0) Eigen::Map<Eigen::ArrayXd>(motion.a.data(), s.lanes) /= pace;
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

void StiffStep::assign(const ImpactSetup& setup, const ContactPhases& phases) {
  setup_ = &setup;
  phases_ = &phases;
  if (setup.m <= kMostContacts) part_.setZero(2 * setup.m, 2 * setup.m);
}

/// dλ/dξ of contact i.
double StiffStep::force_slope(int i, double xi) const {
  const ContactState& s = (*phases_)[i];
  if (s.phase == Phase::Open || (s.phase == Phase::Resting && xi <= 0.0)) return 0.0;
  return setup_->contact[i].slope(xi, s.plastic);
}

StiffStep::Fastest StiffStep::fastest(const double* xi, const double* a) const {
  Fastest result;
  for (int i = 0; i < setup_->m; ++i) {
    const double square = (*phases_)[i].gain * force_slope(i, xi[i]) * setup_->G.diagonal(i);
    if (!(square > result.frequency * result.frequency)) continue;
    result.frequency = std::sqrt(square);
    result.speed = std::abs(a[i]) / result.frequency;
  }
  return result;
}

void StiffStep::note(const double* y, const double* slope) {
  const int m = setup_->m;
  for (int i = 0; i < m; ++i) {
    // Contacts at rest that are not driven do not respond.
    const bool held = (*phases_)[i].phase == Phase::Resting && slope[i] == 0.0;
    part_(i, m + i) = held ? 0.0 : -(*phases_)[i].gain;
    part_(m + i, i) = force_slope(i, y[i]);
  }
}

void StiffStep::frame(Matrix& B, Matrix& C) const {
  const int m = setup_->m;
  const int size = setup_->clock() + 2;
  const BodyVelocities& bodies = setup_->bodies;
  B.setZero(size, 2 * m);
  C.setZero(2 * m, size);
  Vector force = Vector::Zero(setup_->lanes);
  for (int i = 0; i < m; ++i) {
    B(i, i) = B(setup_->lanes + i, m + i) = C(i, i) = 1.0;
    if (!bodies.used()) {
      setup_->G.for_row(i, [&](int j, double G_ij) { C(m + i, setup_->lanes + j) = G_ij; });
      continue;
    }
    bodies.for_column(i, [&](int k, double W_ki) { C(m + i, setup_->velocities() + k) = W_ki; });
    force[i] = 1.0;
    bodies.accelerations(force.data(), B.col(m + i).data() + setup_->velocities());
    force[i] = 0.0;
  }
}

}  // namespace percute::laws

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/lzb/stiff_step.hpp"

#include "numerics/radau_table.hpp"

#include <algorithm>
#include <cmath>

namespace percute::laws {

namespace {

constexpr int kStages = numerics::RadauTable::kStages;
using numerics::radau_table;
constexpr int kIterations = 8;
/// Last correction of Newton's method, relative to ξ; the next would be its square.
constexpr double kConverged = 1e-9;

}  // namespace

double StiffStep::growth(double error) {
  return numerics::RadauTable::growth(std::max(error, 1e-10));
}

void StiffStep::assign(const ImpactSetup& setup, const ContactPhases& phases) {
  setup_ = &setup;
  phases_ = &phases;
  prepared_ = false;
}

/// Memory, and the matrix G as a whole: only once stiffness was met.
void StiffStep::prepare() {
  if (prepared_) return;
  prepared_ = true;
  const Eigen::Index m = setup_->m;
  G_ = Matrix::Zero(m, m);
  for (int i = 0; i < setup_->m; ++i) {
    setup_->G.for_row(i, [&](int j, double G_ij) { G_(i, j) = G_ij; });
  }
  for (auto* v : {&y_, &f_}) v->setZero(setup_->clock() + 2, kStages);
  error_.setZero(setup_->clock() + 2);
  gain_.setZero(m);
  slope_.setZero(m);
}

/// dλ/dξ of contact i.
double StiffStep::force_slope(int i, double xi) const {
  const ContactState& s = (*phases_)[i];
  if (s.phase == Phase::Open || (s.phase == Phase::Resting && xi <= 0.0)) return 0.0;
  return setup_->contact[i].slope(xi, s.plastic);
}

StiffStep::Fastest StiffStep::fastest(const ImpactStep& step) const {
  Fastest result;
  for (int i = 0; i < setup_->m; ++i) {
    const double square =
        (*phases_)[i].gain * force_slope(i, step.rk.state()[i]) * setup_->G.diagonal(i);
    if (!(square > result.frequency * result.frequency)) continue;
    result.frequency = std::sqrt(square);
    result.speed = std::abs(step.a0[i]) / result.frequency;
  }
  return result;
}

bool StiffStep::attempt(ImpactStep& step, double h) {
  prepare();
  h_ = h;
  const int m = setup_->m;
  const Eigen::Index n = step.rk.size();
  const Eigen::Map<const Vector> y0(step.rk.state(), n);
  const Eigen::Map<const Vector> f0(step.rk.slope(), n);
  for (int k = 0; k < kStages; ++k) {
    y_.col(k) = y0 + (numerics::RadauTable::kNodes[k] * h) * f0;
    // What has a root in its force is not defined beyond its opening.
    for (int i = 0; i < m; ++i) {
      if (setup_->contact[i].singular()) y_(i, k) = std::max(y_(i, k), 0.1 * std::max(y0[i], 0.0));
    }
  }
  for (int round = 0; round < kIterations; ++round) {
    if (!evaluate(step)) return false;
    const double change = correct(y0);
    if (!std::isfinite(change)) return false;
    if (change > kConverged) continue;
    if (!evaluate(step)) return false;
    std::copy_n(y_.col(kStages - 1).data(), n, step.rk.trial());
    std::copy_n(f_.col(kStages - 1).data(), n, step.rk.trial_slope());
    return true;
  }
  return false;
}

/// Slopes of all stages with these indentations: forces first, then what they do, then gap rates.
bool StiffStep::evaluate(ImpactStep& step) {
  const auto slopes = [&] {
    for (int k = 0; k < kStages; ++k) {
      if (!step.evaluate(0.0, y_.col(k).data(), f_.col(k).data())) return false;
    }
    return true;
  };
  if (!slopes()) return false;
  const int first = setup_->lanes;
  const Eigen::Index rest = y_.rows() - first;
  const Eigen::Map<const Vector> y0(step.rk.state(), y_.rows());
  y_.bottomRows(rest) =
      (h_ * f_.bottomRows(rest) * radau_table().a.transpose()).colwise() + y0.tail(rest);
  return slopes();
}

/// One correction of Newton's method; returns its size relative to the indentations.
double StiffStep::correct(const Eigen::Map<const Vector>& y0) {
  const int m = setup_->m;
  residual_.resize(kStages * m);
  jacobian_.resize(kStages * m, kStages * m);
  for (int i = 0; i < m; ++i) {
    // Contacts at rest that are not driven do not respond.
    const bool held = (*phases_)[i].phase == Phase::Resting && f_(i, kStages - 1) == 0.0;
    gain_[i] = held ? 0.0 : (*phases_)[i].gain;
  }
  for (int j = 0; j < kStages; ++j) {
    for (int i = 0; i < m; ++i) slope_[i] = force_slope(i, y_(i, j));
    for (int k = 0; k < kStages; ++k) {
      auto block = jacobian_.block(k * m, j * m, m, m);
      block =
          (h_ * h_ * radau_table().twice(k, j)) * (gain_.asDiagonal() * G_ * slope_.asDiagonal());
      if (k == j) block.diagonal().array() += 1.0;
    }
    residual_.segment(j * m, m) =
        y_.col(j).head(m) - y0.head(m) - h_ * (f_.topRows(m) * radau_table().a.row(j).transpose());
  }
  factors_.compute(jacobian_);
  residual_ = factors_.solve(residual_).eval();
  double change = 0.0;
  for (int i = 0; i < m; ++i) {
    double largest = 0.0;
    double correction = 0.0;
    for (int k = 0; k < kStages; ++k) {
      y_(i, k) -= residual_[k * m + i];
      largest = std::max(largest, std::abs(y_(i, k)));
      correction = std::max(correction, std::abs(residual_[k * m + i]));
    }
    if (!(correction <= 0.0))
      change = std::max(change, correction / (largest + setup_->contact[i].spent));
  }
  return std::isfinite(residual_.sum()) ? change : residual_.sum();
}

/// (1 − hγJ)⁻¹ h (γ f₀ + Σ_j d_j f_j), J being the Jacobian of the dynamics at the start: an
/// oscillation that the step passes over counts with its amplitude. With r = (r_ξ, r_P),
///
///     (1 + h²γ² gain G Λ) e_ξ = r_ξ − hγ gain G r_P,   e_P = r_P + hγ Λ e_ξ.
double StiffStep::error(ImpactStep& step, double tolerance) {
  const int m = setup_->m;
  const int lanes = setup_->lanes;
  const double reach = h_ * numerics::RadauTable::kStart;
  const Eigen::Map<const Vector> f0(step.rk.slope(), f_.rows());
  error_ = reach * f0 + h_ * (f_ * radau_table().estimate);
  Vector pushed(m);  // G r_P
  if (setup_->bodies.used()) {
    setup_->bodies.gap_rates(setup_->zero.data(), error_.data() + setup_->velocities(),
                             pushed.data());
  } else {
    pushed = G_ * error_.segment(lanes, m);
  }
  for (int i = 0; i < m; ++i) slope_[i] = force_slope(i, step.rk.state()[i]);
  Matrix filter = (reach * reach) * (gain_.asDiagonal() * G_ * slope_.asDiagonal());
  filter.diagonal().array() += 1.0;
  factors_.compute(filter);
  error_.head(m) = factors_.solve(error_.head(m) - reach * gain_.cwiseProduct(pushed)).eval();
  Vector forces = Vector::Zero(lanes);
  forces.head(m) = reach * slope_.cwiseProduct(error_.head(m));
  error_.segment(lanes, lanes) += forces;
  if (setup_->bodies.used()) {
    Vector velocities(setup_->bodies.size());
    setup_->bodies.accelerations(forces.data(), velocities.data());
    error_.segment(setup_->velocities(), velocities.size()) += velocities;
  }
  return step.size_of_error(error_.data(), tolerance);
}

void StiffStep::prepare_dense(ImpactStep& step) const {
  std::array<double, ImpactStep::RK::kInner> theta{};
  std::array<const double*, ImpactStep::RK::kInner> slopes{};
  static_assert(ImpactStep::RK::kInner == kStages - 1);
  for (std::size_t k = 0; k < theta.size(); ++k) {
    theta[k] = numerics::RadauTable::kNodes[k];
    slopes[k] = f_.col(static_cast<Eigen::Index>(k)).data();
  }
  step.rk.fit_dense(h_, theta, slopes);
}

}  // namespace percute::laws

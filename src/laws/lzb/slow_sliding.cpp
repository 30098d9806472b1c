// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/lzb/friction_step.hpp"

#include <Eigen/LU>

#include <algorithm>
#include <cmath>

// Slow sliding in space. With U_t = s u(φ) and w = dU_t/dτ,
//
//     s dφ/dτ = u⊥·w,
//
// which is stiff where s is small: φ stays near the φ* at which u⊥·w = 0, and the slow solution is
//
//     u⊥·w (φ) = s dφ*/dτ + O(s²).
//
// All slow contacts have their equation, which Newton's method solves for all φ together. Contacts
// that share their velocity settle one direction between them as they begin to slide: the equations
// are almost dependent then, and the derivatives have to be exact. dφ*/dτ is the difference to the
// solution a moment later.

namespace percute::laws {

namespace {

using Direction = FrictionModes::Direction;

constexpr double kMoment = 1e-6;  ///< of the time scale
constexpr double kMost = 0.3;     ///< radians, of one step
constexpr int kMostSteps = 20;
constexpr double kAccuracy = 1e-13;

Direction turned(const Direction& u, double angle) {
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  return {c * u[0] - s * u[1], s * u[0] + c * u[1]};
}

double across(const Direction& u, const double* w) {
  return u[0] * w[1] - u[1] * w[0];
}

}  // namespace

/// u⊥·w of all slow contacts with the forces p (normal, then tangential rows).
Vector FrictionStep::turning(const double* p) {
  friction_->apply(zero_.data(), p, slow_rates_.data());
  Vector out(static_cast<Eigen::Index>(slow_list_.size()));
  for (Eigen::Index k = 0; k < out.size(); ++k) {
    const int i = slow_list_[static_cast<std::size_t>(k)];
    out[k] = across(modes.direction(i), slow_rates_.data() + setup_->m + friction_->row(i));
  }
  return out;
}

/// u·w of all slow contacts with the rates of the last turning().
Vector FrictionStep::along_slow() const {
  Vector out(static_cast<Eigen::Index>(slow_list_.size()));
  for (Eigen::Index k = 0; k < out.size(); ++k) {
    const int i = slow_list_[static_cast<std::size_t>(k)];
    const Direction& u = modes.direction(i);
    const double* w = slow_rates_.data() + setup_->m + friction_->row(i);
    out[k] = u[0] * w[0] + u[1] * w[1];
  }
  return out;
}

/// Turns the slow contacts until u⊥·w is the target; p holds the forces then. False if that fails.
bool FrictionStep::turn_slow(const double* lambda, const double* U_t, const Vector& target,
                             double* p) {
  const int m = setup_->m;
  const Eigen::Index n = target.size();
  std::copy_n(lambda, m, p);
  modes.forces(lambda, U_t, p + m);
  double scale = 0.0;
  Vector missing = target - turning(p);
  for (int r = m; r < friction_->rows; ++r) scale = std::max(scale, std::abs(slow_rates_[r]));
  for (int i = 0; i < m; ++i) {
    for (int r = friction_->row(i); r < friction_->row(i) + friction_->size(i); ++r) {
      scale = std::max(scale, friction_->coupling(r, r) * std::abs(p[m + r]));
    }
  }
  Matrix J(n, n);
  for (int step = 0; step < kMostSteps; ++step) {
    if (missing.cwiseAbs().maxCoeff() <= kAccuracy * scale) return true;
    // Forces, and w, are linear in each u: what u⊥ adds to it is the exact derivative.
    const Vector present = turning(p);
    const Vector drawn = along_slow();
    for (Eigen::Index j = 0; j < n; ++j) {
      const int i = slow_list_[static_cast<std::size_t>(j)];
      const Direction u = modes.direction(i);
      modes.direct(i, {u[0] - u[1], u[1] + u[0]});
      modes.forces(lambda, U_t, p + m);
      modes.direct(i, u);
      J.col(j) = turning(p) - present;
      J(j, j) -= drawn[j];
    }
    const Vector turn = J.partialPivLu().solve(missing);
    if (!turn.allFinite()) return false;
    for (Eigen::Index k = 0; k < n; ++k) {
      const int i = slow_list_[static_cast<std::size_t>(k)];
      modes.direct(i, turned(modes.direction(i), std::clamp(turn[k], -kMost, kMost)));
    }
    modes.forces(lambda, U_t, p + m);
    missing = target - turning(p);
  }
  return missing.cwiseAbs().maxCoeff() <= 1e3 * kAccuracy * scale;
}

/// Gives slow contacts their directions at the state y, and f the forces that follow.
void FrictionStep::direct_slow(const double* y, double* f) {
  const int m = setup_->m;
  double* lambda = f + m;
  const double* U_t = U_.data() + m;
  slow_list_.clear();
  for (int i = 0; i < m; ++i) {
    if (modes.slow(i) && lambda[i] > 0.0) slow_list_.push_back(i);
  }
  const auto n = static_cast<Eigen::Index>(slow_list_.size());
  if (n == 0) return;
  Vector target = Vector::Zero(n);
  if (!turn_slow(lambda, U_t, target, lambda)) {
    lost_ = true;
    return;
  }
  std::vector<Direction> ideal;
  ideal.reserve(slow_list_.size());
  for (const int i : slow_list_) ideal.push_back(modes.direction(i));

  // A moment later.
  const double moment = kMoment * setup_->time_scale;
  for (int r = m; r < friction_->rows; ++r) slow_later_[r] = U_[r] + moment * slow_rates_[r];
  for (int i = 0; i < m; ++i) {
    const bool plastic = (*phases_)[i].plastic;
    slow_forces_[i] =
        lambda[i] == 0.0 ? 0.0 : setup_->contact[i].force(y[i] + moment * f[i], plastic);
  }
  const bool later =
      turn_slow(slow_forces_.data(), slow_later_.data() + m, target, slow_forces_.data());
  for (Eigen::Index k = 0; k < n; ++k) {
    const int i = slow_list_[static_cast<std::size_t>(k)];
    const Direction& u = ideal[static_cast<std::size_t>(k)];
    const double turned_by = across(u, modes.direction(i).data());
    if (later) target[k] = modes.speed(i, U_t) * turned_by / moment;
    modes.direct(i, u);
  }
  if (!turn_slow(lambda, U_t, target, lambda)) lost_ = true;
}

}  // namespace percute::laws

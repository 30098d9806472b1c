// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "simulation/compliant_integrator.hpp"

#include <algorithm>
#include <cmath>

namespace percute::simulation {

// Friction of contacts while their tangents and their mass change.

namespace {

/// Contacts that have just touched have no force yet. Who sticks depends on the ratios of the
/// forces only: they are those of a moment later, in units of the time scale.
constexpr double kMoment = 1e-9;

}  // namespace

/// Tangents and sliding velocities at q_, v_ of contacts with a force.
void CompliantIntegrator::look_at_tangents() {
  for (int i = 0; i < m_; ++i) {
    if (!friction_.acts(i) || !contact(i).touching()) continue;
    const Matrix tangents = system_.contact(i, q_).tangents;
    for (int d = 0; d < friction_.size(i); ++d) {
      const int row = friction_.row(i) + d;
      T_.col(row) = tangents.col(d);
      U_t_[static_cast<std::size_t>(row)] = tangents.col(d).dot(v_);
    }
  }
}

/// Friction at q_, v_ with the normal forces F_; a_ is the smooth force, and the mass matrix is
/// factored.
void CompliantIntegrator::friction_forces() {
  look_at_tangents();
  if (friction_.any_sticks()) move_friction();
  friction_.forces(F_, U_t_.data(), f_t_.data());
}

/// Tells friction what it needs of contacts that do not slide: the Delassus matrix of all rows, and
/// how the sliding velocities would change without contact forces, Tᵀ M⁻¹ f + Ṫᵀ v. The last term
/// is a central difference along v.
void CompliantIntegrator::move_friction() {
  const int rows = rows_.back();
  Matrix H = Matrix::Zero(n_, m_ + rows);
  for (int i = 0; i < m_; ++i) {
    if (!contact(i).touching()) continue;
    H.col(i) = W_.col(i);
    for (int row = rows_[static_cast<std::size_t>(i)]; row < rows_[static_cast<std::size_t>(i) + 1];
         ++row) {
      H.col(m_ + row) = T_.col(row);
    }
  }
  Matrix MinvH(n_, m_ + rows);
  for (int c = 0; c < m_ + rows; ++c) {
    x_ = H.col(c);
    if (!x_.isZero(0.0)) solver_->solve(x_);
    MinvH.col(c) = x_;
  }
  x_ = a_;
  solver_->solve(x_);
  Vector acceleration = H.rightCols(rows).transpose() * x_;
  const double speed = v_.cwiseAbs().maxCoeff();
  if (speed > 0.0) {
    const double step = 6e-6 * (1.0 + q_.cwiseAbs().maxCoeff()) / speed;
    const Vector ahead = q_ + step * v_;
    const Vector behind = q_ - step * v_;
    for (int i = 0; i < m_; ++i) {
      if (!friction_.acts(i) || !contact(i).touching()) continue;
      const Matrix turn = system_.contact(i, ahead).tangents - system_.contact(i, behind).tangents;
      acceleration.segment(friction_.row(i), friction_.size(i)) +=
          turn.transpose() * v_ / (2.0 * step);
    }
  }
  const Matrix A = H.transpose() * MinvH;
  friction_.move_to(SparseMatrix(A.sparseView()), acceleration);
}

/// Forces and sliding velocities at q_, v_, or with gaps closing on a moment ahead.
void CompliantIntegrator::look_at_friction(double t, double ahead) {
  solver_->factor(q_);
  system_.force(t, q_, v_, a_);
  contact_forces();
  if (ahead > 0.0) {
    for (int i = 0; i < m_; ++i) {
      if (!contact(i).touching()) continue;
      const double U = stage_.U[i];
      F_[static_cast<std::size_t>(i)] = contact(i).force(stage_.h[i] + ahead * std::min(U, 0.0), U);
    }
  }
  look_at_tangents();
  move_friction();
}

void CompliantIntegrator::look_at_friction_now(double ahead) {
  q_ = Eigen::Map<const Vector>(rk_.state(), n_);
  v_ = Eigen::Map<const Vector>(rk_.state() + n_, n_);
  look_at_friction(time_, ahead);
  for (const double U : U_t_) fastest_ = std::max(fastest_, std::abs(U));
  friction_.set_stop(std::max(1e-10, 0.1 * method_.law.tolerance) * std::max(fastest_, approach_));
}

/// Friction of contacts that have just closed.
void CompliantIntegrator::begin_friction(const std::vector<int>& contacts) {
  if (!friction_.any()) return;
  look_at_friction_now(kMoment * time_unit_);
  bool infinite = false;
  const std::vector<int> resting = friction_.begin(contacts, U_t_.data(), infinite);
  if (infinite) stop_infinite();
  friction_.settle(resting, F_, U_t_.data());
}

/// Infinite friction stops sliding by an impulse, before there is any pressure.
void CompliantIntegrator::stop_infinite() {
  const Vector p = friction_.stopping_impulse(U_t_.data());
  const std::vector<double> before = U_t_;
  x_ = T_ * p;
  solver_->solve(x_);
  Eigen::Map<Vector>(rk_.state() + n_, n_) += x_;
  look(rk_.state(), now_);
  look_at_friction_now(kMoment * time_unit_);
  for (int i = 0; i < m_; ++i) {
    if (!friction_.acts(i) || friction_.mode(i) == ContactFriction::Mode::Off) continue;
    for (int row = friction_.row(i); row < friction_.row(i) + friction_.size(i); ++row) {
      const auto r = static_cast<std::size_t>(row);
      rk_.state()[friction_loss(i)] -= 0.5 * p[row] * (before[r] + U_t_[r]);
    }
    if (!std::isinf(friction_.coefficient(i))) friction_.starts_sliding(i, U_t_.data());
  }
}

/// Takes over sliding directions at the start of a step.
void CompliantIntegrator::refresh_friction() {
  if (in_flight() || !friction_.any() || friction_.regularised()) return;
  look_at_friction_now(0.0);
  const int died = friction_.refresh(F_, U_t_.data());
  if (died >= 0) {
    apply_friction({.contact = died, .change = Change::Stop});
    rk_.start(rhs(), time_);
  }
}

void CompliantIntegrator::apply_friction(const Crossing& crossing) {
  const int i = crossing.contact;
  look_at_friction_now(kMoment * time_unit_);
  if (crossing.change == Change::Slip) {
    friction_.release(i, crossing.direction.data(), U_t_.data());
    tell(i, EventKind::Sliding);
    return;
  }
  if (!friction_.stopped(i, U_t_.data())) {
    // It came close to a stop and slides on, another way.
    friction_.refresh(F_, U_t_.data());
    return;
  }
  friction_.settle({i}, F_, U_t_.data());
  tell(i, friction_.mode(i) == ContactFriction::Mode::Stick ? EventKind::Sticking
                                                            : EventKind::Sliding);
}

}  // namespace percute::simulation

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "simulation/newmark_step.hpp"

#include "numerics/lcp.hpp"
#include "numerics/orthogonal_factor.hpp"
#include "simulation/cut_bounce.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace percute::simulation {

namespace {

constexpr int kNewtonIterations = 60;
// Parts of the largest coordinate, or of how far one moves in the step.
constexpr double kCorrection = 5e-17;  // no position changes any more
constexpr double kStagnation = 5e-15;  // corrections below this that no longer halve are rounding

}  // namespace

NewmarkStep::NewmarkStep(const systems::AnySystem& system)
    : system_(system), solver_(system.solver()) {
  const auto n = system.coordinates();
  const auto m = system.contacts();
  f_.resize(n);
  r_.resize(n);
  column_.resize(n);
  gaps_.resize(m);
  W_.resize(n, m);
  Y_.resize(n, m);
}

/// W, Y = solve(W) and A = Wᵀ Y of the held contacts.
template <class Solve>
void NewmarkStep::prepare(const std::vector<int>& held, const Vector& q, Solve&& solve) {
  const auto k = static_cast<Eigen::Index>(held.size());
  for (Eigen::Index j = 0; j < k; ++j) {
    system_.gradient(held[static_cast<std::size_t>(j)], q, column_);
    W_.col(j) = column_;
    solve(column_);
    Y_.col(j) = column_;
  }
  A_.noalias() = W_.leftCols(k).transpose() * Y_.leftCols(k);
  b_.resize(k);
  x_.resize(k);
}

/// A x = b; of least norm where contacts are redundant.
void NewmarkStep::solve_small(const Vector& b, Vector& x) const {
  if (b.size() == 1) {
    x[0] = b[0] / A_(0, 0);
  } else {
    x = numerics::OrthogonalFactor(A_).solve(b);
  }
}

bool NewmarkStep::accelerate(double t, const std::vector<int>& held, NewmarkState& state) {
  if (!solver_->factor(state.q)) return false;
  system_.force(t, state.q, state.v, state.a);
  solver_->solve(state.a);
  const auto k = static_cast<Eigen::Index>(held.size());
  state.force.resize(k);
  if (k == 0) return true;
  prepare(held, state.q, [&](Vector& x) { solver_->solve(x); });
  for (Eigen::Index j = 0; j < k; ++j) {
    b_[j] = -W_.col(j).dot(state.a) -
            system_.gap_curvature(held[static_cast<std::size_t>(j)], state.q, state.v);
  }
  solve_small(b_, state.force);
  state.a.noalias() += Y_.leftCols(k) * state.force;
  return true;
}

// Newton on F₁ for r = M(q₁) F₁ − f(q₁, v₁) − W λ, with the matrix M + Δt²/4 K of the start.
bool NewmarkStep::advance(double t, double dt, const std::vector<int>& held,
                          const NewmarkState& from, NewmarkState& to) {
  const double c = 0.25 * dt * dt;
  if (!solver_->factor_stiffened(from.q, c)) return false;
  const auto k = static_cast<Eigen::Index>(held.size());
  if (k > 0) prepare(held, from.q, [&](Vector& x) { solver_->solve_stiffened(x); });
  to.a = from.a;
  to.force = from.force;
  const double size =
      std::max({from.q.lpNorm<Eigen::Infinity>(), dt * from.v.lpNorm<Eigen::Infinity>(),
                c * from.a.lpNorm<Eigen::Infinity>()});
  double before = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kNewtonIterations; ++i) {
    ++iterations_;
    to.q = from.q + dt * from.v + c * (from.a + to.a);
    to.v = from.v + 0.5 * dt * (from.a + to.a);
    if (!solver_->factor(to.q)) return false;
    solver_->multiply(to.a, r_);
    system_.force(t + dt, to.q, to.v, f_);
    r_ -= f_;
    for (Eigen::Index j = 0; j < k; ++j) {
      system_.gradient(held[static_cast<std::size_t>(j)], to.q, column_);
      W_.col(j) = column_;
      r_ -= to.force[j] * column_;
    }
    solver_->solve_stiffened(r_);
    if (k > 0) {
      for (Eigen::Index j = 0; j < k; ++j) {
        b_[j] = W_.col(j).dot(r_) - W_.col(j).dot(to.a) -
                system_.gap_curvature(held[static_cast<std::size_t>(j)], to.q, to.v);
      }
      solve_small(b_, x_);
      to.force += x_;
      r_.noalias() -= Y_.leftCols(k) * x_;
    }
    to.a -= r_;
    const double correction = c * r_.lpNorm<Eigen::Infinity>();
    if (correction <= kCorrection * size ||
        (correction <= kStagnation * size && correction > 0.5 * before)) {
      to.q = from.q + dt * from.v + c * (from.a + to.a);
      to.v = from.v + 0.5 * dt * (from.a + to.a);
      return true;
    }
    if (!std::isfinite(correction)) return false;
    before = correction;
  }
  return false;
}

void NewmarkStep::hold(const std::vector<int>& held, NewmarkState& state) {
  for (const int contact : held) {
    system_.gaps(state.q, gaps_);
    system_.gradient(contact, state.q, column_);
    const double square = column_.squaredNorm();
    state.q -= gaps_[contact] / square * column_;
    state.v -= column_.dot(state.v) / square * column_;
  }
}

Vector NewmarkStep::contact_forces(const std::vector<int>& closed, const NewmarkState& state) {
  const auto k = static_cast<Eigen::Index>(closed.size());
  if (!solver_->factor(state.q)) return Vector::Zero(k);
  prepare(closed, state.q, [&](Vector& x) { solver_->solve(x); });
  for (Eigen::Index j = 0; j < k; ++j) {
    b_[j] = W_.col(j).dot(state.a) +
            system_.gap_curvature(closed[static_cast<std::size_t>(j)], state.q, state.v);
  }
  return numerics::solve_lcp(A_, b_).z;
}

void NewmarkStep::stop(const std::vector<int>& contacts, NewmarkState& state) {
  bool all = true;
  for (const int contact : contacts) {
    system_.gradient(contact, state.q, column_);
    all = stop_coordinate(column_, state.v) && all;
  }
  if (all || !solver_->factor(state.q)) return;
  prepare(contacts, state.q, [&](Vector& x) { solver_->solve(x); });
  const auto k = static_cast<Eigen::Index>(contacts.size());
  b_.noalias() = W_.leftCols(k).transpose() * state.v;
  solve_small(b_, x_);
  state.v.noalias() -= Y_.leftCols(k) * x_;
}

}  // namespace percute::simulation

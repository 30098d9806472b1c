// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "simulation/contact_motion.hpp"
#include "simulation/settling.hpp"

#include <algorithm>
#include <cmath>

namespace percute::simulation {

namespace {

/// Accelerations and loads below this part of what forces without contacts do are rounding.
constexpr double kNothing = 1e-11;

using Friction = HeldContact::Friction;

}  // namespace

// All that slides keeps its direction, so that friction is −μ ν s: a linear complementarity problem
// in the normal forces, symmetric without friction.
bool ContactMotion::solve_normal(Settling& problem) {
  const auto m = static_cast<Eigen::Index>(problem.contacts());
  Matrix A(m, m);
  Vector b(m);
  bool symmetric = true;
  for (Eigen::Index i = 0; i < m; ++i) {
    const auto row = problem.normal(static_cast<std::size_t>(i));
    b[i] = problem.b[row];
    for (Eigen::Index j = 0; j < m; ++j) {
      const auto at = static_cast<std::size_t>(j);
      const auto column = problem.normal(at);
      A(i, j) = problem.A(row, column);
      if (!problem.slides(at)) continue;
      symmetric = false;
      const auto d = problem.tangents(at);
      A(i, j) -= problem.friction[j] *
                 problem.A.row(row).segment(column + 1, d).dot(problem.direction[at].head(d));
    }
  }
  numerics::LcpSolution solution;
  using enum numerics::LcpMethod;
  lcp_.solve(A, b, {.method = symmetric ? ActiveSet : Lemke}, solution);
  if (!solution.solved() && m <= numerics::LcpSolver::kLargestEnumeration) {
    lcp_.solve(A, b, {.method = Enumeration}, solution);
  }
  if (!solution.solved()) return false;
  for (std::size_t j = 0; j < problem.contacts(); ++j) {
    const double nu = solution.z[static_cast<Eigen::Index>(j)];
    problem.force[problem.normal(j)] = nu;
    const auto d = problem.tangents(j);
    problem.force.segment(problem.normal(j) + 1, d) =
        -problem.friction[static_cast<Eigen::Index>(j)] * nu * problem.direction[j].head(d);
  }
  return true;
}

// Contacts at rest have Coulomb's law in accelerations; those that slide are given the friction of
// the pass before.
bool ContactMotion::solve_coulomb(Settling& problem) {
  numerics::CoulombProblem coulomb;
  std::vector<Eigen::Index> rows;
  std::vector<double> friction;
  coulomb.start.push_back(0);
  for (std::size_t j = 0; j < problem.contacts(); ++j) {
    const Eigen::Index used = problem.slides(j) ? 1 : 1 + problem.tangents(j);
    for (Eigen::Index k = 0; k < used; ++k) rows.push_back(problem.normal(j) + k);
    coulomb.start.push_back(static_cast<int>(rows.size()));
    friction.push_back(problem.slides(j) ? 0.0 : problem.friction[static_cast<Eigen::Index>(j)]);
  }
  coulomb.A = problem.A(rows, rows).sparseView();
  coulomb.friction =
      Eigen::Map<const Vector>(friction.data(), static_cast<Eigen::Index>(friction.size()));
  numerics::CoulombSolution solution;
  constexpr int kPasses = 200;
  for (int pass = 0; pass < kPasses; ++pass) {
    Vector rubbing = Vector::Zero(problem.b.size());
    bool any = false;
    for (std::size_t j = 0; j < problem.contacts(); ++j) {
      if (!problem.slides(j)) continue;
      any = true;
      const auto d = problem.tangents(j);
      rubbing.segment(problem.normal(j) + 1, d) = -problem.friction[static_cast<Eigen::Index>(j)] *
                                                  problem.force[problem.normal(j)] *
                                                  problem.direction[j].head(d);
    }
    coulomb.b = (problem.b + problem.A * rubbing)(rows);
    coulomb_.solve(coulomb, {}, solution);
    if (solution.status != numerics::CoulombStatus::Solved) return false;
    Vector force = rubbing;
    for (std::size_t k = 0; k < rows.size(); ++k)
      force[rows[k]] = solution.p[static_cast<Eigen::Index>(k)];
    const double change = (force - problem.force).cwiseAbs().maxCoeff();
    problem.force = force;
    if (!any || change <= 1e-14 * force.cwiseAbs().maxCoeff()) return true;
  }
  return false;
}

bool ContactMotion::settle(double t, const Vector& q, const Vector& v,
                           const std::vector<int>& closed, bool friction, double stick_speed,
                           const std::vector<HeldContact>& slipping, Settled& out) {
  out.held.clear();
  out.reason.clear();
  const std::size_t m = closed.size();
  out.gap_acceleration.resize(static_cast<Eigen::Index>(m));
  if (m == 0) return true;
  if (!prepare(t, q, v)) {
    out.reason = "the mass matrix is not positive definite";
    return false;
  }

  Settling problem;
  problem.start.push_back(0);
  problem.friction = Vector::Zero(static_cast<Eigen::Index>(m));
  problem.direction.assign(m, Eigen::Vector2d::Zero());
  std::vector<Vector> rows;
  std::vector<double> bias;
  bool resting = false;  // with friction
  for (std::size_t j = 0; j < m; ++j) {
    const int i = closed[j];
    system_.gradient(i, q, column_);
    rows.push_back(column_);
    bias.push_back(column_.dot(free_) + system_.gap_curvature(i, q, v));
    out.gap_acceleration[static_cast<Eigen::Index>(j)] = bias.back();
    if (friction) {
      const Tangents T = tangents(i, q, v);
      const auto d = T.columns.cols();
      if (T.friction > 0.0 && d > 0) {
        problem.friction[static_cast<Eigen::Index>(j)] = T.friction;
        Eigen::Vector2d u = Eigen::Vector2d::Zero();
        u.head(d) = T.columns.transpose() * v;
        const auto told =
            std::find_if(slipping.begin(), slipping.end(),
                         [i](const HeldContact& contact) { return contact.contact == i; });
        if (told != slipping.end()) {
          problem.direction[j] = told->direction;
        } else if (u.norm() > stick_speed) {
          problem.direction[j] = u.normalized();
        } else {
          resting = true;
        }
        for (Eigen::Index k = 0; k < d; ++k) {
          rows.emplace_back(T.columns.col(k));
          bias.push_back(rows.back().dot(free_) + T.rate[k]);
        }
      }
    }
    problem.start.push_back(static_cast<int>(rows.size()));
  }
  const auto size = static_cast<Eigen::Index>(rows.size());
  Matrix R(n_, size);
  Matrix MinvR(n_, size);
  for (Eigen::Index k = 0; k < size; ++k) {
    column_ = rows[static_cast<std::size_t>(k)];
    R.col(k) = column_;
    invert(column_);
    MinvR.col(k) = column_;
  }
  problem.A = R.transpose() * MinvR;
  problem.A = (0.5 * (problem.A + problem.A.transpose())).eval();
  problem.b = Eigen::Map<const Vector>(bias.data(), size);
  problem.force = Vector::Zero(size);
  if (!(resting ? solve_coulomb(problem) : solve_normal(problem)) && !solve_by_modes(problem)) {
    out.reason = "no forces keep the closed contacts from penetrating";
    return false;
  }
  const Vector acceleration = problem.A * problem.force + problem.b;

  // Who stays closed, with a load or without, and who moves along.
  double scale = std::max(problem.b.cwiseAbs().maxCoeff(), 1e-300);
  for (const int i : closed) scale = std::max(scale, free_size(i, q, v));
  for (std::size_t j = 0; j < m; ++j) {
    const auto row = problem.normal(j);
    const double load = problem.force[row];
    const bool loaded = load * problem.A(row, row) > kNothing * scale;
    if (!loaded && acceleration[row] > kNothing * scale) continue;
    HeldContact& held = out.held.emplace_back();
    held.contact = closed[j];
    held.loaded = loaded;
    held.slack = 10.0 * kNothing * scale;
    const auto d = problem.tangents(j);
    if (d == 0) continue;
    held.direction = problem.direction[j];
    held.friction = Friction::Slides;
    if (problem.slides(j)) continue;
    Eigen::Vector2d pull = Eigen::Vector2d::Zero();
    pull.head(d) = acceleration.segment(row + 1, d);
    if (pull.norm() <= 100.0 * kNothing * scale) {
      held.friction = Friction::Sticks;
    } else {
      held.direction = pull.normalized();
    }
  }
  return true;
}

}  // namespace percute::simulation

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/algebraic/friction.hpp"

#include "contact/friction_rows.hpp"

#include <algorithm>
#include <cmath>

namespace percute::laws {

namespace {

/// Whether every contact with infinite friction is open, or pressed and stopped. In the limit of
/// large coefficients a contact may stick without pressure: nothing real would stop it.
bool sticks_only_under_pressure(const numerics::CoulombProblem& problem,
                                const numerics::CoulombSolution& solution, double speed) {
  for (std::size_t i = 0; i + 1 < problem.start.size(); ++i) {
    const int row = problem.start[i];
    const int tangents = problem.start[i + 1] - row - 1;
    if (tangents == 0 || !std::isinf(problem.friction[static_cast<Eigen::Index>(i)])) continue;
    const double mass = 1.0 / problem.A.coeff(row, row);
    const bool pressed = solution.p[row] > 1e-10 * mass * speed;
    const bool pulled = solution.p.segment(row + 1, tangents).norm() > 1e-10 * mass * speed;
    const bool stopped = solution.z.segment(row + 1, tangents).norm() <= 1e-9 * speed;
    if (pressed ? !stopped : pulled) return false;
  }
  return true;
}

/// 0 ≤ z_n ⟂ p_n − floor ≥ 0, to 1e-10 of the speed.
bool complementary(const numerics::CoulombProblem& problem,
                   const numerics::CoulombSolution& solution, double speed) {
  for (std::size_t i = 0; i + 1 < problem.start.size(); ++i) {
    const int row = problem.start[i];
    const auto k = static_cast<Eigen::Index>(i);
    const double floor = problem.impulse_floor.size() > 0 ? problem.impulse_floor[k] : 0.0;
    const double pressure = (solution.p[row] - floor) * problem.A.coeff(row, row);
    if (std::abs(std::min(solution.z[row], pressure)) > 1e-10 * speed) return false;
  }
  return true;
}

/// Looks for a solution with very large coefficients instead of infinite ones, which is one of the
/// problem itself if the contacts in question are open or stopped. The cone of a coefficient of 1e6
/// is so wide that the error hardly feels a contact that still approaches: where one does, Newton's
/// method goes on from there with the problem itself.
bool solve_with_large_friction(const numerics::CoulombProblem& problem,
                               const numerics::CoulombOptions& options,
                               numerics::CoulombSolution& solution) {
  numerics::CoulombProblem finite = problem;
  for (double& mu : finite.friction) mu = std::min(mu, 1e6);
  numerics::CoulombSolution other = numerics::solve_coulomb(finite, options);
  if (other.status != numerics::SolverStatus::Solved) return false;
  const auto fine = [&] {
    return complementary(problem, other, options.scale) &&
           sticks_only_under_pressure(problem, other, options.scale);
  };
  if (!fine()) {
    numerics::CoulombOptions from_there = options;
    from_there.method = numerics::CoulombMethod::AlartCurnier;
    numerics::solve_coulomb(problem, from_there, other);
    if (other.status != numerics::SolverStatus::Solved || !fine()) return false;
  }
  solution = std::move(other);
  return true;
}

/// Notes whether other impulses would give the same velocities, and takes the least of them if the
/// stage asks for it.
void select_impulses(const FrictionStage& stage, const numerics::CoulombProblem& problem,
                     numerics::CoulombSolution& solution) {
  numerics::CoulombSolution least = numerics::least_norm(problem, solution);
  const double moved = (least.p - solution.p).norm();
  if (moved == 0.0) return;
  stage.non_unique = stage.non_unique || moved > 1e-9 * solution.p.norm();  // not by rounding
  if (stage.options.impulse_selection != ImpulseSelection::LeastNorm) return;
  const double change = (problem.A * (least.p - solution.p)).cwiseAbs().maxCoeff();
  if (change <= 0.1 * stage.scale.gap_rate_tol &&
      sticks_only_under_pressure(problem, least, stage.scale.velocity)) {
    solution = std::move(least);
  }
}

}  // namespace

bool has_friction(const ImpactProblem& problem) {
  return std::any_of(problem.contacts.begin(), problem.contacts.end(), friction_acts);
}

FrictionSpace::FrictionSpace(const ImpactProblem& problem) {
  const contact::FrictionRows tangents = contact::friction_rows(problem.contacts);
  const auto m = static_cast<int>(problem.contacts.size());
  friction = Eigen::Map<const Vector>(tangents.friction.data(), m);
  start.push_back(0);
  std::vector<int> order;  // of the columns of all_directions()
  for (int i = 0; i < m; ++i) {
    order.push_back(i);
    for (int d = 0; d < tangents.size(i); ++d) order.push_back(m + tangents.row(i) + d);
    start.push_back(static_cast<int>(order.size()));
  }
  const SparseMatrix H = contact::all_directions(problem, tangents);
  directions = tangents.tangential() > 0 ? SparseMatrix(H * identity_columns(H.cols(), order)) : H;
  A = problem.mass.delassus(directions);
  U = directions.transpose() * problem.velocity;
  scale = scales(problem, problem.mass.delassus_diagonal(problem.gradients));
}

SparseMatrix identity_columns(Eigen::Index size, const std::vector<int>& which) {
  SparseMatrix chosen(size, static_cast<Eigen::Index>(which.size()));
  for (std::size_t k = 0; k < which.size(); ++k) {
    chosen.insert(which[k], static_cast<Eigen::Index>(k)) = 1.0;
  }
  return chosen;
}

numerics::CoulombProblem restrict_to(const FrictionSpace& space, const std::vector<int>& contacts,
                                     const Vector& U, std::vector<int>& rows) {
  numerics::CoulombProblem part;
  rows.clear();
  part.start = {0};
  part.friction.resize(static_cast<Eigen::Index>(contacts.size()));
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const auto i = static_cast<std::size_t>(contacts[k]);
    part.friction[static_cast<Eigen::Index>(k)] = space.friction[contacts[k]];
    for (int row = space.start[i]; row < space.start[i + 1]; ++row) rows.push_back(row);
    part.start.push_back(static_cast<int>(rows.size()));
  }
  part.b = U(rows);
  part.A = space.A;
  if (static_cast<Eigen::Index>(rows.size()) < U.size()) {
    const SparseMatrix chosen = identity_columns(U.size(), rows);
    part.A = chosen.transpose() * space.A * chosen;
  }
  return part;
}

FrictionRows::FrictionRows(const ImpactProblem& problem)
    : problem_(problem), space_(problem), total_(Vector::Zero(space_.U.size())) {}

FrictionStage FrictionRows::stage(const StageContacts& contacts, const Vector& U, Vector& p) {
  coulomb_ = restrict_to(space_, contacts.contacts, U, rows_);
  p = Vector::Zero(coulomb_.b.size());
  non_unique_ = false;
  return {contacts, coulomb_, non_unique_};
}

void FrictionRows::add(const FrictionStage& stage, const Vector& p, Vector& U) {
  total_(rows_) += p;
  U = space_.U + space_.A * total_;
  any_non_unique_ = any_non_unique_ || stage.non_unique;
}

void FrictionRows::finish(ImpactResult& result) const {
  result.velocity = problem_.velocity + problem_.mass.solve(Vector(space_.directions * total_));
  result.tangential_impulse.clear();
  for (int i = 0; i < space_.contacts(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    result.impulse[i] = space_.normal(total_, i);
    Vector tangential = Vector::Zero(problem_.contacts[k].directions);
    const int rows = space_.start[k + 1] - space_.start[k] - 1;
    if (rows > 0) tangential = total_.segment(space_.start[k] + 1, rows);
    result.tangential_impulse.push_back(std::move(tangential));
  }
  result.non_unique_impulse = any_non_unique_;
}

Status solve_coulomb(const FrictionStage& stage, const numerics::CoulombProblem& problem,
                     Vector& p) {
  const numerics::CoulombOptions options{.scale = stage.scale.velocity};
  numerics::CoulombSolution solution = numerics::solve_coulomb(problem, options);
  const bool fine = sticks_only_under_pressure(problem, solution, options.scale) ||
                    solve_with_large_friction(problem, options, solution);
  const Status status = note_work(stage, solution);
  bool& multiple = stage.diagnostics.multiple_solutions;
  multiple = multiple || solution.multiple_solutions;
  if (status == Status::Ok && fine) select_impulses(stage, problem, solution);
  p = solution.p;
  return status == Status::Ok && !fine ? Status::NoSlipSolution : status;
}

}  // namespace percute::laws

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/algebraic/friction_space.hpp"

#include <algorithm>
#include <cmath>

namespace percute::laws {

namespace {

bool slides(const Contact& contact) {
  return contact.material.friction > 0.0 && contact.tangents.cols() > 0;
}

/// Infinite friction without pressure: the bodies would have to be stopped by nothing.
bool sticks_without_pressure(const numerics::CoulombProblem& problem, const Vector& p) {
  for (std::size_t i = 0; i + 1 < problem.start.size(); ++i) {
    const int row = problem.start[i];
    const int tangents = problem.start[i + 1] - row - 1;
    const bool infinite = std::isinf(problem.friction[static_cast<Eigen::Index>(i)]);
    if (infinite && p[row] <= 0.0 && tangents > 0 && p.segment(row + 1, tangents).norm() > 0.0) {
      return true;
    }
  }
  return false;
}

}  // namespace

bool has_friction(const ImpactProblem& problem) {
  return std::any_of(problem.contacts.begin(), problem.contacts.end(), slides);
}

FrictionSpace::FrictionSpace(const ImpactProblem& problem) {
  const auto m = static_cast<Eigen::Index>(problem.contacts.size());
  friction.resize(m);
  start.push_back(0);
  std::vector<Eigen::Triplet<double>> entries;
  int row = 0;
  Vector diagonal = problem.mass.delassus_diagonal(problem.gradients);
  for (Eigen::Index i = 0; i < m; ++i) {
    const Contact& contact = problem.contacts[static_cast<std::size_t>(i)];
    for (SparseMatrix::InnerIterator entry(problem.gradients, i); entry; ++entry) {
      entries.emplace_back(static_cast<int>(entry.row()), row, entry.value());
    }
    ++row;
    friction[i] = 0.0;
    if (slides(contact)) {
      friction[i] = contact.material.friction;
      for (Eigen::Index d = 0; d < contact.tangents.cols(); ++d, ++row) {
        for (Eigen::Index k = 0; k < contact.tangents.rows(); ++k) {
          const double value = contact.tangents(k, d);
          if (value != 0.0) entries.emplace_back(static_cast<int>(k), row, value);
        }
      }
    }
    start.push_back(row);
  }
  directions.resize(problem.velocity.size(), row);
  directions.setFromTriplets(entries.begin(), entries.end());
  A = problem.mass.delassus(directions);
  U = directions.transpose() * problem.velocity;
  scale = scales(problem, diagonal);
}

Status solve_coulomb(const FrictionStage& stage, const numerics::CoulombProblem& problem,
                     numerics::CoulombSolution& solution) {
  numerics::CoulombSolver solver;
  solver.solve(problem, {.scale = stage.space.scale.velocity}, solution);
  AlgebraicDiagnostics& diagnostics = stage.diagnostics;
  diagnostics.iterations += solution.iterations;
  diagnostics.residual = std::max(diagnostics.residual, solution.error);
  diagnostics.multiple_solutions = diagnostics.multiple_solutions || solution.multiple_solutions;
  switch (solution.status) {
    case numerics::CoulombStatus::Solved:
      return sticks_without_pressure(problem, solution.p) ? Status::NoSlipSolution : Status::Ok;
    case numerics::CoulombStatus::IterationLimit:
      return Status::NotTerminated;
    case numerics::CoulombStatus::NoSlipSolution:
      return Status::NoSlipSolution;
    case numerics::CoulombStatus::Infeasible:
      return Status::Infeasible;
  }
  return Status::NotTerminated;
}

void select_impulses(const FrictionStage& stage, const numerics::CoulombProblem& problem,
                     numerics::CoulombSolution& solution) {
  if (numerics::coulomb_impulse_unique(problem, solution)) return;
  stage.non_unique = true;
  if (stage.selection == ImpulseSelection::LeastNorm) {
    solution = numerics::least_norm(problem, solution);
  }
}

}  // namespace percute::laws

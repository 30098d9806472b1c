// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "analysis/reachable_energy.hpp"
#include "contact/friction_rows.hpp"
#include "laws/redundancy.hpp"
#include "numerics/pivoted_cholesky.hpp"

#include <percute/analysis/problem_analysis.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace percute::analysis {

namespace {

Matrix kinetic_angles(const Matrix& S) {
  const Eigen::Index m = S.rows();
  Matrix angles = Matrix::Constant(m, m, std::numeric_limits<double>::quiet_NaN());
  for (Eigen::Index i = 0; i < m; ++i) {
    for (Eigen::Index j = 0; j < m; ++j) {
      if (i != j) angles(i, j) = std::numbers::pi - std::acos(std::clamp(S(i, j), -1.0, 1.0));
    }
  }
  return angles;
}

}  // namespace

ProblemAnalysis analyze(const ImpactProblem& problem) {
  validate(problem);
  const SparseMatrix G = problem.mass.delassus(problem.gradients);
  const ImpactScales scale = scales(problem);
  ProblemAnalysis out;
  out.delassus = G;
  out.gap_rates = problem.gradients.transpose() * problem.velocity;
  out.effective_masses = scale.effective_mass;
  out.kinetic_energy = problem.mass.kinetic_energy(problem.velocity);
  for (int i = 0; i < out.gap_rates.size(); ++i) {
    if (out.gap_rates[i] <= scale.gap_rate_tol) out.active.push_back(i);
  }

  const Vector root = scale.effective_mass.cwiseSqrt();
  const Matrix S = root.asDiagonal() * out.delassus * root.asDiagonal();
  const numerics::PivotedCholesky pivots = numerics::pivoted_cholesky(S);
  out.rank = static_cast<int>(pivots.chosen.size());
  out.redundant = out.rank < S.rows();
  const SparseMatrix all =
      contact::all_directions(problem, contact::friction_rows(problem.contacts));
  out.redundant_sticking = percute::redundant(problem.mass, all);
  out.kinetic_angles = kinetic_angles(S);
  out.reachable_energy = reachable_energy(pivots, root.cwiseProduct(out.gap_rates));
  out.friction = local_friction(problem);
  return out;
}

}  // namespace percute::analysis

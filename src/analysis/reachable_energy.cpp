// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "analysis/reachable_energy.hpp"

#include <percute/analysis/indices.hpp>

#include <Eigen/SparseCholesky>

#include <cmath>
#include <vector>

namespace percute::analysis {

namespace {

/// Up to this many directions the rank is decided by pivots, exactly; beyond, that would take too
/// much memory.
constexpr Eigen::Index kDense = 300;

/// Gradients, and the tangents of contacts with friction, as columns.
SparseMatrix directions(const ImpactProblem& problem) {
  std::vector<Eigen::Triplet<double>> entries;
  for (int j = 0; j < problem.gradients.outerSize(); ++j) {
    for (SparseMatrix::InnerIterator entry(problem.gradients, j); entry; ++entry) {
      entries.emplace_back(static_cast<int>(entry.row()), j, entry.value());
    }
  }
  auto column = static_cast<int>(problem.gradients.cols());
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    if (!friction_acts(problem.contacts[i])) continue;
    for (int d = 0; d < problem.contacts[i].directions; ++d, ++column) {
      const auto k = 2 * static_cast<Eigen::Index>(i) + d;
      for (SparseMatrix::InnerIterator entry(problem.tangents, k); entry; ++entry) {
        entries.emplace_back(static_cast<int>(entry.row()), column, entry.value());
      }
    }
  }
  SparseMatrix H(problem.gradients.rows(), column);
  H.setFromTriplets(entries.begin(), entries.end());
  return H;
}

/// ½ uᵀ S⁺ u by S + δ, δ at rounding level, and refinement: u is in the range of S, where δ only
/// matters for eigenvalues as small as itself.
double regularised_energy(const SparseMatrix& S, const Vector& u) {
  constexpr double kShift = 1e-13;
  constexpr int kRefinements = 5;
  SparseMatrix shifted = S;
  for (Eigen::Index i = 0; i < S.rows(); ++i) shifted.coeffRef(i, i) += kShift;
  const Eigen::SimplicialLDLT<SparseMatrix> factor(shifted);
  Vector y = factor.solve(u);
  for (int k = 0; k < kRefinements; ++k) y += factor.solve(u - S * y);
  return 0.5 * u.dot(y);
}

}  // namespace

double reachable_energy(const numerics::PivotedCholesky& pivots, const Vector& scaled_rates) {
  const auto r = static_cast<Eigen::Index>(pivots.chosen.size());
  Vector y(r);
  for (Eigen::Index k = 0; k < r; ++k) {
    const int contact = pivots.chosen[static_cast<std::size_t>(k)];
    const double known = pivots.L.row(contact).head(k).dot(y.head(k));
    y[k] = (scaled_rates[contact] - known) / pivots.L(contact, k);
  }
  return 0.5 * y.squaredNorm();
}

double reachable_energy(const ImpactProblem& problem) {
  const SparseMatrix H = directions(problem);
  const SparseMatrix A = problem.mass.delassus(H);
  // Unit diagonal, so that thresholds mean the same in every row; a tangent may be zero.
  Vector root = A.diagonal();
  for (double& entry : root) entry = entry > 0.0 ? 1.0 / std::sqrt(entry) : 0.0;
  const SparseMatrix S = root.asDiagonal() * A * root.asDiagonal();
  const Vector u = root.cwiseProduct(H.transpose() * problem.velocity);
  if (S.rows() > kDense) return regularised_energy(S, u);
  return reachable_energy(numerics::pivoted_cholesky(Matrix(S)), u);
}

}  // namespace percute::analysis

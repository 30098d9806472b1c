// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "numerics/lcp.hpp"
#include "numerics/orthogonal_factor.hpp"
#include "numerics/triangular_factors.hpp"

#include <cmath>
#include <vector>

namespace percute::numerics {

namespace {

/// 1/√A_ii, 0 for rows that are zero.
Vector unit_diagonal(const Matrix& A) {
  Vector root = Vector::Zero(A.rows());
  const double largest = A.rows() > 0 ? A.diagonal().maxCoeff() : 0.0;
  for (Eigen::Index i = 0; i < root.size(); ++i) {
    if (A(i, i) > 1e-14 * largest) root[i] = 1.0 / std::sqrt(A(i, i));
  }
  return root;
}

}  // namespace

int semidefinite_rank(const Matrix& A) {
  const Vector root = unit_diagonal(A);
  return static_cast<int>(
      pivoted_cholesky(root.asDiagonal() * A * root.asDiagonal()).chosen.size());
}

// With x = Gᵀλ: 0 ≤ G Gᵀλ − g ⟂ λ ≥ 0.
bool least_distance(const Matrix& G, const Vector& g, Vector& x) {
  const LcpSolution dual = solve_lcp(G * G.transpose(), -g);
  x = G.transpose() * dual.z;
  return dual.solved();
}

// With the projector P on the null space of A, p = (1 − P) p0 + P λ, and the minimum is where
// 0 ≤ λ ⟂ p ≥ 0: a complementarity problem with the matrix P.
Vector least_norm_impulse(const Matrix& A, const Vector& p0) {
  const Vector root = unit_diagonal(A);
  const Matrix S = root.asDiagonal() * A * root.asDiagonal();
  const PivotedCholesky factors = pivoted_cholesky(S);
  if (static_cast<Eigen::Index>(factors.chosen.size()) == p0.size()) return p0;
  // S y = 0 means A R y = 0; rows of A that are zero have no part in S.
  const Eigen::Index dependent = p0.size() - static_cast<Eigen::Index>(factors.chosen.size());
  const Vector unscaled = (root.array() > 0.0).select(root, 1.0);
  const Matrix null = unscaled.asDiagonal() * OrthogonalFactor(S).basis().rightCols(dependent);
  const Matrix N = OrthogonalFactor(null).basis().leftCols(dependent);
  const Matrix P = N * N.transpose();
  const Vector in_range = p0 - P * p0;
  // Contacts without part in the null space have no choice: their rows of P are zero but for
  // rounding, and an impulse that rounding left below zero there would make the problem infeasible.
  std::vector<int> free;
  for (Eigen::Index i = 0; i < p0.size(); ++i) {
    if (P(i, i) > 1e-12) free.push_back(static_cast<int>(i));
  }
  const LcpSolution dual = solve_lcp(P(free, free), in_range(free));
  if (!dual.solved()) return p0;
  Vector p = p0;
  p(free) = dual.w.cwiseMax(0.0);
  return p;
}

}  // namespace percute::numerics

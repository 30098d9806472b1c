// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "numerics/lcp.hpp"
#include "numerics/triangular_factors.hpp"

#include <Eigen/QR>

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

/// Orthonormal basis of the null space of A. With S = R A R = L Lᵀ, r independent rows L_r first
/// and the others L_s, the columns of (−L_r⁻ᵀ L_sᵀ; I) span the null space of S.
Matrix null_space(const Matrix& S, const Vector& root, const PivotedCholesky& factors) {
  const Eigen::Index m = root.size();
  const auto r = static_cast<Eigen::Index>(factors.chosen.size());
  std::vector<bool> independent(static_cast<std::size_t>(m), false);
  Matrix top(r, r);
  for (Eigen::Index k = 0; k < r; ++k) {
    const int row = factors.chosen[static_cast<std::size_t>(k)];
    independent[static_cast<std::size_t>(row)] = true;
    top.row(k) = factors.L.row(row);
  }
  Matrix basis = Matrix::Zero(m, m - r);
  Eigen::Index column = 0;
  for (Eigen::Index i = 0; i < m; ++i) {
    if (independent[static_cast<std::size_t>(i)]) continue;
    Vector depends =
        top.triangularView<Eigen::Lower>().transpose().solve(factors.L.row(i).transpose());
    // S_rr x = S_ri, refined with accurate residuals: of nearly dependent contacts L_r knows
    // little, and large impulses multiply what it does not know.
    for (int pass = 0; pass < 2; ++pass) {
      Vector residual(r);
      for (Eigen::Index k = 0; k < r; ++k) {
        const int row = factors.chosen[static_cast<std::size_t>(k)];
        long double sum = S(row, i);
        for (Eigen::Index l = 0; l < r; ++l) {
          sum -= static_cast<long double>(S(row, factors.chosen[static_cast<std::size_t>(l)])) *
                 depends[l];
        }
        residual[k] = static_cast<double>(sum);
      }
      top.triangularView<Eigen::Lower>().solveInPlace(residual);
      top.triangularView<Eigen::Lower>().transpose().solveInPlace(residual);
      depends += residual;
    }
    for (Eigen::Index k = 0; k < r; ++k) {
      const int row = factors.chosen[static_cast<std::size_t>(k)];
      basis(row, column) = -root[row] * depends[k];
    }
    basis(i, column++) = root[i] > 0.0 ? root[i] : 1.0;
  }
  const Eigen::HouseholderQR<Matrix> qr(basis);
  return qr.householderQ() * Matrix::Identity(m, m - r);
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
  const Matrix N = null_space(S, root, factors);
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

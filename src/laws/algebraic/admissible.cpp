// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "numerics/orthogonal_factor.hpp"

#include <percute/laws/restitution_matrix.hpp>
#include <percute/model/invalid_input.hpp>

#include <Eigen/Cholesky>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

namespace percute::laws {

namespace {

constexpr Eigen::Index kLargest = 12;

/// min uᵀS u over |u| = 1, u ≥ 0. At the minimum u is, on its support, an eigenvector of that block
/// of S with the value as eigenvalue (Kaplan 2000): all supports are tried.
double smallest_on_cone(const Matrix& S) {
  const Eigen::Index m = S.rows();
  double smallest = std::numeric_limits<double>::infinity();
  for (unsigned set = 1; set < (1U << static_cast<unsigned>(m)); ++set) {
    std::vector<int> support;
    for (int i = 0; i < m; ++i) {
      if ((set >> static_cast<unsigned>(i)) & 1U) support.push_back(i);
    }
    const numerics::SymmetricEigen eigen = numerics::symmetric_eigen(S(support, support));
    for (Eigen::Index k = 0; k < eigen.values.size(); ++k) {
      const auto u = eigen.vectors.col(k);
      if (u.minCoeff() >= 0.0 || u.maxCoeff() <= 0.0) {
        smallest = std::min(smallest, eigen.values[k]);
      }
    }
  }
  return smallest;
}

}  // namespace

Admissibility admissible(const Matrix& R, const Matrix& G) {
  const Eigen::Index m = G.rows();
  if (G.cols() != m || m < 1 || m > kLargest) {
    throw InvalidInput("G", "is " + std::to_string(m) + " x " + std::to_string(G.cols()) +
                                "; it must be square with 1 to 12 rows");
  }
  if (R.rows() != m || R.cols() != m) {
    throw InvalidInput("R", "is " + std::to_string(R.rows()) + " x " + std::to_string(R.cols()) +
                                "; G has " + std::to_string(m) + " rows");
  }
  const Eigen::LLT<Matrix> factor(G);
  if (!R.allFinite() || !G.allFinite() || factor.info() != Eigen::Success) {
    throw InvalidInput("G", "must be finite and positive definite, and R finite");
  }
  const Matrix inverse = factor.solve(Matrix::Identity(m, m));
  Matrix S = inverse - R.transpose() * inverse * R;
  S = 0.5 * (S + S.transpose()).eval();

  Admissibility verdict;
  verdict.smallest_entry = R.minCoeff();
  verdict.smallest_impulse = (inverse * (Matrix::Identity(m, m) + R)).minCoeff();
  verdict.smallest_dissipation = smallest_on_cone(S);
  verdict.smallest_eigenvalue = numerics::symmetric_eigenvalues(S)[0];
  // Rounding of the products, relative to G⁻¹.
  const double rounding = 1e-12 * inverse.cwiseAbs().maxCoeff();
  verdict.kinematic = verdict.smallest_entry >= -1e-12;
  verdict.kinetic = verdict.smallest_impulse >= -rounding;
  verdict.energetic = verdict.smallest_dissipation >= -rounding;
  verdict.energetic_for_all = verdict.smallest_eigenvalue >= -rounding;
  return verdict;
}

}  // namespace percute::laws

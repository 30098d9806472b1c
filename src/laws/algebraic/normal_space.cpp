// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/algebraic/normal_space.hpp"

namespace percute::laws {

void NormalSpace::assign(const ImpactProblem& problem) {
  const auto m = static_cast<Eigen::Index>(problem.contacts.size());
  problem.mass.whiten(problem.gradients, X_);
  G.resize(m, m);
  for (Eigen::Index j = 0; j < m; ++j) {
    for (Eigen::Index i = 0; i <= j; ++i) {
      G(i, j) = X_.col(i).dot(X_.col(j));
      G(j, i) = G(i, j);
    }
  }
  U.noalias() = problem.gradients.transpose() * problem.velocity;
  scale = scales(problem, Vector(G.diagonal()));
}

}  // namespace percute::laws

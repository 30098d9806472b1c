// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/lzb/friction_setup.hpp"

#include <algorithm>

namespace percute::laws {

bool friction_acts(const ImpactProblem& problem) {
  return std::any_of(problem.contacts.begin(), problem.contacts.end(),
                     [](const Contact& contact) { return percute::friction_acts(contact); });
}

void FrictionSetup::assign(const ImpactProblem& problem, const ImpactSetup& setup) {
  FrictionRows::assign(problem.contacts);
  m = setup.m;
  rows = m + tangential();
  H.setZero(problem.velocity.size(), rows);
  H.leftCols(m) = problem.gradients;
  for (int i = 0; i < m; ++i) {
    if (acts(i)) {
      H.middleCols(m + row(i), size(i)) = tangents_of(problem, static_cast<std::size_t>(i));
    }
  }
  response = problem.mass.solve(H);
  A.resize(static_cast<std::size_t>(rows) * static_cast<std::size_t>(rows));
  Eigen::Map<Matrix> all(A.data(), rows, rows);
  all.noalias() = H.transpose() * response;
  for (int r = 0; r < rows; ++r) {
    for (int s = 0; s < r; ++s) all(r, s) = all(s, r) = 0.5 * (all(r, s) + all(s, r));
  }
  U_before.resize(static_cast<std::size_t>(rows));
  Eigen::Map<Vector>(U_before.data(), rows).noalias() = H.transpose() * problem.velocity;
  std::copy_n(setup.U_before.begin(), m, U_before.begin());
}

}  // namespace percute::laws

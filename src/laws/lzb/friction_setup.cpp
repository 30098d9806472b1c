// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/lzb/friction_setup.hpp"

#include <algorithm>

namespace percute::laws {

namespace {

bool acts_at(const Contact& contact) {
  return contact.material.friction > 0.0 && contact.tangents.cols() > 0;
}

}  // namespace

bool friction_acts(const ImpactProblem& problem) {
  return std::any_of(problem.contacts.begin(), problem.contacts.end(), acts_at);
}

void FrictionSetup::assign(const ImpactProblem& problem, const ImpactSetup& setup) {
  m = setup.m;
  const auto count = static_cast<std::size_t>(m);
  start.assign(count + 1, 0);
  friction.assign(count, 0.0);
  for (std::size_t i = 0; i < count; ++i) {
    const Contact& contact = problem.contacts[i];
    const bool slides = acts_at(contact);
    if (slides) friction[i] = contact.material.friction;
    start[i + 1] = start[i] + (slides ? static_cast<int>(contact.tangents.cols()) : 0);
  }
  rows = m + start.back();
  Matrix H(problem.velocity.size(), rows);
  H.leftCols(m) = problem.gradients;
  for (int i = 0; i < m; ++i) {
    if (acts(i)) {
      H.middleCols(m + row(i), size(i)) = problem.contacts[static_cast<std::size_t>(i)].tangents;
    }
  }
  const Matrix response = problem.mass.solve(H);
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

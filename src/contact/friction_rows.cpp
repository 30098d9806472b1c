// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "contact/friction_rows.hpp"

#include <cmath>

namespace percute::contact {

void FrictionRows::assign(const std::vector<Contact>& contacts) {
  start.assign(1, 0);
  friction.clear();
  spatial = infinite = false;
  for (const Contact& contact : contacts) {
    const bool acts = friction_acts(contact);
    friction.push_back(acts ? contact.material.friction : 0.0);
    start.push_back(start.back() + (acts ? contact.directions : 0));
    spatial = spatial || (acts && contact.directions == 2);
    infinite = infinite || std::isinf(friction.back());
  }
}

SparseMatrix all_directions(const ImpactProblem& problem, const FrictionRows& rows) {
  const auto m = static_cast<int>(problem.contacts.size());
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < m; ++i) {
    for (SparseMatrix::InnerIterator entry(problem.gradients, i); entry; ++entry) {
      entries.emplace_back(static_cast<int>(entry.row()), i, entry.value());
    }
    for (int d = 0; d < rows.size(i); ++d) {
      for (SparseMatrix::InnerIterator entry(problem.tangents, 2 * i + d); entry; ++entry) {
        entries.emplace_back(static_cast<int>(entry.row()), m + rows.row(i) + d, entry.value());
      }
    }
  }
  SparseMatrix H(problem.velocity.size(), m + rows.tangential());
  H.setFromTriplets(entries.begin(), entries.end());
  return H;
}

}  // namespace percute::contact

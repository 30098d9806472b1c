// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/algebraic/friction_stages.hpp"

namespace percute::laws {

numerics::CoulombProblem restrict_to(const FrictionSpace& space, const std::vector<int>& contacts,
                                     const Vector& U, std::vector<int>& rows) {
  numerics::CoulombProblem part;
  rows.clear();
  part.start = {0};
  part.friction.resize(static_cast<Eigen::Index>(contacts.size()));
  std::vector<int> place(static_cast<std::size_t>(U.size()), -1);
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const auto i = static_cast<std::size_t>(contacts[k]);
    part.friction[static_cast<Eigen::Index>(k)] = space.friction[contacts[k]];
    for (int row = space.start[i]; row < space.start[i + 1]; ++row) {
      place[static_cast<std::size_t>(row)] = static_cast<int>(rows.size());
      rows.push_back(row);
    }
    part.start.push_back(static_cast<int>(rows.size()));
  }
  part.b = U(rows);
  if (static_cast<Eigen::Index>(rows.size()) == U.size()) {
    part.A = space.A;
    return part;
  }
  std::vector<Eigen::Triplet<double>> entries;
  for (const int column : rows) {
    for (SparseMatrix::InnerIterator entry(space.A, column); entry; ++entry) {
      const int row = place[static_cast<std::size_t>(entry.row())];
      if (row >= 0) {
        entries.emplace_back(row, place[static_cast<std::size_t>(column)], entry.value());
      }
    }
  }
  const auto size = static_cast<Eigen::Index>(rows.size());
  part.A.resize(size, size);
  part.A.setFromTriplets(entries.begin(), entries.end());
  return part;
}

void set_impulses(const ImpactProblem& problem, const FrictionSpace& space, const Vector& p,
                  ImpactResult& result) {
  result.velocity = problem.velocity + problem.mass.solve(Vector(space.directions * p));
  result.tangential_impulse.clear();
  for (int i = 0; i < space.contacts(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    result.impulse[i] = space.normal(p, i);
    Vector tangential = Vector::Zero(problem.contacts[k].directions);
    const int rows = space.start[k + 1] - space.start[k] - 1;
    if (rows > 0) tangential = p.segment(space.start[k] + 1, rows);
    result.tangential_impulse.push_back(std::move(tangential));
  }
}

}  // namespace percute::laws

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/model/impact_problem.hpp>

#include <vector>

namespace percute::contact {

/// Rows of sliding velocities: contact i has the rows row(i) … row(i) + size(i), none without
/// friction, one in the plane, two in space.
struct FrictionRows {
  /// Those of contacts with μ > 0 and tangents.
  void assign(const std::vector<Contact>& contacts);

  std::vector<int> start = {0};  ///< m + 1
  std::vector<double> friction;  ///< m, μ; 0 where no row is
  bool spatial = false;          ///< some contact slides in a plane
  bool infinite = false;         ///< μ of some contact

  int tangential() const { return start.back(); }
  int row(int i) const { return start[static_cast<std::size_t>(i)]; }
  int size(int i) const { return start[static_cast<std::size_t>(i) + 1] - row(i); }
  bool acts(int i) const { return size(i) > 0; }
  double mu(int i) const { return friction[static_cast<std::size_t>(i)]; }
};

inline FrictionRows friction_rows(const std::vector<Contact>& contacts) {
  FrictionRows rows;
  rows.assign(contacts);
  return rows;
}

/// Gradients of all contacts, then the tangents with a row: the directions H of all impulses,
/// M (v − v⁻) = H (P, P_t).
SparseMatrix all_directions(const ImpactProblem& problem, const FrictionRows& rows);

}  // namespace percute::contact

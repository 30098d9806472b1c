// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/algebraic/collision_sequence.hpp"
#include "numerics/orthogonal_factor.hpp"

#include <percute/laws/simultaneous_set.hpp>
#include <percute/model/invalid_input.hpp>

#include <Eigen/Cholesky>

#include <algorithm>
#include <numeric>
#include <string>

namespace percute::laws {

namespace {

constexpr std::size_t kLargestSet = 16;

/// The next subset of the same size in lexicographic order; false after the last.
bool next_subset(std::vector<int>& subset, int n) {
  const int size = static_cast<int>(subset.size());
  for (int k = size - 1; k >= 0; --k) {
    if (subset[static_cast<std::size_t>(k)] < n - size + k) {
      ++subset[static_cast<std::size_t>(k)];
      for (int j = k + 1; j < size; ++j) {
        subset[static_cast<std::size_t>(j)] = subset[static_cast<std::size_t>(j - 1)] + 1;
      }
      return true;
    }
  }
  return false;
}

/// Impulses of contacts that collide together, G_RR Δp_R = −(I + E_R) U_R; empty unless they only
/// push and drive no other approaching contact closer.
Vector acceptable(const ImpactProblem& problem, const CollisionSequence& sequence,
                  const std::vector<int>& together, const std::vector<int>& approaching) {
  const Matrix& G = sequence.delassus();
  const Vector& U = sequence.gap_rates();
  const Matrix G_RR = G(together, together);
  Vector rhs = -U(together);
  for (std::size_t k = 0; k < together.size(); ++k) {
    const auto i = static_cast<std::size_t>(together[k]);
    rhs[static_cast<Eigen::Index>(k)] *= 1.0 + problem.contacts[i].material.restitution;
  }
  // Redundant contacts share what they need: the least impulses that do it.
  const Vector dp = numerics::semidefinite_rank(G_RR) == G_RR.rows()
                        ? Vector(G_RR.ldlt().solve(rhs))
                        : Vector(numerics::OrthogonalFactor(G_RR).solve(rhs));
  const double tolerance = sequence.tolerance();
  if ((G_RR * dp - rhs).cwiseAbs().maxCoeff() > tolerance) return {};
  for (Eigen::Index k = 0; k < dp.size(); ++k) {
    if (dp[k] * G_RR(k, k) < -tolerance) return {};
  }
  const Vector after = U + G(Eigen::all, together) * dp;
  for (const int j : approaching) {
    const bool inside = std::find(together.begin(), together.end(), j) != together.end();
    if (!inside && after[j] < U[j] - tolerance) return {};
  }
  return dp.cwiseMax(0.0);
}

}  // namespace

ImpactResult SimultaneousSet::operator()(const ImpactProblem& problem) const {
  validate(*this);
  require_restitution(problem);
  CollisionSequence sequence(problem, max_collisions);
  while (sequence.goes_on()) {
    const Vector& U = sequence.gap_rates();
    std::vector<int> approaching;
    for (Eigen::Index i = 0; i < U.size(); ++i) {
      if (U[i] < -sequence.tolerance()) approaching.push_back(static_cast<int>(i));
    }
    if (approaching.empty()) break;
    if (approaching.size() > kLargestSet) {
      throw InvalidInput("law.kind",
                         "simultaneous_set tries all subsets of the approaching contacts and takes "
                         "at most 16 of them; there are " +
                             std::to_string(approaching.size()));
    }
    const int n = static_cast<int>(approaching.size());
    bool found = false;
    for (int size = n; size > 0 && !found; --size) {
      std::vector<int> subset(static_cast<std::size_t>(size));
      std::iota(subset.begin(), subset.end(), 0);
      do {
        std::vector<int> together;
        together.reserve(subset.size());
        for (const int k : subset) together.push_back(approaching[static_cast<std::size_t>(k)]);
        const Vector dp = acceptable(problem, sequence, together, approaching);
        if (dp.size() == 0) continue;
        for (std::size_t k = 0; k < together.size(); ++k) {
          sequence.collide(together[k], dp[static_cast<Eigen::Index>(k)]);
        }
        sequence.end_of_round();
        found = true;
      } while (!found && next_subset(subset, n));
    }
    if (!found) sequence.give_up(Status::Infeasible);
  }
  return sequence.result(true);
}

void validate(const SimultaneousSet& law) {
  require_ranges("law", law);
}

}  // namespace percute::laws

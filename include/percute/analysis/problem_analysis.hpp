// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/analysis/local_friction.hpp>
#include <percute/model/impact_problem.hpp>

#include <vector>

namespace percute::analysis {

/// What can be said about an impact before any law is chosen (Brogliato, *Nonsmooth Mechanics*;
/// handbook chapter 2024). With G = Wᵀ M⁻¹ W and U = Wᵀ v⁻:
struct ProblemAnalysis {
  Matrix delassus = {};  ///< G, m × m

  /// Rank of D^(−1/2) G D^(−1/2), D = diag G, by pivoted Cholesky; pivots below 1e-12 m (1e-12 of
  /// the trace) count as zero. The scaling makes it independent of units.
  int rank = 0;
  bool redundant = false;  ///< rank < m: velocities after the impact are unique, impulses are not

  /// θ_ij = π − arccos(G_ij / √(G_ii G_jj)), radians: the angle inside the wedge of admissible
  /// positions, in the kinetic metric. Right angle: the contacts do not feel each other; acute:
  /// an impulse at i closes j (ball chains, 60° for equal balls); obtuse: it opens j. The diagonal
  /// is NaN.
  Matrix kinetic_angles = {};

  Vector gap_rates = {};          ///< U, m/s, negative: approaching
  std::vector<int> active = {};   ///< contacts that do not separate: U_i ≤ tol_U
  Vector effective_masses = {};   ///< 1/G_ii, kg
  double kinetic_energy = 0.0;    ///< T = ½ v⁻ᵀ M v⁻, J
  double reachable_energy = 0.0;  ///< E_rel = ½ Uᵀ G⁺ U, J: all that normal impulses could take

  std::vector<LocalFriction> friction = {};  ///< of every contact that has tangents
};

/// Throws InvalidInput like the laws do: bad numbers, contacts that no impulse could move.
ProblemAnalysis analyze(const ImpactProblem& problem);

}  // namespace percute::analysis

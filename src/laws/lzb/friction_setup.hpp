// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "laws/lzb/impact_setup.hpp"

#include <vector>

namespace percute::laws {

/// What friction adds to an impact: the tangents of all contacts with friction, contact by contact,
/// after the gradients. Velocities and impulses of all these rows,
///
///     U = U⁻ + A p,   A = Hᵀ M⁻¹ H,   H = [W T].
struct FrictionSetup {
  void assign(const ImpactProblem& problem, const ImpactSetup& setup);

  int m = 0;                     ///< contacts
  int rows = 0;                  ///< of H: m normal ones, then the tangential ones
  std::vector<int> start;        ///< m + 1: contact i has the tangential rows start[i] … start[i+1]
  std::vector<double> friction;  ///< m, μ; 0 without tangents
  std::vector<double> A;         ///< rows × rows, symmetric
  std::vector<double> U_before;  ///< rows, rounding noise of gap rates snapped to 0

  int tangential() const { return rows - m; }
  int row(int i) const { return start[static_cast<std::size_t>(i)]; }
  int size(int i) const { return start[static_cast<std::size_t>(i) + 1] - row(i); }
  bool acts(int i) const { return size(i) > 0; }
  double mu(int i) const { return friction[static_cast<std::size_t>(i)]; }
  const double* column(int j) const {
    return A.data() + static_cast<std::size_t>(j) * static_cast<std::size_t>(rows);
  }
  /// Entry of A between tangential rows.
  double coupling(int r, int s) const { return column(m + r)[m + s]; }
  /// Σ_j A_rj p_j
  double product(int r, const double* p) const {
    const double* a = column(r);
    double sum = 0.0;
    for (int j = 0; j < rows; ++j) sum += a[j] * p[j];
    return sum;
  }
  /// U = first + A p
  void apply(const double* first, const double* p, double* U) const {
    for (int r = 0; r < rows; ++r) U[r] = first[r];
    for (int j = 0; j < rows; ++j) {
      const double* a = column(j);
      for (int r = 0; r < rows; ++r) U[r] += a[r] * p[j];
    }
  }
};

/// Whether friction acts anywhere: contacts with μ > 0 and tangents.
bool friction_acts(const ImpactProblem& problem);

}  // namespace percute::laws

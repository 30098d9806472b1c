// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "contact/stick_set.hpp"
#include "laws/lzb/impact_setup.hpp"

#include <vector>

namespace percute::laws {

/// What friction adds to an impact: the tangents of all contacts with friction, contact by contact,
/// after the gradients. Velocities and impulses of all these rows,
///
///     U = U⁻ + A p,   A = Hᵀ M⁻¹ H,   H = [W T].
struct FrictionSetup : contact::FrictionRows {
  void assign(const ImpactProblem& problem, const ImpactSetup& setup);

  int m = 0;                     ///< contacts
  int rows = 0;                  ///< of H: m normal ones, then the tangential ones
  std::vector<double> A;         ///< rows × rows, symmetric
  std::vector<double> U_before;  ///< rows, rounding noise of gap rates snapped to 0
  Matrix H;                      ///< coordinates × rows
  Matrix response;               ///< M⁻¹ H

  const double* column(int j) const {
    return A.data() + static_cast<std::size_t>(j) * static_cast<std::size_t>(rows);
  }
  /// A between tangential rows.
  contact::Mobility mobility() const {
    return {.first = column(m) + m,
            .stride = rows,
            .rows = H.col(m).data(),
            .answers = response.col(m).data(),
            .coordinates = static_cast<int>(H.rows())};
  }
  /// Accelerations c of the tangential rows under normal forces λ.
  void drive(const double* lambda, double* c) const {
    for (int r = m; r < rows; ++r) {
      const double* a = column(r);
      double sum = 0.0;
      for (int j = 0; j < m; ++j) sum += a[j] * lambda[j];
      c[r - m] = sum;
    }
  }
  /// U = first + A p
  void apply(const double* first, const double* p, double* __restrict U) const {
    for (int r = 0; r < rows; ++r) {
      const double* a = column(r);
      double sum = first[r];
      for (int j = 0; j < rows; ++j) sum += a[j] * p[j];
      U[r] = sum;
    }
  }
};

/// Whether friction acts anywhere: contacts with μ > 0 and tangents.
bool friction_acts(const ImpactProblem& problem);

}  // namespace percute::laws

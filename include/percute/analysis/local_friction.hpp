// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/model/impact_problem.hpp>

#include <optional>
#include <vector>

namespace percute::analysis {

/// What friction can do at one contact, the others left out of account. With the rows n, t of the
/// contact, A = Hᵀ M⁻¹ H, and a rate r = dp_t/dp_n of tangential on normal impulse,
///
///     dU_n/dp_n = A_nn + A_nt r,      dU_t/dp_n = A_tn + A_tt r,      |r| ≤ μ
///
/// (Routh; Keller 1986). Where several contacts close at once, their impulses act on each other,
/// and these are what each of them starts with.
struct LocalFriction {
  int contact = 0;               ///< index in the problem
  double friction = 0.0;         ///< μ, may be infinite
  double A_nn = 0.0;             ///< 1/kg
  Vector A_tn = {};              ///< d, 1/kg
  Matrix A_tt = {};              ///< d × d, 1/kg
  Vector sliding_velocity = {};  ///< U_t⁻, d, m/s

  /// |A_tt⁻¹ A_tn|, in the plane |A_tn|/A_tt: the friction it takes to hold a contact that has come
  /// to rest, or was at rest; with less, it slides away.
  double stick_coefficient = 0.0;
  bool sticks = false;  ///< μ ≥ stick_coefficient

  /// A_nn/|A_tn|: with more friction than this, slip in the direction of A_tn draws the bodies
  /// together before it stops (jam; Painlevé's paradox). None where A_tn = 0: never.
  std::optional<double> jam_coefficient = {};
  bool may_jam = false;  ///< μ |A_tn| > A_nn
  bool jams = false;     ///< μ A_tn · U_t⁻/|U_t⁻| > A_nn: as it slides now
};

/// Of every contact that has tangents, in their order.
std::vector<LocalFriction> local_friction(const ImpactProblem& problem);

}  // namespace percute::analysis

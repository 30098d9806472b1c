// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/model/impact_problem.hpp>

namespace percute::analysis {

/// All outcomes an impact without friction may have, in the space of its gap rates (Brogliato,
/// handbook chapter 2024): nothing approaches, contacts only push, no energy is created,
///
///     O = { U⁺ ≥ 0,   p = G⁻¹(U⁺ − U⁻) ≥ 0,   U⁺ᵀ G⁻¹ U⁺ ≤ U⁻ᵀ G⁻¹ U⁻ }.
///
/// A law picks one point of it. Three equal balls, the first with speed V, (x, y) = U⁺/V:
/// O = { x, y ≥ 0, x² + x y + y² ≤ 1 }, and KER = (1 + 2(x² + x y + y²))/3.
struct OutcomeSet {
  Matrix inverse_delassus = {};   ///< G⁻¹, m × m
  Vector before = {};             ///< U⁻
  Vector largest = {};            ///< box around O: 0 ≤ U_i⁺ ≤ √(2 E_rel G_ii)
  double speed = 0.0;             ///< V = max |U⁻|, m/s
  double kinetic_energy = 0.0;    ///< T⁻
  double reachable_energy = 0.0;  ///< E_rel = ½ U⁻ᵀ G⁻¹ U⁻

  /// Whether an outcome belongs to O, within 1e-10 of V, of the impulses (G⁻¹)_ii V, and of E_rel;
  /// an outcome known less exactly may ask for less.
  bool contains(const Vector& after, double tolerance = 1e-10) const;

  /// KER of an outcome: T⁺/T⁻ with T⁺ = T⁻ − E_rel + ½ U⁺ᵀ G⁻¹ U⁺.
  double energy_ratio(const Vector& after) const;
};

/// Throws InvalidInput where O is not defined so: friction, energy stored before the impact,
/// redundant contacts, nothing that approaches.
OutcomeSet outcome_set(const ImpactProblem& problem);

}  // namespace percute::analysis

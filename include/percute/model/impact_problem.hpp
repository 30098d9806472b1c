// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/model/mass_matrix.hpp>
#include <percute/model/material.hpp>
#include <percute/numerics/linear_algebra.hpp>

#include <vector>

namespace percute {

/// One closed contact: its material and what it carries into the impact.
struct Contact {
  Material material = {};
  double stored_energy = 0.0;  ///< E0 >= 0, J: energy of precompression
  int directions = 0;          ///< d, in which it can slide: 0, 1 (planar) or 2 (spatial)
};

/// A multiple impact, frozen at the instant of contact:
///
///     M (v⁺ − v⁻) = W p,      gap rates U = Wᵀ v,      p ≥ 0 pushes apart.
///
/// Column i of W is ∇h_i, the gradient of the gap (signed distance) of closed contact i, so a
/// negative gap rate means approach. The problem does not know which law will solve it.
struct ImpactProblem {
  MassMatrix mass;                ///< M, n × n
  SparseMatrix gradients;         ///< W, n × m
  Vector velocity;                ///< v⁻, n
  std::vector<Contact> contacts;  ///< m
  /// T, n × 2 m, or empty where nothing can slide. Column 2 i and, in space, 2 i + 1 are the
  /// tangents of contact i: its sliding velocity is that part of Tᵀ v.
  SparseMatrix tangents = {};
};

/// The tangents of contact i, n × d.
inline auto tangents_of(const ImpactProblem& problem, std::size_t i) {
  const int d = problem.contacts[i].directions;
  return problem.tangents.middleCols(d > 0 ? 2 * static_cast<Eigen::Index>(i) : 0, d);
}

/// Gives each contact its tangents, n × d; their number is m.
void set_tangents(ImpactProblem& problem, const std::vector<Matrix>& tangents);

/// Whether friction acts at a contact: it has a coefficient, and directions to act in.
inline bool friction_acts(const Contact& contact) {
  return contact.material.friction > 0.0 && contact.directions > 0;
}

/// Throws InvalidInput, naming the field, unless sizes agree, all numbers, gap rates and the
/// kinetic energy are finite, every gradient is nonzero and every material is in range.
void validate(const ImpactProblem& problem);

/// Scales all tolerances refer to.
struct ImpactScales {
  double velocity = 0.0;       ///< vs = max(|U⁻|, |U_t⁻| if μ > 0, √(2 E0_i/m_i)), m/s
  double gap_rate_tol = 0.0;   ///< tol_U = 1e-10 vs, or the rounding of Wᵀv
  double energy = 0.0;         ///< Es = ½ vs² max_i m_i, J
  Vector effective_mass = {};  ///< m_i = 1/G_ii, kg
};

/// Scales of a problem; the diagonal of its Delassus matrix Wᵀ M⁻¹ W is given by who has it.
ImpactScales scales(const ImpactProblem& problem, const Vector& delassus_diagonal);
ImpactScales scales(const ImpactProblem& problem, const SparseMatrix& G) = delete;
ImpactScales scales(const ImpactProblem& problem, const Matrix& G) = delete;
ImpactScales scales(const ImpactProblem& problem);

}  // namespace percute

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/laws/algebraic.hpp>

#include <optional>

namespace percute::laws {

/// Restitution by a full matrix, generalised Newton (Brogliato 2024): U⁺ = −R U⁻, p = −G⁻¹(I+R)U⁻,
/// or in kinetic quasi-velocities ζ⁺ = −ℰ ζ⁻ with ζ = (ζ_n, ζ_t),
///
///     ζ_n = D^(−½) U,  D = diag(G_ii),      ζ_t = TᵀM v,  T an M-orthonormal basis of ker Wᵀ.
///
/// T is the Gram–Schmidt basis, in the kinetic metric, of the coordinate velocities in their order.
/// Nothing is guaranteed: the verdicts judge the outcome, admissible() judges the matrix. Dependent
/// gradients: status Singular. Quasi-velocities no impulse can produce (without friction ζ_t must
/// be kept, ℰ_tn = 0, ℰ_tt = −I): status Infeasible.
struct RestitutionMatrix {
  static constexpr std::string_view kKind = "restitution_matrix";
  /// Quasi-velocities tell all of the motion along the contacts too.
  bool uses_friction() const { return quasi_velocity_matrix.size() > 0; }

  Matrix matrix = {};  ///< or
  Matrix quasi_velocity_matrix = {};
  AlgebraicOptions options = {};

  ImpactResult operator()(const ImpactProblem& problem) const;
};

template <Same<RestitutionMatrix> Law>
void fields(Law& law, auto&& visit) {
  visit(Field{"matrix", "R in U⁺ = −R U⁻, m × m; exactly one of the two"}, law.matrix);
  visit(Field{"quasi_velocity_matrix", "ℰ in ζ⁺ = −ℰ ζ⁻, n × n"}, law.quasi_velocity_matrix);
  fields(law.options, visit);
}
void validate(const RestitutionMatrix& law);

/// Whether U⁺ = −R U⁻ is admissible for every U⁻ ≤ 0, with margins (≥ 0: it is).
struct Admissibility {
  bool kinematic = false;          ///< nothing approaches: R ≥ 0 entrywise
  bool kinetic = false;            ///< contacts only push: G⁻¹(I + R) ≥ 0 entrywise
  bool energetic = false;          ///< uᵀ(G⁻¹ − RᵀG⁻¹R)u ≥ 0 for all u ≤ 0
  bool energetic_for_all = false;  ///< the same for every u: positive semidefinite

  double smallest_entry = 0.0;        ///< of R
  double smallest_impulse = 0.0;      ///< entry of G⁻¹(I + R)
  double smallest_dissipation = 0.0;  ///< min over |u| = 1, u ≤ 0 of uᵀ(G⁻¹ − RᵀG⁻¹R)u
  double smallest_eigenvalue = 0.0;   ///< of G⁻¹ − RᵀG⁻¹R

  bool all() const { return kinematic && kinetic && energetic; }
};

/// G must be positive definite and have at most 12 rows; throws InvalidInput otherwise.
Admissibility admissible(const Matrix& R, const Matrix& G);

}  // namespace percute::laws

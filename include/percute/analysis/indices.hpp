// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/model/body.hpp>
#include <percute/model/impact_problem.hpp>
#include <percute/model/impact_result.hpp>

#include <optional>
#include <vector>

namespace percute::analysis {

/// Numbers by which outcomes of different laws are compared (Brogliato, handbook chapter 2024).
struct Indices {
  /// KER = T(v⁺)/T(v⁻); depends on the observer. None where nothing moved.
  std::optional<double> energy_ratio = {};

  /// KER_rel = 1 − (T(v⁻) − T(v⁺))/E_rel: the same for every observer. None where E_rel = 0.
  std::optional<double> relative_energy_ratio = {};

  /// C_KE = √(mean (T_i − T̄)²)/T̄ after the impact, T_i the kinetic energy of body i of N: 0 where
  /// all have the same, √(N − 1) where one has all. None where M couples two bodies, so that
  /// energies of bodies mean nothing, and where nothing moves.
  std::optional<double> dispersion = {};

  double normal_work = 0.0;      ///< W_n = ½ p_nᵀ (U_n⁺ + U_n⁻), J (Thomson and Tait)
  double tangential_work = 0.0;  ///< W_t = ½ p_tᵀ (U_t⁺ + U_t⁻), J; T⁺ − T⁻ = W_n + W_t

  /// D_t, J: what sliding took, where the law followed it; else −W_t.
  double sliding_loss = 0.0;
};

/// `result` comes from resolve(); each coordinate belongs to exactly one of the bodies.
Indices indices(const ImpactProblem& problem, const ImpactResult& result,
                const std::vector<Body>& bodies);

/// E_rel = ½ Uᵀ A⁺ U, J: all that impulses at the contacts could take, A = HᵀM⁻¹H and U = Hᵀv⁻. The
/// columns of H are the gradients and, where a contact has friction, its tangents.
double reachable_energy(const ImpactProblem& problem);

/// C_KE for given velocities; see Indices.
std::optional<double> dispersion(const MassMatrix& mass, const Vector& velocity,
                                 const std::vector<Body>& bodies);

}  // namespace percute::analysis

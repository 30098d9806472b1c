// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include <percute/model/body.hpp>
#include <percute/model/impact_problem.hpp>
#include <percute/model/impact_result.hpp>

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

/// What can be said about an impact before any law is chosen (Brogliato, *Nonsmooth Mechanics*;
/// handbook chapter 2024). With G = Wᵀ M⁻¹ W and U = Wᵀ v⁻:
struct ProblemAnalysis {
  Matrix delassus = {};  ///< G, m × m

  /// Rank of D^(−1/2) G D^(−1/2), D = diag G, by pivoted Cholesky; pivots below 1e-12 m (1e-12 of
  /// the trace) count as zero. The scaling makes it independent of units.
  int rank = 0;
  bool redundant = false;  ///< rank < m: velocities after the impact are unique, impulses are not
  /// The same of normals and tangents together, where friction acts: contacts that stick share
  /// their impulses in more than one way.
  bool redundant_sticking = false;

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

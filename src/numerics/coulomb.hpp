// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "numerics/solver_status.hpp"

#include <percute/numerics/linear_algebra.hpp>

#include <vector>

namespace percute::numerics {

/// Find p with z = A p + b, and for every contact i, rows start[i]…start[i+1] of p and z, normal
/// first: 0 ≤ z_n ⟂ p_n ≥ 0, |p_t| ≤ μ p_n, and z_t ≠ 0 ⇒ p_t = −μ p_n z_t/|z_t|. Contact i has 0,
/// 1 or 2 tangential rows. In the form of de Saxcé & Feng (1998), ẑ = z + μ |z_t| n, this is the
/// complementarity K* ∋ ẑ ⟂ p ∈ K on the second-order cones K = { |p_t| ≤ μ p_n }.
struct CoulombProblem {
  SparseMatrix A = {};  ///< symmetric positive semidefinite (both triangles), by blocks
  Vector b = {};
  std::vector<int> start = {};  ///< m + 1
  Vector friction = {};         ///< μ_i ≥ 0; infinity: no sliding while p_n > 0
  /// Empty: 0. Otherwise 0 ≤ z_n ⟂ p_n − floor ≥ 0 (expansion phase of Poisson's law, where part of
  /// the normal impulse is given back in any case); friction is bounded by μ p_n as before.
  Vector impulse_floor = {};
};

enum class CoulombMethod {
  Automatic,     ///< Gauss–Seidel and Newton in turn, from other starts until the error is small
  Nsgs,          ///< nonsmooth Gauss–Seidel with the exact solution of each contact
  AlartCurnier,  ///< semismooth Newton on the projections (Alart & Curnier 1991)
};

struct CoulombOptions {
  CoulombMethod method = CoulombMethod::Automatic;
  double tolerance = 1e-12;  ///< on the scaled error
  double scale = 0.0;        ///< velocity vs that errors are measured against; 0: max|b|
  int max_iterations = 0;    ///< sweeps or Newton steps; 0: the method's own limit
};

struct CoulombSolution {
  Vector p = {};
  Vector z = {};
  /// max_i |p_i − proj(p_i − ρ_i ẑ_i)|/(m_i vs), ρ_i = 1/λ_max(A_ii), m_i = 1/(A_ii)_nn
  double error = 0.0;
  int iterations = 0;
  SolverStatus status = SolverStatus::IterationLimit;
  bool multiple_solutions = false;  ///< another solution is known to exist
};

/// solution.p of the right size is the starting guess, otherwise zero. Throws std::invalid_argument
/// where sizes disagree, a coefficient is negative or a number is not finite.
void solve_coulomb(const CoulombProblem& problem, const CoulombOptions& options,
                   CoulombSolution& solution);
/// From zero.
CoulombSolution solve_coulomb(const CoulombProblem& problem, const CoulombOptions& options = {});

/// All solutions of a planar problem (at most one tangent everywhere, m ≤ 6; two tangents, and up
/// to 4096 combinations, where friction is 0 or infinite; otherwise std::invalid_argument): every
/// combination of {open, stick, slip+, slip−}; distinct in p. Where
/// contacts are redundant a combination may hold a continuum of impulses; one of it is listed.
/// multiple_solutions: another solution of the list has a different z.
std::vector<CoulombSolution> enumerate_coulomb(const CoulombProblem& problem);

/// Of all impulses with the same velocities (same A p, in the cones, contacts that slide or are
/// open as they are), the one of least Euclidean norm; the solution itself where there is no other.
/// Dense: problems with more than 400 active rows return unchanged.
CoulombSolution least_norm(const CoulombProblem& problem, const CoulombSolution& solution);

}  // namespace percute::numerics

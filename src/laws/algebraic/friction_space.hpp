// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "numerics/coulomb.hpp"

#include <percute/laws/algebraic.hpp>

#include <vector>

namespace percute::laws {

/// An impact seen by its contacts, normal and tangential: U⁺ = U⁻ + A p. Each contact has its
/// normal row and, if it has friction and tangents, its tangential rows.
struct FrictionSpace {
  SparseMatrix A;
  Vector U;                ///< before the impact
  std::vector<int> start;  ///< rows of contact i: start[i] … start[i+1]
  Vector friction;         ///< μ_i
  ImpactScales scale;
  SparseMatrix directions;  ///< H, all gradients and tangents: M (v⁺ − v⁻) = H p

  explicit FrictionSpace(const ImpactProblem& problem);

  int contacts() const { return static_cast<int>(friction.size()); }
  double normal(const Vector& rows, int i) const {
    return rows[start[static_cast<std::size_t>(i)]];
  }
};

/// One stage of a frictional law: the contacts that take part.
struct FrictionStage {
  const ImpactProblem& problem;
  const FrictionSpace& space;
  const std::vector<int>& contacts;         ///< indices in the problem
  const numerics::CoulombProblem& coulomb;  ///< A, rows and friction of these; b is the law's
  const Vector& U;                          ///< velocities of their rows before the stage
  Separating separating;
  ImpulseSelection selection;
  AlgebraicDiagnostics& diagnostics;
  mutable bool non_unique = false;  ///< set by select_impulses()

  const Contact& contact(std::size_t k) const {
    return problem.contacts[static_cast<std::size_t>(contacts[k])];
  }
  /// Row of the normal of the k-th contact.
  int normal(std::size_t k) const { return coulomb.start[k]; }
  /// The gap rate a restitution coefficient multiplies.
  double restituted(std::size_t k) const {
    const double u = U[normal(k)];
    return separating == Separating::IncludeRaw ? u : std::min(u, 0.0);
  }
};

/// Whether Coulomb's law acts somewhere: μ > 0 at a contact with tangents.
bool has_friction(const ImpactProblem& problem);

/// Solves a Coulomb problem into `solution` (its p is the starting guess) and keeps account of it.
Status solve_coulomb(const FrictionStage& stage, const numerics::CoulombProblem& problem,
                     numerics::CoulombSolution& solution);

/// Chooses, among the impulses with the same velocities, some in which no contact with infinite
/// friction carries a tangential impulse without pressure; false where there are none.
bool press_where_it_sticks(const FrictionStage& stage, Vector& p);

/// Notes whether other impulses would give the same velocities, and takes the least of them if the
/// stage asks for it.
void select_impulses(const FrictionStage& stage, const numerics::CoulombProblem& problem,
                     numerics::CoulombSolution& solution);

}  // namespace percute::laws

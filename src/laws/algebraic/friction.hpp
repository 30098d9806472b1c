// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "laws/algebraic/stages.hpp"
#include "numerics/coulomb.hpp"

#include <percute/laws/complementarity.hpp>

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

/// Columns of the identity: X times them are those columns of X.
SparseMatrix identity_columns(Eigen::Index size, const std::vector<int>& which);

/// The rows of some contacts, and their share of A, as a Coulomb problem with b = U.
numerics::CoulombProblem restrict_to(const FrictionSpace& space, const std::vector<int>& contacts,
                                     const Vector& U, std::vector<int>& rows);

/// A stage of a law with friction.
struct FrictionStage : StageContacts {
  const numerics::CoulombProblem& coulomb;  ///< b: velocities before the stage, the law has its own
  bool& non_unique;                         ///< set by solve_coulomb()

  const Vector& before() const { return coulomb.b; }
  /// Row of the normal of the k-th contact.
  int normal(std::size_t k) const { return coulomb.start[k]; }
  double restituted(std::size_t k) const { return StageContacts::restituted(before()[normal(k)]); }
};

/// The normal and tangential directions of contacts, as run_stages() takes them.
class FrictionRows {
 public:
  explicit FrictionRows(const ImpactProblem& problem);

  const Vector& start() const { return space_.U; }
  const ImpactScales& scale() const { return space_.scale; }
  int contacts() const { return space_.contacts(); }
  double normal(const Vector& U, int i) const { return space_.normal(U, i); }
  FrictionStage stage(const StageContacts& contacts, const Vector& U, Vector& p);
  void add(const FrictionStage& stage, const Vector& p, Vector& U);
  /// Impulses of all rows, and v⁺ = v⁻ + M⁻¹H p.
  void finish(ImpactResult& result) const;

 private:
  const ImpactProblem& problem_;
  FrictionSpace space_;
  std::vector<int> rows_ = {};  ///< of the stage
  numerics::CoulombProblem coulomb_ = {};
  bool non_unique_ = false;      ///< of the stage
  bool any_non_unique_ = false;  ///< of any stage so far
  Vector total_;
};

/// Applies a law with friction in stages; all of them promise separation.
template <class Solve>
ImpactResult in_friction_stages(const ImpactProblem& problem, const AlgebraicOptions& options,
                                Solve&& solve) {
  validate(options);
  FrictionRows rows(problem);
  ImpactResult result = start_result(problem);
  note_stored(problem, result);
  std::vector<int> contacts;
  Vector p;
  run_stages(problem, options, rows, Promise::Separation, contacts, result, p, solve);
  return result;
}

/// Whether Coulomb's law acts somewhere: μ > 0 at a contact with tangents.
bool has_friction(const ImpactProblem& problem);

/// Solves a Coulomb problem of a stage and keeps account of it. Of several impulses with the same
/// velocities it takes those the options ask for.
Status solve_coulomb(const FrictionStage& stage, const numerics::CoulombProblem& problem,
                     Vector& p);

/// The law of an impact as a problem of its impulses, z = A p + b, for the contacts that do not
/// separate: what operator() solves first, and what tells of other solutions.
struct CoulombImpact {
  numerics::CoulombProblem problem = {};
  SparseMatrix directions = {};  ///< H, gradient and tangents of each contact: M (v⁺ − v⁻) = H p
  double velocity_scale = 0.0;
};
CoulombImpact coulomb_impact(const ImpactProblem& problem, const Coulomb& law);

}  // namespace percute::laws

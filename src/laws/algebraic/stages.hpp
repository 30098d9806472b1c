// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "laws/algebraic/memory.hpp"

#include <optional>

namespace percute::laws {

/// What a law sees of one stage: the contacts that take part.
struct Stage {
  const ImpactProblem& problem;
  const Matrix& G;                   ///< their Delassus matrix, k × k
  const Vector& U;                   ///< their gap rates before the stage, k
  const std::vector<int>& contacts;  ///< their indices in the problem
  const ImpactScales& scale;
  Separating separating;
  ImpulseSelection selection;
  bool redundant;  ///< the contacts of the problem: impulses may need to be selected
  double energy;   ///< kinetic energy before the stage
  numerics::LcpSolver& lcp;
  AlgebraicDiagnostics& diagnostics;

  Eigen::Index size() const { return U.size(); }
  const Contact& contact(Eigen::Index i) const {
    return problem.contacts[static_cast<std::size_t>(contacts[static_cast<std::size_t>(i)])];
  }
  /// The gap rate a restitution coefficient multiplies.
  double restituted(Eigen::Index i) const {
    return separating == Separating::IncludeRaw ? U[i] : std::min(U[i], 0.0);
  }
};

/// The unchanged state, to be filled in by a law.
ImpactResult start_result(const ImpactProblem& problem);

/// What the law notes about its work.
inline AlgebraicDiagnostics& notes_of(ImpactResult& result) {
  std::optional<AlgebraicDiagnostics>& notes = result.diagnostics.algebraic;
  if (!notes) notes.emplace();
  return *notes;
}

/// Impulses p and velocities v⁺ = v⁻ + M⁻¹W p.
void set_impulses(const ImpactProblem& problem, const Vector& p, ImpactResult& result);

/// Notes what holds for a frictionless algebraic law whatever it did: energy it left in
/// precompressed contacts, and redundant contacts.
void note_common(const ImpactProblem& problem, const NormalSpace& space, ImpactResult& result);

/// Throws InvalidInput unless every contact has a restitution in [0, largest].
void require_restitution(const ImpactProblem& problem, double largest = 1.0);

/// The one coefficient of a law: `given`, or that of all contacts if they agree.
double common_restitution(const ImpactProblem& problem, const std::optional<double>& given);

/// Solves 0 ≤ w = A z + b ⟂ z ≥ 0 into `solution`, with the velocity scale of the stage, and keeps
/// account of it. `z` may be longer than there are contacts.
Status solve_lcp(const Stage& stage, const Matrix& A, const Vector& b,
                 numerics::LcpSolution& solution);

/// The impulses of 0 ≤ G p + b ⟂ p ≥ 0, with no starting guess, selected as the stage asks.
Status solve_impulses(const Stage& stage, const Vector& b, numerics::LcpSolution& solution,
                      Vector& p);

/// Replaces p by the impulses of least norm with the same G p, if the stage asks for it.
void select_impulses(const Stage& stage, Vector& p);

/// The impulses of G p = rhs, whatever their signs; Singular where contacts depend on one another,
/// or so nearly that rounding of G p would be seen.
Status solve_equations(const Stage& stage, const Vector& rhs, Vector& p);

/// Whether to try a stage again without the contacts that separate, by `fastest` at most: it has no
/// solution, or none was found, and they do so by more than rounding (kAtRest of the tolerance).
constexpr double kAtRest = 1e-3;
inline bool worth_another_try(Status status, const AlgebraicOptions& options, double fastest,
                              double tolerance) {
  return (status == Status::Infeasible || status == Status::NotTerminated) &&
         options.separating == Separating::ExcludeAndRepeat && fastest > kAtRest * tolerance;
}

/// Contacts that take part in a stage with these gap rates. With `strict`, of contacts that
/// separate none does, not even within the tolerance.
void choose_contacts(const NormalSpace& space, const Vector& U, Separating separating, bool strict,
                     std::vector<int>& contacts);

/// What a law says about gap rates after a stage of contacts that did not separate before.
enum class Promise { None, Separation };

/// A law that promises separation answers only where it is kept: extreme ratios of masses may leave
/// more of an approach than the tolerance, for rounding or for what the solver accepted.
void keep_promise(const ImpactProblem& problem, const AlgebraicOptions& options, double tolerance,
                  ImpactResult& result);

/// Applies a law under the policy for separating contacts. `solve(stage, p)` returns the status of
/// one stage and its impulses. Stages repeat while a contact that was left out approaches.
template <class Solve>
ImpactResult in_stages(const ImpactProblem& problem, const AlgebraicOptions& options,
                       AlgebraicWorkspace::Memory& memory, Promise promise, Solve&& solve) {
  validate(options);
  NormalSpace& space = memory.space;
  space.assign(problem);
  ImpactResult result = start_result(problem);
  note_common(problem, space, result);
  if (!space.approaching(space.U)) return result;

  AlgebraicDiagnostics& diagnostics = notes_of(result);
  const Eigen::Index m = space.U.size();
  Vector total = Vector::Zero(m);
  Vector U = space.U;
  double energy = problem.mass.kinetic_energy(problem.velocity);
  result.status = Status::Ok;
  bool strict = false;
  for (bool again = true; again;) {
    if (diagnostics.stages == options.max_stages) {
      result.status = Status::NotTerminated;
      break;
    }
    ++diagnostics.stages;
    choose_contacts(space, U, options.separating, strict, memory.contacts);
    const bool all = static_cast<Eigen::Index>(memory.contacts.size()) == m;
    if (!all) {
      memory.A = space.G(memory.contacts, memory.contacts);
      memory.U = U(memory.contacts);
    }
    memory.p.setZero(static_cast<Eigen::Index>(memory.contacts.size()));
    const Stage stage{.problem = problem,
                      .G = all ? space.G : memory.A,
                      .U = all ? U : memory.U,
                      .contacts = memory.contacts,
                      .scale = space.scale,
                      .separating = options.separating,
                      .selection = options.impulse_selection,
                      .redundant = result.non_unique_impulse,
                      .energy = energy,
                      .lcp = memory.lcp,
                      .diagnostics = diagnostics};
    result.status = solve(stage, memory.p);
    // What separates within the tolerance may leave no solution (bodies caught between walls, where
    // gap rates have a constant sum): then it does not take part.
    if (!strict &&
        worth_another_try(result.status, options, stage.U.maxCoeff(), space.scale.gap_rate_tol)) {
      strict = true;
      continue;
    }
    strict = false;
    // Work of the stage, ½ pᵀ(U + U⁺), before the gap rates move on.
    memory.scratch = stage.G * memory.p;
    energy += memory.p.dot(stage.U) + 0.5 * memory.p.dot(memory.scratch);
    if (all) {
      total += memory.p;
    } else {
      total(memory.contacts) += memory.p;
    }
    const double before = -stage.U.minCoeff();
    U = space.U;
    U.noalias() += space.G * total;
    if (!accepted(result.status)) break;
    again = false;
    const double after = -U(memory.contacts).minCoeff();
    // What the solver left of an approach, if that is seen, is an impact of its own.
    if (promise == Promise::Separation && options.separating == Separating::ExcludeAndRepeat &&
        after > space.scale.gap_rate_tol && after <= 0.5 * before) {
      again = true;
    }
    if (!all) {
      for (Eigen::Index i = 0, k = 0; i < m; ++i) {
        if (k < static_cast<Eigen::Index>(memory.contacts.size()) &&
            memory.contacts[static_cast<std::size_t>(k)] == i) {
          ++k;
        } else if (U[i] < -space.scale.gap_rate_tol) {
          again = true;
        }
      }
    }
  }
  set_impulses(problem, total, result);
  if (promise == Promise::Separation) {
    keep_promise(problem, options, space.scale.gap_rate_tol, result);
  }
  return result;
}

}  // namespace percute::laws

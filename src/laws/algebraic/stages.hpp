// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "numerics/lcp.hpp"

#include <percute/laws/algebraic.hpp>

#include <algorithm>
#include <optional>
#include <vector>

namespace percute::laws {

/// An impact seen by its contacts, normal directions only: U⁺ = U⁻ + G p.
struct NormalSpace {
  Matrix G;  ///< Delassus matrix, m × m
  Vector U;  ///< gap rates before, m
  ImpactScales scale;

  /// Throws InvalidInput for contacts that no impulse could move.
  void assign(const ImpactProblem& problem);

  /// Whether some contact approaches by more than the tolerance.
  bool approaching(const Vector& gap_rates) const {
    return gap_rates.size() > 0 && gap_rates.minCoeff() < -scale.gap_rate_tol;
  }

 private:
  SparseMatrix X_;  ///< L⁻¹W, the factor of G
};

/// All memory of an algebraic law; one per thread, reused from problem to problem.
struct AlgebraicWorkspace::Memory {
  NormalSpace space;
  numerics::LcpSolver lcp;
  numerics::LcpSolution solution;

  // Of one stage: contacts that take part, and their share of the problem.
  std::vector<int> contacts;
  Matrix A;
  Vector U;
  Vector p;
  Vector scratch;
};

/// What a law sees of one stage, with friction and without: the contacts that take part.
struct StageContacts {
  const ImpactProblem& problem;
  const AlgebraicOptions& options;
  const ImpactScales& scale;
  const std::vector<int>& contacts;  ///< their indices in the problem
  AlgebraicDiagnostics& diagnostics;

  const Contact& contact(std::size_t k) const {
    return problem.contacts[static_cast<std::size_t>(contacts[k])];
  }
  /// What a restitution coefficient multiplies of a gap rate.
  double restituted(double gap_rate) const {
    return options.separating == Separating::IncludeRaw ? gap_rate : std::min(gap_rate, 0.0);
  }
};

/// A stage of a law without friction.
struct Stage : StageContacts {
  const Matrix& G;  ///< Delassus matrix of the contacts, k × k
  const Vector& U;  ///< their gap rates before the stage, k
  bool redundant;   ///< the contacts of the problem: impulses may need to be selected
  double energy;    ///< kinetic energy before the stage
  numerics::LcpSolver& lcp;

  Eigen::Index size() const { return U.size(); }
  double restitution(Eigen::Index i) const {
    return contact(static_cast<std::size_t>(i)).material.restitution;
  }
  double restituted(Eigen::Index i) const { return StageContacts::restituted(U[i]); }
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

/// Notes energy that an algebraic law leaves in precompressed contacts, whatever it does.
void note_stored(const ImpactProblem& problem, ImpactResult& result);
/// And, without friction, whether contacts are redundant.
void note_common(const ImpactProblem& problem, const NormalSpace& space, ImpactResult& result);

/// Throws InvalidInput unless every contact has a restitution in [0, largest].
void require_restitution(const ImpactProblem& problem, double largest = 1.0);

/// The one coefficient of a law: `given`, or that of all contacts if they agree.
double common_restitution(const ImpactProblem& problem, const std::optional<double>& given);

/// The status of a stage by that of its solver, whose work is noted.
template <class Solution>
Status note_work(const StageContacts& stage, const Solution& solution) {
  stage.diagnostics.iterations += solution.iterations;
  stage.diagnostics.residual = std::max(stage.diagnostics.residual, solution.error);
  switch (solution.status) {
    case numerics::SolverStatus::Solved:
      return Status::Ok;
    case numerics::SolverStatus::NoSlipSolution:
      return Status::NoSlipSolution;
    case numerics::SolverStatus::Infeasible:
      return Status::Infeasible;
    case numerics::SolverStatus::IterationLimit:
      break;
  }
  return Status::NotTerminated;
}

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

/// What a law says about gap rates after a stage of contacts that did not separate before.
enum class Promise { None, Separation };

/// Applies a law under the policy for separating contacts: stages repeat while a contact that was
/// left out approaches. `rows` are the directions in which contacts act, NormalRows or
/// FrictionRows:
///
///     rows.start(), rows.scale()               velocities of all rows before the impact
///     rows.contacts(), rows.normal(U, i)       the normal component of contact i
///     rows.stage(contacts, U, p)               what the law sees; makes p zero
///     rows.add(stage, p, U)                    adds impulses of a stage and sets U = U⁻ + A Σp
///     rows.finish(result)                      sets impulses and velocities
///
/// `solve(stage, p)` returns the status of one stage and its impulses.
template <class Rows, class Solve>
void run_stages(const ImpactProblem& problem, const AlgebraicOptions& options, Rows&& rows,
                Promise promise, std::vector<int>& contacts, ImpactResult& result, Vector& p,
                Solve&& solve) {
  constexpr double kAtRest = 1e-3;  // of the tolerance: separates by no more than rounding
  const double tolerance = rows.scale().gap_rate_tol;
  const int m = rows.contacts();
  Vector U = rows.start();
  bool impact = false;
  for (int i = 0; i < m; ++i) impact = impact || rows.normal(U, i) < -tolerance;
  if (!impact) return;

  const bool repeats = options.separating == Separating::ExcludeAndRepeat;
  AlgebraicDiagnostics& diagnostics = notes_of(result);
  const auto largest = [&](double sign) {
    double size = 0.0;
    for (const int i : contacts) size = std::max(size, sign * rows.normal(U, i));
    return size;
  };
  result.status = Status::Ok;
  bool strict = false;
  for (bool again = true; again;) {
    if (diagnostics.stages == options.max_stages) {
      result.status = Status::NotTerminated;
      break;
    }
    ++diagnostics.stages;
    contacts.clear();
    for (int i = 0; i < m; ++i) {
      const double most = (strict ? kAtRest : 1.0) * tolerance;
      if (!repeats || rows.normal(U, i) <= most) contacts.push_back(i);
    }
    const auto stage = rows.stage({.problem = problem,
                                   .options = options,
                                   .scale = rows.scale(),
                                   .contacts = contacts,
                                   .diagnostics = diagnostics},
                                  U, p);
    result.status = solve(stage, p);
    // What separates within the tolerance may leave no solution (bodies caught between walls, where
    // gap rates have a constant sum): then it does not take part, not even within the tolerance.
    const bool without =
        result.status == Status::Infeasible || result.status == Status::NotTerminated;
    if (!strict && without && repeats && largest(1.0) > kAtRest * tolerance) {
      strict = true;
      continue;
    }
    strict = false;
    const double before = largest(-1.0);
    rows.add(stage, p, U);
    if (!accepted(result.status)) break;
    // What the solver left of an approach, if that is seen, is an impact of its own.
    const double after = largest(-1.0);
    again = promise == Promise::Separation && repeats && after > tolerance && after <= 0.5 * before;
    for (int i = 0, k = 0; i < m; ++i) {
      if (k < static_cast<int>(contacts.size()) && contacts[static_cast<std::size_t>(k)] == i) {
        ++k;
      } else {
        again = again || rows.normal(U, i) < -tolerance;
      }
    }
  }
  rows.finish(result);
  // A law that promises separation answers only where it is kept: extreme ratios of masses may
  // leave more of an approach than the tolerance, for rounding or for what the solver accepted.
  const bool promised =
      promise == Promise::Separation && options.separating != Separating::IncludeRaw;
  if (!promised || result.status != Status::Ok) return;
  const Vector gap_rate = problem.gradients.transpose() * result.velocity;
  if (gap_rate.minCoeff() < -tolerance) result.status = Status::NotTerminated;
}

/// The normal directions of contacts.
class NormalRows {
 public:
  NormalRows(const ImpactProblem& problem, AlgebraicWorkspace::Memory& memory, bool redundant);

  const Vector& start() const { return memory_.space.U; }
  const ImpactScales& scale() const { return memory_.space.scale; }
  int contacts() const { return static_cast<int>(memory_.space.U.size()); }
  static double normal(const Vector& U, int i) { return U[i]; }
  Stage stage(const StageContacts& contacts, const Vector& U, Vector& p);
  void add(const Stage& stage, const Vector& p, Vector& U);
  void finish(ImpactResult& result) const { set_impulses(problem_, total_, result); }

 private:
  const ImpactProblem& problem_;
  AlgebraicWorkspace::Memory& memory_;
  bool redundant_;
  double energy_;
  Vector total_;
};

/// Applies a law without friction in stages.
template <class Solve>
ImpactResult in_stages(const ImpactProblem& problem, const AlgebraicOptions& options,
                       AlgebraicWorkspace::Memory& memory, Promise promise, Solve&& solve) {
  validate(options);
  memory.space.assign(problem);
  ImpactResult result = start_result(problem);
  note_common(problem, memory.space, result);
  run_stages(problem, options, NormalRows(problem, memory, result.non_unique_impulse), promise,
             memory.contacts, result, memory.p, solve);
  return result;
}

}  // namespace percute::laws

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "laws/algebraic/friction_space.hpp"
#include "laws/algebraic/stages.hpp"

#include <algorithm>

namespace percute::laws {

/// The rows of the contacts that take part in a stage, and their share of A, as a Coulomb problem
/// with b = U.
numerics::CoulombProblem restrict_to(const FrictionSpace& space, const std::vector<int>& contacts,
                                     const Vector& U, std::vector<int>& rows);

/// Writes the impulses of all rows, and v⁺ = v⁻ + M⁻¹H p, into the result.
void set_impulses(const ImpactProblem& problem, const FrictionSpace& space, const Vector& p,
                  ImpactResult& result);

/// Applies a frictional law under the policy for separating contacts, like in_stages():
/// `solve(stage, p)` gives the impulses of the rows of one stage.
template <class Solve>
ImpactResult in_friction_stages(const ImpactProblem& problem, const AlgebraicOptions& options,
                                Solve&& solve) {
  validate(options);
  const FrictionSpace space(problem);
  ImpactResult result = start_result(problem);
  for (const Contact& contact : problem.contacts) result.energy.stored += contact.stored_energy;
  const double tolerance = space.scale.gap_rate_tol;
  const auto approaching = [&](const Vector& U, int i) { return space.normal(U, i) < -tolerance; };
  Vector U = space.U;
  bool impact = false;
  for (int i = 0; i < space.contacts(); ++i) impact = impact || approaching(U, i);
  if (!impact) return result;

  AlgebraicDiagnostics& diagnostics = notes_of(result);
  Vector total = Vector::Zero(U.size());
  std::vector<int> contacts;
  std::vector<int> rows;
  result.status = Status::Ok;
  bool strict = false;  // as in in_stages()
  for (bool again = true; again;) {
    if (diagnostics.stages == options.max_stages) {
      result.status = Status::NotTerminated;
      break;
    }
    ++diagnostics.stages;
    contacts.clear();
    std::vector<int> left_out;
    for (int i = 0; i < space.contacts(); ++i) {
      const bool takes_part = options.separating != Separating::ExcludeAndRepeat ||
                              space.normal(U, i) <= (strict ? kAtRest : 1.0) * tolerance;
      (takes_part ? contacts : left_out).push_back(i);
    }
    const numerics::CoulombProblem coulomb = restrict_to(space, contacts, U, rows);
    const Vector before = coulomb.b;
    const FrictionStage stage{.problem = problem,
                              .space = space,
                              .contacts = contacts,
                              .coulomb = coulomb,
                              .U = before,
                              .separating = options.separating,
                              .selection = options.impulse_selection,
                              .diagnostics = diagnostics};
    Vector p = Vector::Zero(before.size());
    result.status = solve(stage, p);
    double fastest = 0.0;
    for (const int i : contacts) fastest = std::max(fastest, space.normal(U, i));
    if (!strict && worth_another_try(result.status, options, fastest, tolerance)) {
      strict = true;
      continue;
    }
    strict = false;
    for (std::size_t k = 0; k < rows.size(); ++k) total[rows[k]] += p[static_cast<Eigen::Index>(k)];
    U = space.U + space.A * total;
    result.non_unique_impulse = result.non_unique_impulse || stage.non_unique;
    if (!accepted(result.status)) break;
    again = false;
    for (const int i : left_out) again = again || approaching(U, i);
    // As in in_stages(): all frictional laws promise separation.
    double approach = 0.0;
    double reached = 0.0;
    for (std::size_t k = 0; k < contacts.size(); ++k) {
      approach = std::max(approach, -before[coulomb.start[k]]);
      reached = std::max(reached, -space.normal(U, contacts[k]));
    }
    if (options.separating == Separating::ExcludeAndRepeat && reached > tolerance) {
      again = again || reached <= 0.5 * approach;
    }
  }
  set_impulses(problem, space, total, result);
  keep_promise(problem, options, tolerance, result);
  return result;
}

}  // namespace percute::laws

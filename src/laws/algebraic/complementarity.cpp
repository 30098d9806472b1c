// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/algebraic/friction.hpp"

#include <percute/laws/complementarity.hpp>

#include <algorithm>

// Laws that are one complementarity problem of the contacts, or one for each of two phases: those
// of Moreau and Newton, of Poisson without friction and with it, and Coulomb's.

namespace percute::laws {

namespace {

// --------------------------------------------------------------------------------------- Poisson

constexpr double kLargestPoisson = 2.0;

/// Compression, then expansion with the impulses e_i p_i^c at least.
Status solve_phases(const Stage& stage, AlgebraicWorkspace::Memory& memory, Vector& p) {
  // 0 ≤ U^c = U⁻ + G p^c ⟂ p^c ≥ 0. Where p^c is not unique, E p^c depends on the choice.
  numerics::LcpSolution& solution = memory.solution;
  if (const Status status = solve_impulses(stage, stage.U, solution, p); !accepted(status)) {
    return status;
  }

  // p = (I + E) p^c + x,  0 ≤ U⁺ = U⁻ + G (I + E) p^c + G x ⟂ x ≥ 0
  for (Eigen::Index i = 0; i < p.size(); ++i) p[i] *= 1.0 + stage.restitution(i);
  Vector& b = memory.scratch;
  b = stage.U;
  b.noalias() += stage.G * p;
  solution.z.resize(0);
  const Status status = solve_lcp(stage, stage.G, b, solution);
  p += solution.z;
  select_impulses(stage, p);
  return status;
}

/// The same with Coulomb friction in both phases:
///
///     compression   0 ≤ U_n^c ⟂ p_n^c ≥ 0,             friction μ p_n^c against U_t^c
///     expansion     0 ≤ U_n⁺ ⟂ p_n^e − E p_n^c ≥ 0,    friction μ p_n^e against U_t⁺
Status solve_phases(const FrictionStage& stage, Vector& p) {
  if (const Status status = solve_coulomb(stage, stage.coulomb, p); !accepted(status)) {
    return status;
  }
  numerics::CoulombProblem second = stage.coulomb;
  second.b = stage.before() + stage.coulomb.A * p;
  second.impulse_floor.resize(static_cast<Eigen::Index>(stage.contacts.size()));
  for (std::size_t k = 0; k < stage.contacts.size(); ++k) {
    // Rounding may leave an impulse of zero below zero.
    second.impulse_floor[static_cast<Eigen::Index>(k)] =
        stage.contact(k).material.restitution * std::max(p[stage.normal(k)], 0.0);
  }
  Vector expansion;
  const Status status = solve_coulomb(stage, second, expansion);
  p += expansion;
  return status;
}

// --------------------------------------------------------------------------------------- Coulomb

/// b_n = U_n⁻ + e U_n⁻ and b_t = (1 + θ) U_t⁻ of one contact, in place of U⁻.
void restitute(numerics::CoulombProblem& coulomb, std::size_t k, double restituted, double theta) {
  const int normal = coulomb.start[k];
  coulomb.b[normal] += restituted;
  for (int row = normal + 1; row < coulomb.start[k + 1]; ++row) coulomb.b[row] *= 1.0 + theta;
}

/// The law with tangential coefficient θ and all e_i multiplied by `factor`.
ImpactResult apply(const ImpactProblem& problem, const AlgebraicOptions& options, double theta,
                   double factor) {
  return in_friction_stages(problem, options, [&](const FrictionStage& stage, Vector& p) {
    numerics::CoulombProblem coulomb = stage.coulomb;
    for (std::size_t k = 0; k < stage.contacts.size(); ++k) {
      const double e = factor * stage.contact(k).material.restitution;
      restitute(coulomb, k, e * stage.restituted(k), theta);
    }
    return solve_coulomb(stage, coulomb, p);
  });
}

/// Energy gained beyond rounding.
bool grows(const ImpactProblem& problem, const ImpactResult& result) {
  const double gained =
      problem.mass.kinetic_energy(result.velocity) - problem.mass.kinetic_energy(problem.velocity);
  return gained > 1e-10 * scales(problem).energy;
}

/// The largest common factor of all e_i that creates no energy, to 1e-10.
ImpactResult with_reduced_restitution(const ImpactProblem& problem, const Coulomb& law) {
  double good = 0.0;
  double bad = 1.0;
  ImpactResult best = apply(problem, law.options, law.tangential, good);
  while (bad - good > 1e-10) {
    const double middle = 0.5 * (good + bad);
    ImpactResult trial = apply(problem, law.options, law.tangential, middle);
    if (!accepted(trial.status) || grows(problem, trial)) {
      bad = middle;
    } else {
      good = middle;
      best = std::move(trial);
    }
  }
  notes_of(best).restitution_factor = good;
  return best;
}

}  // namespace

// ---------------------------------------------------------------------------------------- Moreau

ImpactResult Moreau::operator()(const ImpactProblem& problem, AlgebraicWorkspace& workspace) const {
  validate(*this);
  const double e = common_restitution(problem, restitution);
  AlgebraicWorkspace::Memory& memory = workspace.memory();
  return in_stages(problem, options, memory, Promise::Separation,
                   [&](const Stage& stage, Vector& p) {
                     // 0 ≤ U⁺ + e U⁻ ⟂ p ≥ 0
                     Vector& b = memory.scratch;
                     b = stage.U;
                     for (Eigen::Index i = 0; i < b.size(); ++i) b[i] += e * stage.restituted(i);
                     return solve_impulses(stage, b, memory.solution, p);
                   });
}

ImpactResult Moreau::operator()(const ImpactProblem& problem) const {
  AlgebraicWorkspace workspace;
  return (*this)(problem, workspace);
}

// ---------------------------------------------------------------------------------------- Newton

ImpactResult Newton::operator()(const ImpactProblem& problem, AlgebraicWorkspace& workspace) const {
  require_restitution(problem);
  AlgebraicWorkspace::Memory& memory = workspace.memory();
  const Promise promise = form == Form::Equality ? Promise::None : Promise::Separation;
  return in_stages(problem, options, memory, promise, [&](const Stage& stage, Vector& p) {
    // 0 ≤ U⁺ + E U⁻ ⟂ p ≥ 0, or U⁺ = −E U⁻
    Vector& b = memory.scratch;
    b = stage.U;
    for (Eigen::Index i = 0; i < b.size(); ++i) b[i] += stage.restitution(i) * stage.restituted(i);
    // p = −G⁻¹ (I + E) U⁻, whatever its signs
    if (form == Form::Equality) return solve_equations(stage, -b, p);
    return solve_impulses(stage, b, memory.solution, p);
  });
}

ImpactResult Newton::operator()(const ImpactProblem& problem) const {
  AlgebraicWorkspace workspace;
  return (*this)(problem, workspace);
}

ImpactResult Poisson::operator()(const ImpactProblem& problem,
                                 AlgebraicWorkspace& workspace) const {
  require_restitution(problem, kLargestPoisson);
  if (has_friction(problem)) {
    return in_friction_stages(problem, options, [](const FrictionStage& stage, Vector& p) {
      return solve_phases(stage, p);
    });
  }
  AlgebraicWorkspace::Memory& memory = workspace.memory();
  return in_stages(problem, options, memory, Promise::Separation,
                   [&](const Stage& stage, Vector& p) { return solve_phases(stage, memory, p); });
}

ImpactResult Poisson::operator()(const ImpactProblem& problem) const {
  AlgebraicWorkspace workspace;
  return (*this)(problem, workspace);
}

ImpactResult Coulomb::operator()(const ImpactProblem& problem) const {
  validate(*this);
  require_restitution(problem);
  ImpactResult result = apply(problem, options, tangential, 1.0);
  if (on_energy_growth == OnEnergyGrowth::Report || !accepted(result.status) ||
      !grows(problem, result)) {
    return result;
  }
  if (on_energy_growth == OnEnergyGrowth::ReduceE) return with_reduced_restitution(problem, *this);
  result = apply(problem, options, 1.0, 1.0);
  notes_of(result).fremond_fallback = true;
  return result;
}

CoulombImpact coulomb_impact(const ImpactProblem& problem, const Coulomb& law) {
  validate(law);
  const FrictionSpace space(problem);
  std::vector<int> contacts;
  for (int i = 0; i < space.contacts(); ++i) {
    if (space.normal(space.U, i) <= space.scale.gap_rate_tol) contacts.push_back(i);
  }
  std::vector<int> rows;
  CoulombImpact impact{.problem = restrict_to(space, contacts, space.U, rows),
                       .velocity_scale = space.scale.velocity};
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const auto i = static_cast<std::size_t>(contacts[k]);
    const double approach = std::min(space.normal(space.U, contacts[k]), 0.0);
    restitute(impact.problem, k, problem.contacts[i].material.restitution * approach,
              law.tangential);
  }
  impact.directions = space.directions * identity_columns(space.U.size(), rows);
  return impact;
}

}  // namespace percute::laws

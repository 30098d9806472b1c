// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/algebraic/coulomb_impact.hpp"
#include "laws/algebraic/friction_stages.hpp"

namespace percute::laws {

namespace {

using OnEnergyGrowth = Coulomb::OnEnergyGrowth;

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
    numerics::CoulombSolution solution;
    const Status status = solve_coulomb(stage, coulomb, solution);
    if (accepted(status)) select_impulses(stage, coulomb, solution);
    p = solution.p;
    return status;
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
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    for (SparseMatrix::InnerIterator entry(space.directions, rows[k]); entry; ++entry) {
      entries.emplace_back(static_cast<int>(entry.row()), static_cast<int>(k), entry.value());
    }
  }
  impact.directions.resize(space.directions.rows(), static_cast<Eigen::Index>(rows.size()));
  impact.directions.setFromTriplets(entries.begin(), entries.end());
  return impact;
}

void validate(const Coulomb& law) {
  require_ranges("law", law);
}

}  // namespace percute::laws

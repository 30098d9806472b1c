// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/algebraic/friction_stages.hpp"
#include "laws/algebraic/options.hpp"

#include <percute/laws/coulomb.hpp>

namespace percute::laws {

namespace {

using OnEnergyGrowth = Coulomb::OnEnergyGrowth;

/// The law with tangential coefficient θ and all e_i multiplied by `factor`.
ImpactResult apply(const ImpactProblem& problem, const AlgebraicOptions& options, double theta,
                   double factor) {
  return in_friction_stages(problem, options, [&](const FrictionStage& stage, Vector& p) {
    // b_n = U_n⁻ + e U_n⁻,  b_t = (1 + θ) U_t⁻
    numerics::CoulombProblem coulomb = stage.coulomb;
    for (std::size_t k = 0; k < stage.contacts.size(); ++k) {
      const double e = factor * stage.contact(k).material.restitution;
      coulomb.b[stage.normal(k)] += e * stage.restituted(k);
      for (int row = stage.normal(k) + 1; row < coulomb.start[k + 1]; ++row) {
        coulomb.b[row] *= 1.0 + theta;
      }
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

void validate(const Coulomb& law) {
  validate(law.options);
  require_option(law.tangential >= -1.0 && law.tangential <= 1.0, "tangential", law.tangential,
                 "in [-1, 1]");
}

}  // namespace percute::laws

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "analysis/distinct.hpp"
#include "analysis/random.hpp"
#include "laws/algebraic/friction.hpp"

#include <percute/model/invalid_input.hpp>

#include <stdexcept>

namespace percute::analysis {

namespace {

Vector velocity(const ImpactProblem& problem, const laws::CoulombImpact& impact, const Vector& p) {
  return problem.velocity + problem.mass.solve(Vector(impact.directions * p));
}

/// Newton's method from a given impulse, in two forms, then sweeps: whichever arrives.
bool solve_from(const numerics::CoulombProblem& problem, double scale,
                numerics::CoulombSolver& solver, numerics::CoulombSolution& solution) {
  using numerics::CoulombMethod;
  constexpr int kSweeps = 1000;
  const Vector start = solution.p;
  for (const CoulombMethod method :
       {CoulombMethod::AlartCurnier, CoulombMethod::FischerBurmeister, CoulombMethod::Nsgs}) {
    solution.p = start;
    const int limit = method == CoulombMethod::Nsgs ? kSweeps : 0;
    solver.solve(problem, {.method = method, .scale = scale, .max_iterations = limit}, solution);
    if (solution.status == numerics::CoulombStatus::Solved) return true;
  }
  return false;
}

}  // namespace

DistinctOutcomes over_modes(const ImpactProblem& problem, const laws::Coulomb& law) {
  validate(problem);
  const laws::CoulombImpact impact = laws::coulomb_impact(problem, law);
  DistinctOutcomes out;
  try {
    for (const auto& solution : numerics::enumerate_coulomb(impact.problem)) {
      note(out, velocity(problem, impact, solution.p), impact.velocity_scale);
    }
  } catch (const std::invalid_argument& error) {
    throw InvalidInput("contacts", error.what());
  }
  out.complete = true;
  return out;
}

DistinctOutcomes over_starting_points(const ImpactProblem& problem, const laws::Coulomb& law,
                                      int starts, std::uint64_t seed) {
  validate(problem);
  const laws::CoulombImpact impact = laws::coulomb_impact(problem, law);
  const numerics::CoulombProblem& coulomb = impact.problem;
  numerics::CoulombSolver solver;
  Random random(seed, 0);
  DistinctOutcomes out;
  for (int k = 0; k <= starts; ++k) {
    numerics::CoulombSolution solution;
    solution.p = Vector::Zero(coulomb.b.size());
    for (std::size_t i = 0; k > 0 && i + 1 < coulomb.start.size(); ++i) {
      // Up to a few times what stops the contact alone, anywhere in its cone.
      const int n = coulomb.start[i];
      const double normal = 3.0 * random.uniform() * impact.velocity_scale / coulomb.A.coeff(n, n);
      const double mu = std::min(coulomb.friction[static_cast<Eigen::Index>(i)], 1e3);
      solution.p[n] = normal;
      for (int t = n + 1; t < coulomb.start[i + 1]; ++t) {
        solution.p[t] = mu * normal * (2.0 * random.uniform() - 1.0);
      }
    }
    if (solve_from(coulomb, impact.velocity_scale, solver, solution)) {
      note(out, velocity(problem, impact, solution.p), impact.velocity_scale);
    } else {
      ++out.failed;
    }
  }
  return out;
}

}  // namespace percute::analysis

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "analysis/random.hpp"
#include "laws/algebraic/friction.hpp"

#include <percute/analysis/uniqueness.hpp>
#include <percute/model/invalid_input.hpp>

#include <algorithm>
#include <stdexcept>
#include <vector>

namespace percute::analysis {

namespace {

/// Notes an answer; `scale` is the velocity differences are measured against.
void note(DistinctOutcomes& outcomes, const Vector& velocity, double scale) {
  constexpr double kSame = 1e-8;  // above what solvers leave, far below what matters
  ++outcomes.tried;
  double spread = outcomes.spread;
  for (std::size_t k = 0; k < outcomes.velocities.size(); ++k) {
    const double distance = (outcomes.velocities[k] - velocity).cwiseAbs().maxCoeff();
    if (distance <= kSame * scale) {
      ++outcomes.counts[k];
      return;
    }
    spread = std::max(spread, distance);
  }
  outcomes.velocities.push_back(velocity);
  outcomes.counts.push_back(1);
  outcomes.spread = spread;
}

/// Decisions made so far: of `of` contacts that could collide, number `taken` did.
struct Decision {
  int taken = 0;
  int of = 1;
};

Vector velocity(const ImpactProblem& problem, const laws::CoulombImpact& impact, const Vector& p) {
  return problem.velocity + problem.mass.solve(Vector(impact.directions * p));
}

/// Newton's method from a given impulse, then sweeps: whichever arrives.
bool solve_from(const numerics::CoulombProblem& problem, double scale,
                numerics::CoulombSolution& solution) {
  using numerics::CoulombMethod;
  constexpr int kSweeps = 1000;
  const Vector start = solution.p;
  for (const CoulombMethod method : {CoulombMethod::AlartCurnier, CoulombMethod::Nsgs}) {
    solution.p = start;
    const int limit = method == CoulombMethod::Nsgs ? kSweeps : 0;
    numerics::solve_coulomb(problem, {.method = method, .scale = scale, .max_iterations = limit},
                            solution);
    if (solution.status == numerics::SolverStatus::Solved) return true;
  }
  return false;
}

}  // namespace

DistinctOutcomes over_orders(const ImpactProblem& problem, laws::Binary law, long most) {
  DistinctOutcomes out;
  const ImpactScales scale = scales(problem);
  std::vector<Decision> decisions;
  std::size_t depth = 0;
  law.order = laws::Binary::Order::User;
  law.choose = [&](const Vector& gap_rates) {
    // Follow the decisions known; beyond them, take the first contact and note the others.
    std::vector<int> approaching;
    for (int i = 0; i < gap_rates.size(); ++i) {
      if (gap_rates[i] < -scale.gap_rate_tol) approaching.push_back(i);
    }
    if (depth == decisions.size()) {
      decisions.push_back({.taken = 0, .of = static_cast<int>(approaching.size())});
    }
    return approaching[static_cast<std::size_t>(decisions[depth++].taken)];
  };

  for (long run = 0; run < most; ++run) {
    depth = 0;
    const ImpactResult result = resolve(problem, law);
    if (result.ok()) {
      note(out, result.velocity, scale.velocity);
    } else {
      ++out.failed;
    }
    // The last decision that has another way to go goes it; what followed is forgotten.
    while (!decisions.empty() && decisions.back().taken + 1 == decisions.back().of) {
      decisions.pop_back();
    }
    if (decisions.empty()) {
      out.complete = true;
      break;
    }
    ++decisions.back().taken;
  }
  return out;
}

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
    if (solve_from(coulomb, impact.velocity_scale, solution)) {
      note(out, velocity(problem, impact, solution.p), impact.velocity_scale);
    } else {
      ++out.failed;
    }
  }
  return out;
}

}  // namespace percute::analysis

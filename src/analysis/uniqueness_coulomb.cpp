// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "analysis/distinct.hpp"
#include "analysis/random.hpp"

#include <percute/model/invalid_input.hpp>
#include <percute/numerics/coulomb.hpp>

#include <stdexcept>

namespace percute::analysis {

namespace {

/// Coulomb's law for the contacts that do not separate: z = U⁺ + diag(e, θ) U⁻ = A p + b.
struct CoulombImpact {
  SparseMatrix directions = {};  ///< H, normal and tangents of each contact in turn
  numerics::CoulombProblem problem = {};
  double scale = 0.0;

  Vector velocity(const ImpactProblem& impact, const Vector& p) const {
    return impact.velocity + impact.mass.solve(Vector(directions * p));
  }
};

CoulombImpact coulomb_impact(const ImpactProblem& impact, const laws::Coulomb& law) {
  validate(impact);
  validate(law);
  const ImpactScales scale = scales(impact);
  const Vector gap_rates = impact.gradients.transpose() * impact.velocity;
  CoulombImpact out;
  out.scale = scale.velocity;
  std::vector<Eigen::Triplet<double>> entries;
  std::vector<double> friction;
  std::vector<double> factor;  // 1 + e for normals, 1 + θ for tangents
  out.problem.start.push_back(0);
  for (std::size_t i = 0; i < impact.contacts.size(); ++i) {
    const auto column = static_cast<Eigen::Index>(i);
    if (gap_rates[column] > scale.gap_rate_tol) continue;
    const Contact& contact = impact.contacts[i];
    for (SparseMatrix::InnerIterator entry(impact.gradients, column); entry; ++entry) {
      entries.emplace_back(static_cast<int>(entry.row()), static_cast<int>(factor.size()),
                           entry.value());
    }
    factor.push_back(1.0 + contact.material.restitution);
    const double mu = contact.tangents.cols() > 0 ? contact.material.friction : 0.0;
    for (Eigen::Index d = 0; d < contact.tangents.cols() && mu > 0.0; ++d) {
      for (Eigen::Index row = 0; row < contact.tangents.rows(); ++row) {
        entries.emplace_back(static_cast<int>(row), static_cast<int>(factor.size()),
                             contact.tangents(row, d));
      }
      factor.push_back(1.0 + law.tangential);
    }
    friction.push_back(mu);
    out.problem.start.push_back(static_cast<int>(factor.size()));
  }
  const auto rows = static_cast<Eigen::Index>(factor.size());
  out.directions.resize(impact.velocity.size(), rows);
  out.directions.setFromTriplets(entries.begin(), entries.end());
  out.problem.A = impact.mass.delassus(out.directions);
  out.problem.b =
      Vector::Map(factor.data(), rows).cwiseProduct(out.directions.transpose() * impact.velocity);
  out.problem.friction = Vector::Map(friction.data(), static_cast<Eigen::Index>(friction.size()));
  return out;
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
  const CoulombImpact impact = coulomb_impact(problem, law);
  DistinctOutcomes out;
  try {
    for (const auto& solution : numerics::enumerate_coulomb(impact.problem)) {
      note(out, impact.velocity(problem, solution.p), impact.scale);
    }
  } catch (const std::invalid_argument& error) {
    throw InvalidInput("contacts", error.what());
  }
  out.complete = true;
  return out;
}

DistinctOutcomes over_starting_points(const ImpactProblem& problem, const laws::Coulomb& law,
                                      int starts, std::uint64_t seed) {
  const CoulombImpact impact = coulomb_impact(problem, law);
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
      const double normal = 3.0 * random.uniform() * impact.scale / coulomb.A.coeff(n, n);
      const double mu = std::min(coulomb.friction[static_cast<Eigen::Index>(i)], 1e3);
      solution.p[n] = normal;
      for (int t = n + 1; t < coulomb.start[i + 1]; ++t) {
        solution.p[t] = mu * normal * (2.0 * random.uniform() - 1.0);
      }
    }
    if (solve_from(coulomb, impact.scale, solver, solution)) {
      note(out, impact.velocity(problem, solution.p), impact.scale);
    } else {
      ++out.failed;
    }
  }
  return out;
}

}  // namespace percute::analysis

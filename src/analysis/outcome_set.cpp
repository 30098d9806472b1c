// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include <percute/analysis/problem_analysis.hpp>
#include <percute/model/invalid_input.hpp>

#include <Eigen/Cholesky>

#include <cmath>
#include <string>

namespace percute::analysis {

bool OutcomeSet::contains(const Vector& after, double tolerance) const {
  if (!after.allFinite() || after.minCoeff() < -tolerance * speed) return false;
  const Vector impulse = inverse_delassus * (after - before);
  const Vector unit = inverse_delassus.diagonal() * speed;
  if (((impulse + tolerance * unit).array() < 0.0).any()) return false;
  return 0.5 * after.dot(inverse_delassus * after) <= (1.0 + tolerance) * reachable_energy;
}

double OutcomeSet::energy_ratio(const Vector& after) const {
  const double gained = 0.5 * after.dot(inverse_delassus * after) - reachable_energy;
  return 1.0 + gained / kinetic_energy;
}

OutcomeSet outcome_set(const ImpactProblem& problem) {
  const ProblemAnalysis analysis = analyze(problem);
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    const Contact& contact = problem.contacts[i];
    const std::string field = "contacts[" + std::to_string(i) + "].";
    if (friction_acts(contact)) {
      throw InvalidInput(field + "friction",
                         "the set of outcomes is for contacts without friction");
    }
    if (contact.stored_energy > 0.0) {
      throw InvalidInput(field + "stored_energy",
                         "the set of outcomes is for impacts without stored energy");
    }
  }
  if (analysis.redundant) {
    throw InvalidInput("contacts", "the set of outcomes needs independent contacts; " +
                                       std::to_string(problem.contacts.size()) +
                                       " contacts have rank " + std::to_string(analysis.rank));
  }
  if (analysis.gap_rates.size() == 0 ||
      !(analysis.gap_rates.minCoeff() < -scales(problem).gap_rate_tol)) {
    throw InvalidInput("velocity", "nothing approaches, so there is one outcome only");
  }
  OutcomeSet set;
  set.inverse_delassus = analysis.delassus.llt().solve(
      Matrix::Identity(analysis.delassus.rows(), analysis.delassus.cols()));
  set.before = analysis.gap_rates;
  set.speed = analysis.gap_rates.cwiseAbs().maxCoeff();
  set.kinetic_energy = analysis.kinetic_energy;
  set.reachable_energy = 0.5 * set.before.dot(set.inverse_delassus * set.before);
  set.largest = (2.0 * set.reachable_energy * analysis.delassus.diagonal()).cwiseSqrt();
  return set;
}

}  // namespace percute::analysis

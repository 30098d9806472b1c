// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "selftest/invariances.hpp"

#include "selftest/impact_guises.hpp"
#include "selftest/rebuilt_mass.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace percute::selftest {

namespace {

using laws::Lzb;
using laws::LzbWorkspace;

double distance(const Vector& a, const Vector& b) {
  return a.size() > 0 ? (a - b).cwiseAbs().maxCoeff() : 0.0;
}

Vector reversed(const Vector& v) {
  return v.reverse();
}

ImpactProblem with_bodies_reversed(const ImpactProblem& problem) {
  ImpactProblem out = problem;
  out.velocity = reversed(problem.velocity);
  const auto n = static_cast<int>(problem.velocity.size());
  out.mass = rebuilt(problem.mass, [&](Eigen::Index i, Eigen::Index j) {
    return problem.mass(n - 1 - i, n - 1 - j);
  });
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < problem.gradients.outerSize(); ++i) {
    for (SparseMatrix::InnerIterator entry(problem.gradients, i); entry; ++entry) {
      entries.emplace_back(n - 1 - static_cast<int>(entry.row()), i, entry.value());
    }
  }
  out.gradients.setFromTriplets(entries.begin(), entries.end());
  return out;
}

/// Compares runs of one impact, and measures how it amplifies differences when that is asked.
class GuiseComparison {
 public:
  GuiseComparison(const RandomProblem& random, const ImpactResult& result)
      : random_(random), result_(result), bound_(agreement_bound(random.problem, random.law)) {}

  /// `velocity` should be what `result` says, in the units and order of `result`.
  /// `share` is the part of the agreement bound that applies.
  void same(const char* name, const ImpactResult& other, const Vector& velocity,
            double share = 1.0) {
    if (!other.ok() || !result_.ok()) return;
    double bound = share * bound_;
    const double value = distance(velocity, result_.velocity);
    if (!(value <= bound)) {
      if (!factor_) factor_ = amplification(random_.problem, random_.law);
      bound *= *factor_;
    }
    report_.checks.push_back({name, value, bound});
  }

  void identical(const char* name, const ImpactResult& other) {
    const bool same_bits = fingerprint(other) == fingerprint(result_);
    report_.checks.push_back({name, same_bits ? 0.0 : 1.0, 0.0});
  }

  InvarianceReport report() {
    report_.amplification = factor_.value_or(1.0);
    return std::move(report_);
  }

 private:
  const RandomProblem& random_;
  const ImpactResult& result_;
  double bound_;
  std::optional<double> factor_;
  InvarianceReport report_;
};

}  // namespace

InvarianceReport check_invariances(const RandomProblem& random, const ImpactResult& result,
                                   LzbWorkspace& workspace) {
  const ImpactProblem& problem = random.problem;
  const Lzb& law = random.law;
  GuiseComparison comparison(random, result);
  comparison.identical("reuse", law(problem, workspace));
  if (!result.ok() || result.status == Status::NoImpact) return comparison.report();

  Lzb fine = law;
  fine.tolerance = std::max(1e-13, 0.01 * law.tolerance);
  const ImpactResult tighter = fine(problem, workspace);
  // Only one of the two has an error to speak of: 100 tolerance vs and a hundredth of that.
  comparison.same("tighter", tighter, tighter.velocity, 0.505);

  const ImpactResult contacts = law(with_contacts_reversed(problem), workspace);
  comparison.same("contacts", contacts, contacts.velocity);

  const ImpactResult bodies = law(with_bodies_reversed(problem), workspace);
  comparison.same("bodies", bodies, reversed(bodies.velocity));

  if (random.translation.size() > 0) {
    ImpactProblem moving = problem;
    const double vs = scales(problem).velocity;
    const Vector shift = 0.75 * vs * random.translation;
    moving.velocity += shift;
    const ImpactResult shifted = law(moving, workspace);
    comparison.same("shift", shifted, shifted.velocity - shift);
  }
  const Units units{.mass = 7, .length_steps = -1, .time = 5};
  ImpactProblem other = problem;
  change_units(other, units);
  const ImpactResult scaled = law(other, workspace);
  comparison.same("units", scaled, scaled.velocity / units.velocity_factor());

  const ImpactResult halves = law(with_a_contact_halved(problem), workspace);
  comparison.same("halves", halves, halves.velocity);
  return comparison.report();
}

}  // namespace percute::selftest

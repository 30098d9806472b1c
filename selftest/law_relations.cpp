// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "selftest/law_checks.hpp"
#include "selftest/law_outcome.hpp"

#include <percute/analysis/problem_analysis.hpp>

#include <algorithm>
#include <cmath>

namespace percute::selftest {

namespace {

/// Bodies caught between walls go to and fro for ever: such runs are cut.
constexpr laws::AlgebraicOptions kFew{.max_stages = 50};

/// The same impact with one restitution coefficient, and without friction if asked.
ImpactProblem alike(const ImpactProblem& problem, double restitution, bool friction) {
  ImpactProblem out = problem;
  for (Contact& contact : out.contacts) {
    contact.material.restitution = restitution;
    if (!friction) contact.material.friction = 0.0;
  }
  return out;
}

class Relations {
 public:
  explicit Relations(const ImpactProblem& problem) : c_(problem), report_{.name = "relations"} {}

  void same(const char* name, const ImpactResult& a, const ImpactResult& b) {
    if (!a.ok() || !b.ok()) return;
    report_.checks.push_back({name, difference(a, b), 1e-9 * c_.scale.velocity + c_.rounding});
  }
  void conserves(const char* name, const ImpactResult& result) {
    if (result.status != Status::Ok) return;
    // Rounding of each collision and stage adds up.
    const AlgebraicDiagnostics& d = *result.diagnostics.algebraic;
    const double many = std::max(0.01 * static_cast<double>(d.sequence.size()), 1.0 * d.stages);
    // Balls that move together have more energy than any one contact knows of.
    const double energy = std::max(c_.scale.energy, analysis::analyze(c_.problem).reachable_energy);
    const double bound = 1e-10 * energy * std::max(1.0, many) + c_.rounding * result.impulse.sum();
    report_.checks.push_back({name, std::abs(result.consistency.margins.energetic), bound});
  }
  const LawContext& context() const { return c_; }
  LawReport report() { return std::move(report_); }

 private:
  LawContext c_;
  LawReport report_;
};

void check_plastic(const ImpactProblem& problem, Relations& relations) {
  using percute::resolve;
  const ImpactProblem plastic = alike(problem, 0.0, false);
  const ImpactResult moreau = resolve(plastic, laws::Moreau{.options = kFew});
  relations.same("plastic newton", resolve(plastic, laws::Newton{.options = kFew}), moreau);
  relations.same("plastic poisson", resolve(plastic, laws::Poisson{.options = kFew}), moreau);
  relations.same("plastic scalar", resolve(plastic, laws::ScalarRestitution{.options = kFew}),
                 moreau);
  relations.same("plastic coulomb", resolve(plastic, laws::Coulomb{.options = kFew}), moreau);
}

void check_equal(const ImpactProblem& problem, double e, Relations& relations) {
  using percute::resolve;
  const ImpactProblem equal = alike(problem, e, false);
  const ImpactResult moreau = resolve(equal, laws::Moreau{.options = kFew});
  relations.same("equal newton", resolve(equal, laws::Newton{.options = kFew}), moreau);
  relations.same("equal poisson", resolve(equal, laws::Poisson{.options = kFew}), moreau);
  relations.same("equal coulomb", resolve(equal, laws::Coulomb{.tangential = 0.0, .options = kFew}),
                 moreau);
  const auto m = static_cast<Eigen::Index>(problem.contacts.size());
  relations.same(
      "cone of all",
      resolve(equal, laws::FremondCone{.patterns = Matrix::Identity(m, m), .options = kFew}),
      moreau);
  // Moreau's impulses are orthogonal to U⁺ + e U⁻: the ray along them stops at the same point.
  if (moreau.status == Status::Ok && moreau.diagnostics.algebraic->stages == 1) {
    const Vector direction = moreau.impulse.cwiseMax(0.0);
    if (direction.maxCoeff() > 0.0) {
      relations.same("ray", resolve(equal, laws::ImpulseRatios{.direction = direction}), moreau);
    }
  }
  if (m == 1 && moreau.status == Status::Ok) {
    const double kappa = laws::fremond_kappa(e, 1.0 / relations.context().scale.effective_mass[0]);
    relations.same("kappa",
                   resolve(equal, laws::FremondQuadratic{.kappa = Matrix::Constant(1, 1, kappa)}),
                   moreau);
  }
}

void check_elastic(const ImpactProblem& problem, Relations& relations) {
  using percute::resolve;
  const ImpactProblem elastic = alike(problem, 1.0, false);
  relations.conserves("elastic moreau", resolve(elastic, laws::Moreau{.options = kFew}));
  relations.conserves("elastic newton", resolve(elastic, laws::Newton{.options = kFew}));
  relations.conserves("elastic poisson", resolve(elastic, laws::Poisson{.options = kFew}));
  const laws::Binary binary{.order = laws::Binary::Order::LeftRight, .max_collisions = 2'000};
  const ImpactResult collisions = resolve(elastic, binary);
  relations.conserves("elastic binary", collisions);
  if (collisions.status == Status::Ok) {
    relations.same("sorted", resolve(elastic, laws::CradleSort{}), collisions);
  }
}

}  // namespace

LawReport check_relations(const RandomLaws& random) {
  Relations relations(random.problem);
  if (!relations.context().approaching()) return relations.report();
  check_plastic(random.problem, relations);
  check_equal(random.problem, random.restitution, relations);
  check_elastic(random.problem, relations);
  // Frictional, with different coefficients: without friction Coulomb's law is Newton's.
  ImpactProblem smooth = random.problem;
  for (Contact& contact : smooth.contacts) contact.material.friction = 0.0;
  relations.same("smooth coulomb", percute::resolve(smooth, laws::Coulomb{.options = kFew}),
                 percute::resolve(smooth, laws::Newton{.options = kFew}));
  return relations.report();
}

}  // namespace percute::selftest

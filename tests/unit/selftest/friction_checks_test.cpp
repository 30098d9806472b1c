// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "selftest/friction_checks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace percute::selftest {
namespace {

using ::testing::Contains;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

std::set<std::string> failing(const std::vector<Check>& checks) {
  std::set<std::string> out;
  for (const Check& check : checks) {
    if (!check.holds()) out.insert(check.name);
  }
  return out;
}

std::set<std::string> failing(const std::vector<LawReport>& reports) {
  std::set<std::string> out;
  for (const LawReport& report : reports) {
    for (const std::string& name : failing(report.checks)) out.insert(report.name + ": " + name);
  }
  return out;
}

/// A block 2 wide and 1 high that falls on both corners, and slides.
RandomProblem block() {
  RandomProblem out;
  out.kind = "block";
  ImpactProblem& problem = out.problem;
  problem.mass = MassMatrix::diagonal((Vector(3) << 1.0, 1.0, 5.0 / 12.0).finished());
  Matrix W(3, 2);
  W << 0.0, 0.0, 1.0, 1.0, -1.0, 1.0;
  problem.gradients = W.sparseView();
  problem.velocity = (Vector(3) << 2.0, -1.0, 0.3).finished();
  const Matrix t = (Matrix(3, 1) << 1.0, 0.0, 0.5).finished();
  problem.contacts.assign(2, {.material = {.restitution = 0.5, .friction = 0.3}});
  set_tangents(problem, {t, t});
  return out;
}

/// What the checks say of the result of the law once it has been changed; resolve() derives the
/// rest, so that the forgery is consistent.
template <class Forge>
std::set<std::string> caught(Forge&& forge) {
  const RandomProblem random = block();
  const auto law = [&](const ImpactProblem& problem) {
    ImpactResult result = random.law(problem);
    forge(result);
    return result;
  };
  return failing(check_frictional_result(random, resolve(random.problem, law)));
}

/// v⁺ that belongs to the impulses.
void follow_impulses(ImpactResult& result) {
  const ImpactProblem problem = block().problem;
  Vector momentum = problem.gradients * result.impulse;
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    momentum += tangents_of(problem, i) * result.tangential_impulse[i];
  }
  result.velocity = problem.velocity + problem.mass.solve(momentum);
}

TEST(FrictionChecks, AGoodResultPasses) {
  EXPECT_THAT(caught([](ImpactResult&) {}), IsEmpty());
  EXPECT_THAT(failing(check_friction(block())), IsEmpty());
}

TEST(FrictionChecks, ForgedResultsAreCaught) {
  EXPECT_THAT(caught([](ImpactResult& r) { r.velocity[0] += 1e-6; }), Contains("momentum"));
  EXPECT_THAT(caught([](ImpactResult& r) { r.velocity[1] = std::nan(""); }), Contains("finite"));
  // Friction a little beyond Coulomb's cone, with the velocities that follow.
  EXPECT_THAT(caught([](ImpactResult& r) {
                for (Vector& p : r.tangential_impulse) p *= 1.001;
                follow_impulses(r);
              }),
              Contains("cone"));
  // Not enough pressure to separate; too much of it gains energy.
  EXPECT_THAT(caught([](ImpactResult& r) {
                r.impulse *= 0.5;
                for (Vector& p : r.tangential_impulse) p *= 0.5;
                follow_impulses(r);
              }),
              Contains("separation"));
  EXPECT_THAT(caught([](ImpactResult& r) {
                r.impulse *= 2.0;
                follow_impulses(r);
              }),
              Contains("energy"));
  EXPECT_THAT(caught([](ImpactResult& r) { r.impulse[0] = -0.1; }), Contains("push"));
  // Friction that feeds a contact at the cost of another.
  EXPECT_THAT(caught([](ImpactResult& r) {
                r.dissipated_by_friction[1] += r.dissipated_by_friction[0] + 0.01;
                r.dissipated_by_friction[0] = -0.01;
              }),
              UnorderedElementsAre("loss"));
  EXPECT_THAT(caught([](ImpactResult& r) { r.dissipated[0] += 1e-6; }),
              UnorderedElementsAre("ledger"));
  EXPECT_THAT(caught([](ImpactResult& r) { r.status = Status::NoSlipSolution; }),
              Contains("status"));
  EXPECT_THAT(caught([](ImpactResult& r) { r.status = Status::NotTerminated; }),
              Contains("status"));
}

TEST(FrictionChecks, ProblemsHaveFrictionOfAllKinds) {
  std::set<std::string> kinds;
  int single = 0;
  int none = 0;
  int infinite = 0;
  for (std::uint64_t k = 0; k < 300; ++k) {
    const RandomProblem random = random_friction(3, k);
    kinds.insert(random.kind);
    single += random.problem.contacts.size() == 1 ? 1 : 0;
    bool slides = false;
    for (const Contact& contact : random.problem.contacts) {
      const double mu = contact.material.friction;
      slides = slides || friction_acts(contact);
      none += mu == 0.0 ? 1 : 0;
      infinite += std::isinf(mu) ? 1 : 0;
    }
    EXPECT_TRUE(slides) << k;
  }
  EXPECT_THAT(kinds, UnorderedElementsAre("planar contact", "spatial contact", "planar body",
                                          "spatial body", "spinning disks", "spinning balls",
                                          "cluster", "hexagonal", "dense"));
  EXPECT_GT(single, 70);  // a third, less four standard deviations
  EXPECT_GT(none, 20);
  EXPECT_GT(infinite, 20);
}

// Each showed a defect once: contacts at rest set in motion by infinite friction (4, 853); the
// order of contacts it stops (1, 150); twins that took turns at their limit (11, 1042); a slip just
// before a contact opens (11, 1106); rest at all contacts at once (11, 2867); a limit next to
// nothing (17, 4575); phases after a jump (23, 2676); sliding that infinite friction stopped
// without pressure, in an endless cascade (2027, 9564).
TEST(FrictionChecks, WhatFailedOnceHolds) {
  const std::vector<std::pair<std::uint64_t, std::uint64_t>> known = {
      {4, 853},   {1, 150},     {11, 1042},   {11, 1106},   {11, 2867},  {17, 4575},
      {23, 2676}, {2027, 9564}, {90210, 313}, {8080, 3462}, {8080, 4091}};
  for (const auto& [seed, index] : known) {
    EXPECT_THAT(failing(check_friction(random_friction(seed, index))), IsEmpty())
        << "seed " << seed << " problem " << index;
  }
}

// Where they did not converge, each of these took more than 15 000 steps. Rounding decides whether
// they end; if not, there is a reason.
TEST(FrictionChecks, SlowOnesAreQuick) {
  for (const std::uint64_t index : {1079U, 1933U}) {
    const RandomProblem random = random_friction(17, index);
    const ImpactResult result = resolve(random.problem, random.law);
    EXPECT_LT(result.diagnostics.steps, 10000) << index;
    EXPECT_TRUE(result.ok() || !result.diagnostics.reason.empty()) << index;
  }
}

}  // namespace
}  // namespace percute::selftest

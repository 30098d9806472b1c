// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "selftest/friction_referee.hpp"

#include "selftest/elastic_friction.hpp"
#include "selftest/friction_checks.hpp"

#include <percute/laws/darboux_keller_single.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace percute::selftest {
namespace {

using Opinion = FrictionReferee::Opinion;

bool infinite(const ImpactProblem& problem) {
  for (const Contact& contact : problem.contacts) {
    if (std::isinf(contact.material.friction)) return true;
  }
  return false;
}

TEST(FrictionReferee, KnowsTheClosedFormOfASingleContact) {
  int compared = 0;
  for (std::uint64_t k = 0; k < 300 && compared < 60; ++k) {
    const ImpactProblem problem = made_elastic(random_friction(5, k).problem);
    if (problem.contacts.size() != 1 || infinite(problem)) continue;
    if (problem.contacts[0].stored_energy > 0.0) continue;  // no closed form
    SCOPED_TRACE(k);
    const ImpactResult exact = resolve(problem, laws::DarbouxKellerSingle{});
    const std::optional<Opinion> opinion = FrictionReferee{}(problem);
    ASSERT_TRUE(opinion.has_value());
    EXPECT_LE((opinion->velocity - exact.velocity).lpNorm<Eigen::Infinity>(), opinion->error);
    // Creep is 1e-6 of vs, and what it does to v⁺ not much more.
    EXPECT_LE(opinion->error, 1e-4 * scales(problem).velocity);
    ++compared;
  }
  EXPECT_EQ(compared, 60);
}

TEST(FrictionReferee, AgreesWithLzbOnSeveralContacts) {
  int compared = 0;
  for (std::uint64_t k = 0; k < 300 && compared < 40; ++k) {
    const ImpactProblem problem = made_elastic(random_friction(6, k).problem);
    const auto m = problem.contacts.size();
    if (m < 2 || m > 4 || infinite(problem)) continue;
    const ImpactResult lzb = resolve(problem, lzb_of_elastic_contacts());
    if (lzb.status != Status::Ok) continue;
    SCOPED_TRACE(k);
    const std::optional<Opinion> opinion = FrictionReferee{}(problem);
    ASSERT_TRUE(opinion.has_value());
    const double vs = scales(problem).velocity;
    EXPECT_LE((opinion->velocity - lzb.velocity).lpNorm<Eigen::Infinity>(),
              opinion->error + 1e-8 * vs);  // 100 tolerances of lzb
    ++compared;
  }
  EXPECT_EQ(compared, 40);
}

// A block on two corners, one of which is pressed while it rests: an error linear in ε, which
// extrapolation takes away.
TEST(FrictionReferee, IsOffByTheOrderOfItsCreep) {
  ImpactProblem block;
  block.mass = MassMatrix::diagonal(Vector{{1.0, 1.0, 5.0 / 12.0}});
  Matrix W(3, 2);
  W << 0.0, 0.0, 1.0, 1.0, -1.0, 1.0;
  block.gradients = W.sparseView();
  block.velocity = Vector{{0.2, -1.0, 0.3}};
  const Matrix t = (Matrix(3, 1) << 1.0, 0.0, 0.5).finished();
  block.contacts.assign(2, {.material = {.friction = 0.6}});
  set_tangents(block, {t, t});
  const ImpactResult lzb = resolve(block, lzb_of_elastic_contacts());
  ASSERT_EQ(lzb.status, Status::Ok);
  double before = 0.0;
  for (const double creep : {1e-3, 1e-4, 1e-5}) {
    SCOPED_TRACE(creep);
    const std::optional<Opinion> opinion = FrictionReferee{.creep = creep}(block);
    ASSERT_TRUE(opinion.has_value());
    if (before > 0.0) {
      EXPECT_NEAR(opinion->error / before, 0.1, 0.02);
    }
    before = opinion->error;
    EXPECT_LE((opinion->velocity - lzb.velocity).lpNorm<Eigen::Infinity>(), 0.1 * opinion->error);
  }
}

TEST(FrictionReferee, HasNoOpinionOnInfiniteFrictionOrWhatDoesNotEnd) {
  ImpactProblem ball;
  ball.mass = MassMatrix::diagonal(Vector{{1.0, 1.0}});
  ball.gradients = Matrix(Vector{{0.0, 1.0}}).sparseView();
  ball.velocity = Vector{{1.0, -1.0}};
  ball.contacts.assign(1, {.material = {.friction = std::numeric_limits<double>::infinity()}});
  set_tangents(ball, {Vector{{1.0, 0.0}}});
  EXPECT_FALSE(FrictionReferee{}(ball).has_value());
  ball.contacts[0].material.friction = 0.3;
  EXPECT_TRUE(FrictionReferee{}(ball).has_value());
  EXPECT_FALSE(FrictionReferee{.max_steps = 5}(ball).has_value());
}

}  // namespace
}  // namespace percute::selftest

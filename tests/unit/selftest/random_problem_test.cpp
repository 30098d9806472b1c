// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "selftest/random_problem.hpp"

#include "selftest/invariants.hpp"
#include "selftest/random.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace percute::selftest {
namespace {

TEST(Random, IsTheSameEverywhere) {
  // Computed by another implementation of both generators. They may never change, or problem
  // numbers in old reports would mean other problems.
  Random random(2009, 4711);
  EXPECT_EQ(random.uniform(), 0.67498007355986722);
  EXPECT_EQ(random.integer(0, 999), 766);
  EXPECT_EQ(random.octaves(-6, 7), 0.20655169862610254);
}

TEST(RandomProblem, IsTheSameAgainAndIndependentOfOthers) {
  const RandomProblem a = random_problem(7, 42);
  (void)random_problem(7, 41);
  const RandomProblem b = random_problem(7, 42);
  EXPECT_EQ(a.kind, b.kind);
  EXPECT_EQ(a.problem.velocity, b.problem.velocity);
  EXPECT_EQ(Matrix(a.problem.gradients), Matrix(b.problem.gradients));
  const RandomProblem c = random_problem(8, 42);
  EXPECT_FALSE(a.problem.velocity.size() == c.problem.velocity.size() &&
               a.problem.velocity == c.problem.velocity);
}

/// A selftest that draws only easy problems proves little.
TEST(RandomProblem, CoversWhatItPromises) {
  std::map<std::string, int> kinds;
  std::set<ContactModel> models;
  std::set<double> exponents;
  int plastic = 0, elastic = 0, stored = 0, tracked = 0, single = 0, large = 0, redundant = 0;
  double lightest = 1e300, heaviest = 0.0, slowest = 1e300, fastest = 0.0;
  for (std::uint64_t k = 0; k < 2000; ++k) {
    const RandomProblem random = random_problem(1, k);
    ASSERT_NO_THROW(validate(random.problem)) << k;
    ++kinds[random.kind];
    const auto m = random.problem.contacts.size();
    single += m == 1 ? 1 : 0;
    large += m > 12 ? 1 : 0;
    redundant += static_cast<Eigen::Index>(m) > random.problem.velocity.size() ? 1 : 0;
    tracked += random.law.reengagement == laws::Lzb::Reengagement::TrackedGap ? 1 : 0;
    for (const Contact& contact : random.problem.contacts) {
      models.insert(contact.material.contact_model.value_or(random.law.contact_model));
      exponents.insert(contact.material.exponent);
      plastic += contact.material.restitution == 0.0 ? 1 : 0;
      elastic += contact.material.restitution == 1.0 ? 1 : 0;
      stored += contact.stored_energy > 0.0 ? 1 : 0;
    }
    lightest = std::min(lightest, random.problem.mass(0, 0));
    heaviest = std::max(heaviest, random.problem.mass(0, 0));
    if (const double v = random.problem.velocity.cwiseAbs().maxCoeff(); v > 0.0) {
      slowest = std::min(slowest, v);
      fastest = std::max(fastest, v);
    }
  }
  EXPECT_EQ(kinds.size(), 6U);
  for (const auto& [kind, count] : kinds) EXPECT_GT(count, 100) << kind;
  EXPECT_EQ(models.size(), 3U);
  EXPECT_GE(exponents.size(), 6U);
  for (const int count : {plastic, elastic, stored, tracked, single, large, redundant}) {
    EXPECT_GT(count, 20);
  }
  EXPECT_LT(lightest, 1e-5);
  EXPECT_GT(heaviest, 1e5);
  EXPECT_LT(slowest, 1e-5);
  EXPECT_GT(fastest, 1e5);
}

TEST(ChangeUnits, LeavesDimensionlessNumbersAlone) {
  // E0 / (m v²) and K ξ^η / (m v²/ξ) at ξ = 1 m, in new units, must be what they were.
  ImpactProblem problem;
  problem.mass = MassMatrix::diagonal(Vector::Constant(1, 3.0));
  problem.velocity = Vector::Constant(1, -2.0);
  problem.gradients.resize(1, 1);
  problem.gradients.insert(0, 0) = 1.0;
  problem.contacts = {{.material = {.stiffness = 5.0, .exponent = 1.3}, .stored_energy = 7.0}};
  ImpactProblem other = problem;
  const Units units{.mass = 3, .length_steps = -1, .time = 4};
  change_units(other, units);
  const double v = other.velocity[0];
  EXPECT_EQ(v, -2.0 * units.velocity_factor());
  EXPECT_EQ(other.contacts[0].stored_energy / (other.mass(0, 0) * v * v), 7.0 / (3.0 * 4.0));
  const double metre = std::ldexp(1.0, -10);  // 1 m in the new unit of length
  const double force = other.contacts[0].material.stiffness * std::pow(metre, 1.3);
  // One pow: a few roundings.
  EXPECT_NEAR(force * metre / (other.mass(0, 0) * v * v), 5.0 / (3.0 * 4.0), 1e-14);
}

}  // namespace
}  // namespace percute::selftest

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "selftest/elastic_friction.hpp"

#include "selftest/friction_referee.hpp"

#include <percute/io/problem_file.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace percute::io {

namespace {

/// An impact of elastic contacts with friction, and what both laws must say of it.
struct ElasticCase {
  std::string id;
  ImpactProblem problem;
  Vector velocity;  ///< empty: not known, and perhaps none
};

void PrintTo(const ElasticCase& reference, std::ostream* out) {
  *out << reference.id;
}

std::vector<ElasticCase> all_cases() {
  const Document document = read_document(std::filesystem::path(PERCUTE_SOURCE_DIR) /
                                          "tests/reference/elastic_friction.json");
  const Value cases(document, *document.root.find("cases"), "cases");
  std::vector<ElasticCase> out;
  for (std::size_t k = 0; k < cases.size(); ++k) {
    const Value entry = cases[k];
    const auto at = [&](const char* key) {
      return Value(document, *entry.node().find(key), entry.path() + "." + key);
    };
    ElasticCase& one = out.emplace_back();
    one.id = *entry.node().find("id")->as<std::string>();
    one.problem = read_problem(at("problem")).problem;
    if (entry.node().find("velocity")) one.velocity = at("velocity").numbers();
  }
  return out;
}

std::vector<ElasticCase> answered_cases() {
  std::vector<ElasticCase> out = all_cases();
  std::erase_if(out, [](const ElasticCase& one) { return one.velocity.size() == 0; });
  return out;
}

std::string test_name(const ::testing::TestParamInfo<ElasticCase>& info) {
  std::string name = info.param.id;
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

class ElasticFrictionCase : public ::testing::TestWithParam<ElasticCase> {
 protected:
  /// At every tolerance the answer to 1e-7, or to the 100 tolerances that one promises.
  template <class Law>
  void expect_velocity(Law law) const {
    const ElasticCase& one = GetParam();
    const double vs = scales(one.problem).velocity;
    for (const double tolerance : {1e-8, 1e-9, 1e-10, 1e-11, 1e-12}) {
      SCOPED_TRACE(tolerance);
      law.tolerance = tolerance;
      const ImpactResult result = resolve(one.problem, law);
      EXPECT_EQ(result.status, Status::Ok) << name(result.status);
      EXPECT_LE((result.velocity - one.velocity).lpNorm<Eigen::Infinity>(),
                std::max(1e-7, 100.0 * tolerance) * vs)
          << result.velocity.transpose();
      EXPECT_TRUE(result.consistency.all());
    }
  }
};

/// Every step inside Coulomb's cones, and no energy from anywhere; 10 tolerances for each contact.
template <class Law>
void expect_honest_steps(const ElasticCase& one, const Law& law) {
  const ImpactResult result = resolve(one.problem, law, Recording{.every = 1});
  const ImpactScales scale = scales(one.problem);
  const double energy =
      std::max(scale.energy, one.problem.mass.kinetic_energy(one.problem.velocity));
  const auto contacts = static_cast<double>(one.problem.contacts.size());
  EXPECT_LE(selftest::beyond_coulomb(one.problem, result.history), 10.0 * law.tolerance);
  EXPECT_LE(selftest::energy_gained(result.history), 10.0 * law.tolerance * contacts * energy);
  if (result.ok()) {
    EXPECT_TRUE(result.consistency.energetic) << result.consistency.margins.energetic;
    EXPECT_TRUE(result.consistency.friction_cone) << result.consistency.margins.friction_cone;
  }
}

}  // namespace

TEST_P(ElasticFrictionCase, LzbWithTrackedGaps) {
  expect_velocity(selftest::lzb_of_elastic_contacts());
}

TEST_P(ElasticFrictionCase, Compliant) {
  expect_velocity(selftest::compliant_of_elastic_contacts());
}

TEST_P(ElasticFrictionCase, RegularisedFriction) {
  const selftest::FrictionReferee referee;
  const std::optional<selftest::FrictionReferee::Opinion> opinion = referee(GetParam().problem);
  const bool infinite =
      std::any_of(GetParam().problem.contacts.begin(), GetParam().problem.contacts.end(),
                  [](const Contact& contact) { return std::isinf(contact.material.friction); });
  ASSERT_EQ(opinion.has_value(), !infinite);
  if (!opinion) return;
  EXPECT_LE((opinion->velocity - GetParam().velocity).lpNorm<Eigen::Infinity>(), opinion->error);
  EXPECT_LE(opinion->error, 1e-5);
}

INSTANTIATE_TEST_SUITE_P(Elastic, ElasticFrictionCase, ::testing::ValuesIn(answered_cases()),
                         test_name);

class ElasticFrictionSteps : public ::testing::TestWithParam<ElasticCase> {};

TEST_P(ElasticFrictionSteps, OfLzbKeepToCoulombAndCreateNoEnergy) {
  expect_honest_steps(GetParam(), selftest::lzb_of_elastic_contacts());
}

TEST_P(ElasticFrictionSteps, OfCompliantKeepToCoulombAndCreateNoEnergy) {
  expect_honest_steps(GetParam(), selftest::compliant_of_elastic_contacts());
}

TEST_P(ElasticFrictionSteps, OfContactsThatLoseAlmostNothingCreateNoEnergy) {
  ElasticCase one = GetParam();
  for (Contact& contact : one.problem.contacts) contact.material.restitution = 0.999999;
  laws::Compliant law = selftest::compliant_of_elastic_contacts();
  law.force = laws::Compliant::Force::BiStiffness;
  expect_honest_steps(one, law);
}

INSTANTIATE_TEST_SUITE_P(Elastic, ElasticFrictionSteps, ::testing::ValuesIn(all_cases()),
                         test_name);

}  // namespace percute::io

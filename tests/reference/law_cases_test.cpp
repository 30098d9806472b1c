// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "reproduction_testing.hpp"

#include <percute/io/law_cases.hpp>
#include <percute/model/invalid_input.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <ostream>
#include <set>
#include <stdexcept>

namespace percute::io {

inline void PrintTo(const LawItem& item, std::ostream* out) {
  *out << item.id;
}

namespace {

const std::vector<LawItem>& all_items() {
  static const std::vector<LawItem> items = law_items();
  return items;
}

/// Every case and every coverage as an item of its own.
std::vector<LawItem> one_by_one() {
  std::vector<LawItem> result;
  const auto add = [&](const LawItem& item, const std::string& id) -> LawItem& {
    result.push_back({.id = id, .title = item.title, .source = item.source});
    return result.back();
  };
  for (const LawItem& item : all_items()) {
    for (const LawCase& c : item.cases) add(item, c.id).cases.push_back(c);
    for (const LawCoverage& c : item.coverage) add(item, c.id).coverage.push_back(c);
  }
  return result;
}

const LawCase& case_called(std::string_view id) {
  for (const LawItem& item : all_items()) {
    for (const LawCase& c : item.cases) {
      if (c.id == id) return c;
    }
  }
  throw std::out_of_range(std::string(id));
}

class LawOutcome : public ::testing::TestWithParam<LawItem> {};

// 1e-9 unless the data say otherwise: the laws are algebraic, their outcomes of order one.
TEST_P(LawOutcome, IsReproduced) {
  expect_reproduced(reproduce(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Laws, LawOutcome, ::testing::ValuesIn(one_by_one()), test_name<LawItem>);

TEST(LawData, HasAllCasesOnce) {
  std::set<std::string> ids;
  std::size_t cases = 0;
  for (const LawItem& item : all_items()) {
    EXPECT_FALSE(item.source.empty()) << item.id;
    cases += item.cases.size() + item.coverage.size();
    for (const LawCase& c : item.cases) ids.insert(c.id);
    for (const LawCoverage& c : item.coverage) ids.insert(c.id);
  }
  EXPECT_EQ(all_items().size(), 47U);
  EXPECT_EQ(cases, 397U);
  EXPECT_EQ(ids.size(), cases);
}

// The data tie impulses to velocities: M (v⁺ − v⁻) = W p wherever both are given and nothing
// rubs. A sign or an index wrong in either shows without any law.
TEST(LawData, ImpulsesGiveTheVelocities) {
  int checked = 0;
  for (const LawItem& item : all_items()) {
    for (const LawCase& c : item.cases) {
      const ImpactProblem& problem = c.problem.problem;
      const auto m = static_cast<Eigen::Index>(problem.contacts.size());
      Vector p = Vector::Constant(m, NAN);
      Vector v = Vector::Constant(problem.velocity.size(), NAN);
      const auto take = [&](const std::string& name, double& place) {
        for (const Quantity& q : c.expected) {
          if (q.name == name) place = q.value;
        }
      };
      for (Eigen::Index i = 0; i < m; ++i) take("impulse[" + std::to_string(i) + "]", p[i]);
      for (Eigen::Index i = 0; i < v.size(); ++i) take("v" + std::to_string(i + 1), v[i]);
      const bool rubs = std::any_of(problem.contacts.begin(), problem.contacts.end(),
                                    [](const Contact& k) { return k.material.friction > 0.0; });
      if (rubs || !p.allFinite() || !v.allFinite()) continue;
      const Vector expected = problem.velocity + problem.mass.solve(Vector(problem.gradients * p));
      EXPECT_LE((v - expected).cwiseAbs().maxCoeff(), 1e-12) << c.id << ": 15 digits are given";
      ++checked;
    }
  }
  EXPECT_GT(checked, 100);
}

// A comparison that cannot fail would be worth nothing: spoil one number at a time.
TEST(LawData, NoticesWhatDoesNotMatch) {
  for (const char* id : {"laws.three_balls.binary.e0.5.left_right", "laws.plate.moreau",
                         "laws.double_pendulum.newton.mu0.5.e0.5", "laws.icr.bounds.ker0.8.above",
                         "laws.two_contacts.three_solutions.theta0"}) {
    const LawItem good{.id = id, .title = {}, .source = {}, .cases = {case_called(id)}};
    EXPECT_TRUE(reproduce(good).ok()) << id;
    for (std::size_t k = 0; k < good.cases[0].expected.size(); ++k) {
      LawItem bad = good;
      bad.cases[0].expected[k].value += 2e-9;
      EXPECT_FALSE(reproduce(bad).ok()) << id << ": " << bad.cases[0].expected[k].name;
    }
    for (std::size_t k = 0; !good.cases[0].one_of.empty() && k < good.cases[0].one_of[0].size();
         ++k) {
      LawItem bad = good;
      for (auto& outcome : bad.cases[0].one_of) outcome[k].value += 2e-9;
      EXPECT_FALSE(reproduce(bad).ok()) << id << ": " << bad.cases[0].one_of[0][k].name;
    }
    LawItem bad = good;
    bad.cases[0].status = "zeno";
    EXPECT_FALSE(reproduce(bad).ok()) << id;
    bad = good;
    bad.cases[0].expected.push_back({.name = "impulses", .value = 0.0});
    EXPECT_THROW(reproduce(bad), InvalidInput) << id;
  }
}

TEST(LawData, NoticesAWrongPrintedNumber) {
  LawItem item{.id = "x",
               .title = {},
               .source = {},
               .cases = {case_called("laws.icr.three_balls.ker1.alpha0.5")}};
  ASSERT_FALSE(item.cases[0].published.empty());
  EXPECT_TRUE(reproduce(item).ok());
  item.cases[0].published[0].value += 1e-3;
  EXPECT_FALSE(reproduce(item).ok());
}

// Poisson's coefficients for an outcome (x, y) of three equal balls, e₁ = x + y/2 and e₂ = x + 2y,
// reach exactly the triangle x + 2y ≤ 1 with e_i ≤ 1.
TEST(LawCoverage, CountsTheCellsOfPoissonsTriangle) {
  for (const LawItem& item : all_items()) {
    for (const LawCoverage& coverage : item.coverage) {
      if (coverage.id != "handbook2024.coverage.poisson.to_1") continue;
      int touched = 0;
      int admissible = 0;
      for (int i = 0; i < coverage.cells; ++i) {
        for (int j = 0; j < coverage.cells; ++j) {
          const double x = (i + 0.5) / coverage.cells;
          const double y = (j + 0.5) / coverage.cells;
          if (x * x + x * y + y * y > 1.0) continue;
          ++admissible;
          touched +=
              i + 2 * j <= coverage.cells ? 1 : 0;  // the lower left corner belongs to a cell
        }
      }
      const std::vector<Quantity> found = cover(coverage);
      EXPECT_EQ(found[0].value, static_cast<double>(touched) / admissible);
      EXPECT_EQ(found[1].value, admissible);
      EXPECT_EQ(found[2].value, 0.0) << "nothing it reaches creates energy";
      return;
    }
  }
  FAIL() << "no such coverage";
}

}  // namespace
}  // namespace percute::io

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "reproduction_testing.hpp"

#include <percute/io/chain_cases.hpp>
#include <percute/laws/lzb.hpp>
#include <percute/model/invalid_input.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <ostream>
#include <set>
#include <stdexcept>

namespace percute::io {

inline void PrintTo(const ChainItem& item, std::ostream* out) {
  *out << item.id;
}

namespace {

const std::vector<ChainItem>& all_items() {
  static const std::vector<ChainItem> items = chain_items();
  return items;
}

const ChainItem& item_called(std::string_view id) {
  for (const ChainItem& item : all_items()) {
    if (item.id == id) return item;
  }
  throw std::out_of_range(std::string(id));
}

/// An item with one of its cases only.
ChainItem one_case(std::string_view id, std::string_view name) {
  ChainItem item = item_called(id);
  std::erase_if(item.cases, [&](const ChainCase& c) { return c.id != name; });
  item.relations.clear();
  return item;
}

class ChainTable : public ::testing::TestWithParam<ChainItem> {};

// Tolerances come with the data: ten times the error of the reference or more.
TEST_P(ChainTable, IsReproduced) {
  expect_reproduced(reproduce(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Chains, ChainTable, ::testing::ValuesIn(all_items()),
                         test_name<ChainItem>);

TEST(ChainData, HasAllCasesOnce) {
  std::set<std::string> ids;
  std::size_t cases = 0;
  for (const ChainItem& item : all_items()) {
    EXPECT_FALSE(item.source.empty()) << item.id;
    cases += item.cases.size();
    for (const ChainCase& c : item.cases) ids.insert(item.id + "." + c.id);
  }
  EXPECT_EQ(all_items().size(), 26U);
  EXPECT_EQ(cases, 295U);
  EXPECT_EQ(ids.size(), cases);
}

// Only counts may have no tolerance: a forgotten one would hide behind exact equality, or fail.
TEST(ChainData, StatesATolerance) {
  const std::set<std::string> counts{"wall_contacts",       "forward_balls",        "train",
                                     "balls_above_percent", "balls_above_permille", "steady_from"};
  for (const ChainItem& item : all_items()) {
    for (const ChainCase& c : item.cases) {
      for (const ChainNumber& number : c.expected) {
        const std::string word = number.name.substr(0, number.name.find('['));
        const bool zero = number.value == 0.0 && number.tolerance == 0.0;
        EXPECT_EQ(number.tolerance > 0.0 || zero, counts.count(word) == 0)
            << item.id << "." << c.id << ": " << number.name;
        EXPECT_LE(number.tolerance, 1e-3 * std::max(1.0, std::abs(number.value)));
      }
    }
  }
}

// The data tie impulses to velocities, M (v⁺ − v⁻) = W p: signs and order of every ball, contact
// and wall show without any law.
TEST(ChainData, ImpulsesGiveTheVelocities) {
  int checked = 0;
  for (const ChainItem& item : all_items()) {
    for (const ChainCase& c : item.cases) {
      Vector p = Vector::Constant(static_cast<Eigen::Index>(c.problem.contacts.size()), NAN);
      Vector v = Vector::Constant(c.problem.velocity.size(), NAN);
      for (const ChainNumber& number : c.expected) {
        const auto index = number.name.find('[');
        const std::string word = number.name.substr(0, index);
        if (word != "impulse" && word != "velocity") continue;
        const auto k = static_cast<Eigen::Index>(std::stol(number.name.substr(index + 1)));
        (word == "impulse" ? p : v)[k] = number.value;
      }
      if (!p.allFinite() || !v.allFinite()) continue;
      const Vector expected =
          c.problem.velocity + c.problem.mass.solve(Vector(c.problem.gradients * p));
      // 9 digits of impulses up to 28 over masses down to 0.006.
      EXPECT_LE((v - expected).cwiseAbs().maxCoeff(), 2e-6) << item.id << "." << c.id;
      ++checked;
    }
  }
  EXPECT_GE(checked, 30);
}

// A comparison that cannot fail would be worth nothing: spoil one number at a time.
TEST(ChainData, NoticesWhatDoesNotMatch) {
  for (const auto& [id, name] : {std::pair{"lzb2008.fig31", "N3"},
                                 {"handbook2024.fig2", "kappa0.1.v-1"},
                                 {"lzb2008.case4", "2to8"},
                                 {"chains.stepped", "stepped_7big_25small_wall"}}) {
    const ChainItem good = one_case(id, name);
    ASSERT_EQ(good.cases.size(), 1U) << id;
    std::string status;
    const std::vector<double> computed = numbers_of(good.cases[0], status);
    EXPECT_EQ(status, "ok");
    for (std::size_t k = 0; k < computed.size(); ++k) {
      const ChainNumber& number = good.cases[0].expected[k];
      EXPECT_LE(std::abs(computed[k] - number.value), number.tolerance) << number.name;
      EXPECT_TRUE(std::isfinite(computed[k])) << number.name;
    }
    ChainItem bad = good;
    bad.cases[0].expected.back().value += 3.0 * bad.cases[0].expected.back().tolerance + 1e-9;
    EXPECT_FALSE(reproduce(bad).ok()) << id;
    bad = good;
    bad.cases[0].status = "zeno";
    EXPECT_FALSE(reproduce(bad).ok()) << id;
    bad = good;
    bad.cases[0].expected.push_back({.name = "impulses", .value = 0.0});
    EXPECT_THROW(reproduce(bad), InvalidInput) << id;
  }
}

TEST(ChainData, NoticesAWrongPrintedNumber) {
  ChainItem item = one_case("lzb2008.case4", "1to9");
  EXPECT_TRUE(reproduce(item).ok());
  for (ChainNumber& number : item.cases[0].expected) {
    if (number.name == "forward_percent") number.published = 99.9;
  }
  EXPECT_FALSE(reproduce(item).ok());
}

TEST(ChainRelations, NoticeWhatDoesNotMatch) {
  ChainItem item = item_called("lzb2008.fig33_34");
  std::erase_if(item.cases, [](const ChainCase& c) { return !c.id.ends_with("N8"); });
  ASSERT_EQ(item.cases.size(), 2U);
  EXPECT_TRUE(reproduce(item).ok());
  item.relations[1].expected.value += 0.02;
  EXPECT_FALSE(reproduce(item).ok());
  item.relations[0].over = {"N99"};
  EXPECT_THROW(reproduce(item), InvalidInput);
}

// Liu, Zhao and Brogliato read e_eff ≈ 0.1 off Fig. 38 at N = 20 and e_ss = 0.7: the error of their
// steps. The column collapses: status zeno, a stated floor, and nothing near 0.1.
TEST(Figure38, IsNotReproducedAndMustNotBe) {
  const ChainItem item = one_case("lzb2008.fig38", "N20");
  ASSERT_EQ(item.cases.size(), 1U);
  const ChainCase& reference = item.cases[0];
  const auto number = std::find_if(reference.expected.begin(), reference.expected.end(),
                                   [](const ChainNumber& entry) { return entry.name == "e_eff"; });
  ASSERT_NE(number, reference.expected.end());
  EXPECT_EQ(number->published, 0.1);
  EXPECT_FALSE(number->published_tolerance) << "not reproduced";
  EXPECT_NE(reference.note.find("not reproduced"), std::string::npos);

  const ImpactResult result = resolve(reference.problem, reference.law);
  EXPECT_EQ(result.status, Status::Zeno);
  ASSERT_TRUE(result.diagnostics.residual_velocity);
  // The collapse rule applies below 1e-8 of the largest gap rate.
  EXPECT_LT(*result.diagnostics.residual_velocity, 1e-8 * 0.32);
  std::string status;
  const std::vector<double> computed = numbers_of(reference, status);
  const double e_eff = computed[static_cast<std::size_t>(number - reference.expected.begin())];
  EXPECT_LT(std::abs(e_eff), 1e-5);

  ChainItem wrong = item;
  wrong.cases[0].expected[static_cast<std::size_t>(number - reference.expected.begin())].value =
      0.1;
  EXPECT_FALSE(reproduce(wrong).ok());
}

// The papers' explicit scheme gives what they printed: an error of first order in its step.
TEST(Figure38, IsTheStepErrorOfTheExplicitScheme) {
  ChainCase reference = one_case("lzb2008.fig38", "N20").cases.at(0);
  const auto e_eff = [&](long steps) {
    const laws::Lzb law{.integrator = laws::Lzb::Integrator::EulerImpulse, .steps = steps};
    const analysis::Chain chain = analysis::chain_of(reference.problem);
    const ImpactResult result = resolve(reference.problem, law);
    return analysis::rebound_of(reference.problem, chain, result)->effective_restitution;
  };
  const double coarse = e_eff(1000);
  EXPECT_GT(coarse, 0.03) << "0.084 with a thousand steps";
  EXPECT_LT(e_eff(10000), 0.3 * coarse) << "0.0075 with ten thousand";
}

}  // namespace
}  // namespace percute::io

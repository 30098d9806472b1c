// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "reproduction_testing.hpp"

#include <percute/laws/lzb.hpp>
#include <percute/model/invalid_input.hpp>

namespace percute::reproduction {
namespace {

const std::vector<Item>& chains() {
  static const std::vector<Item> items = items_of("chains");
  return items;
}

Item one_case(std::string_view id, std::string_view name) {
  return one_case(item_called(chains(), id), name);
}

class ChainTable : public ::testing::TestWithParam<Item> {};

// Tolerances come with the data: ten times the error of the reference or more.
TEST_P(ChainTable, IsReproduced) {
  expect_reproduced(GetParam());
}

INSTANTIATE_TEST_SUITE_P(Chains, ChainTable, ::testing::ValuesIn(chains()), test_name<Item>);

TEST(ChainData, HasAllCasesOnce) {
  EXPECT_EQ(chains().size(), 26U);
  EXPECT_EQ(count_cases(chains()), 295U);
}

// Only counts may have no tolerance: a forgotten one would hide behind exact equality, or fail.
TEST(ChainData, StatesATolerance) {
  const std::set<std::string> counts{"wall_contacts",       "forward_balls",        "train",
                                     "balls_above_percent", "balls_above_permille", "steady_from"};
  for (const Item& item : chains()) {
    for (const Case& c : item.cases) {
      for (const Expected& number : c.expected) {
        const std::string word = number.name.substr(0, number.name.find('['));
        const bool zero = number.value == 0.0 && number.tolerance == 0.0;
        EXPECT_EQ(number.tolerance > 0.0 || zero, counts.count(word) == 0)
            << item.id << "." << c.id << ": " << number.name;
        EXPECT_LE(number.tolerance, 1e-3 * std::max(1.0, std::abs(*number.value)));
      }
    }
  }
}

TEST(ChainData, ImpulsesGiveTheVelocities) {
  // 9 digits of impulses up to 28 over masses down to 0.006.
  EXPECT_GE(expect_impulses_give_velocities(chains(), "velocity", false, 2e-6), 30);
}

// A comparison that cannot fail would be worth nothing: spoil one number at a time.
TEST(ChainData, NoticesWhatDoesNotMatch) {
  for (const auto& [id, name] : {std::pair{"lzb2008.fig31", "N3"},
                                 {"handbook2024.fig2", "kappa0.1.v-1"},
                                 {"lzb2008.case4", "2to8"},
                                 {"chains.stepped", "stepped_7big_25small_wall"}}) {
    const Item good = one_case(id, name);
    ASSERT_EQ(good.cases.size(), 1U) << id;
    const Outcome outcome = solve(good.cases[0]);
    EXPECT_EQ(outcome.status, "ok");
    for (const Expected& number : good.cases[0].expected) {
      const double computed = quantity(number.name, outcome);
      EXPECT_LE(std::abs(computed - *number.value), number.tolerance) << number.name;
      EXPECT_TRUE(std::isfinite(computed)) << number.name;
    }
    Item bad = good;
    Expected& last = bad.cases[0].expected.back();
    *last.value += 3.0 * last.tolerance + 1e-9;
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
  Item item = one_case("lzb2008.case4", "1to9");
  EXPECT_TRUE(reproduce(item).ok());
  number_of(item.cases[0], "forward_percent").published = 99.9;
  EXPECT_FALSE(reproduce(item).ok());
}

TEST(ChainRelations, NoticeWhatDoesNotMatch) {
  Item item = item_called(chains(), "lzb2008.fig33_34");
  std::erase_if(item.cases, [](const Case& c) { return !c.id.ends_with("N8"); });
  ASSERT_EQ(item.cases.size(), 2U);
  EXPECT_TRUE(reproduce(item).ok());
  *item.relations[1].expected.value += 0.02;
  EXPECT_FALSE(reproduce(item).ok());
  item.relations[0].over = {"N99"};
  EXPECT_THROW(reproduce(item), InvalidInput);
}

// Liu, Zhao and Brogliato read e_eff ≈ 0.1 off Fig. 38 at N = 20 and e_ss = 0.7: the error of their
// steps. The column collapses: status zeno, a stated floor, and nothing near 0.1.
TEST(Figure38, IsNotReproducedAndMustNotBe) {
  Item item = one_case("lzb2008.fig38", "N20");
  ASSERT_EQ(item.cases.size(), 1U);
  Case& reference = item.cases[0];
  Expected& number = number_of(reference, "e_eff");
  EXPECT_EQ(number.published, 0.1);
  EXPECT_FALSE(number.published_tolerance) << "not reproduced";
  EXPECT_NE(reference.note.find("not reproduced"), std::string::npos);

  const Outcome outcome = solve(reference);
  EXPECT_EQ(outcome.result.status, Status::Zeno);
  ASSERT_TRUE(outcome.result.diagnostics.residual_velocity);
  // The collapse rule applies below 1e-8 of the largest gap rate.
  EXPECT_LT(*outcome.result.diagnostics.residual_velocity, 1e-8 * 0.32);
  EXPECT_LT(std::abs(quantity("e_eff", outcome)), 1e-5);

  number.value = 0.1;
  EXPECT_FALSE(reproduce(item).ok());
}

// The papers' explicit scheme gives what they printed: an error of first order in its step.
TEST(Figure38, IsTheStepErrorOfTheExplicitScheme) {
  const Item item = one_case("lzb2008.fig38", "N20");
  const ImpactProblem& problem = problem_of(item.cases.at(0));
  const auto e_eff = [&](long steps) {
    const laws::Lzb law{.integrator = laws::Lzb::Integrator::EulerImpulse, .steps = steps};
    const analysis::Chain chain = analysis::chain_of(problem);
    const ImpactResult result = resolve(problem, law);
    return analysis::rebound_of(problem, chain, result)->effective_restitution;
  };
  const double coarse = e_eff(1000);
  EXPECT_GT(coarse, 0.03) << "0.084 with a thousand steps";
  EXPECT_LT(e_eff(10000), 0.3 * coarse) << "0.0075 with ten thousand";
}

}  // namespace
}  // namespace percute::reproduction

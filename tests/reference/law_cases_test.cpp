// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "reproduction_testing.hpp"

#include <percute/model/invalid_input.hpp>

namespace percute::reproduction {
namespace {

const std::vector<Item>& laws() {
  static const std::vector<Item> items = items_of("laws");
  return items;
}

/// The case of that name, as an item.
Item case_called(const std::string& id) {
  for (const Item& item : one_by_one(laws())) {
    if (item.id == id) return item;
  }
  throw std::out_of_range(id);
}

class LawOutcome : public ::testing::TestWithParam<Item> {};

// 1e-9 unless the data say otherwise: the laws are algebraic, their outcomes of order one.
TEST_P(LawOutcome, IsReproduced) {
  expect_reproduced(GetParam());
}

INSTANTIATE_TEST_SUITE_P(Laws, LawOutcome, ::testing::ValuesIn(one_by_one(laws())),
                         test_name<Item>);

TEST(LawData, HasAllCasesOnce) {
  EXPECT_EQ(laws().size(), 47U);
  EXPECT_EQ(count_cases(laws()), 397U);
}

TEST(LawData, ImpulsesGiveTheVelocities) {
  EXPECT_GT(expect_impulses_give_velocities(laws(), "v", true, 1e-12), 100)
      << "15 digits are given";
}

// A comparison that cannot fail would be worth nothing: spoil one number at a time.
TEST(LawData, NoticesWhatDoesNotMatch) {
  for (const char* id : {"laws.three_balls.binary.e0.5.left_right", "laws.plate.moreau",
                         "laws.double_pendulum.newton.mu0.5.e0.5", "laws.icr.bounds.ker0.8.above",
                         "laws.two_contacts.three_solutions.theta0"}) {
    const Item good = case_called(id);
    const Case& c = good.cases[0];
    EXPECT_TRUE(reproduce(good).ok()) << id;
    for (std::size_t k = 0; k < c.expected.size(); ++k) {
      Item bad = good;
      *bad.cases[0].expected[k].value += 2e-9;
      EXPECT_FALSE(reproduce(bad).ok()) << id << ": " << c.expected[k].name;
    }
    for (std::size_t k = 0; !c.one_of.empty() && k < c.one_of[0].size(); ++k) {
      Item bad = good;
      for (auto& outcome : bad.cases[0].one_of) *outcome[k].value += 2e-9;
      EXPECT_FALSE(reproduce(bad).ok()) << id << ": " << c.one_of[0][k].name;
    }
    Item bad = good;
    bad.cases[0].status = "zeno";
    EXPECT_FALSE(reproduce(bad).ok()) << id;
    bad = good;
    bad.cases[0].expected.push_back({.name = "impulses", .value = 0.0});
    EXPECT_THROW(reproduce(bad), InvalidInput) << id;
  }
}

TEST(LawData, NoticesAWrongPrintedNumber) {
  Item item = case_called("laws.icr.three_balls.ker1.alpha0.5");
  EXPECT_TRUE(reproduce(item).ok());
  const auto printed = std::ranges::find_if(
      item.cases[0].expected, [](const Expected& number) { return number.published.has_value(); });
  ASSERT_NE(printed, item.cases[0].expected.end());
  *printed->published += 1e-3;
  EXPECT_FALSE(reproduce(item).ok());
}

// Poisson's coefficients for an outcome (x, y) of three equal balls, e₁ = x + y/2 and e₂ = x + 2y,
// reach exactly the triangle x + 2y ≤ 1 with e_i ≤ 1.
TEST(LawCoverage, CountsTheCellsOfPoissonsTriangle) {
  const Item item = case_called("handbook2024.coverage.poisson.to_1");
  const auto& coverage = std::get<Coverage>(item.cases[0].subject);
  int touched = 0;
  int admissible = 0;
  for (int i = 0; i < coverage.cells; ++i) {
    for (int j = 0; j < coverage.cells; ++j) {
      const double x = (i + 0.5) / coverage.cells;
      const double y = (j + 0.5) / coverage.cells;
      if (x * x + x * y + y * y > 1.0) continue;
      ++admissible;
      touched += i + 2 * j <= coverage.cells ? 1 : 0;  // the lower left corner belongs to a cell
    }
  }
  const Covered found = cover(coverage);
  EXPECT_EQ(found.reached, touched);
  EXPECT_EQ(found.admissible, admissible);
  EXPECT_EQ(found.inconsistent, 0) << "nothing it reaches creates energy";
}

}  // namespace
}  // namespace percute::reproduction

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "reproduction_testing.hpp"

namespace percute::reproduction {
namespace {

const std::vector<Item>& bars() {
  static const std::vector<Item> items = items_of("bar");
  return items;
}

/// Every so-manyth case: curves take a minute, a sample of them a second. Which ones is settled by
/// their place, so every curve has its turn.
Item sample(const Item& item, std::size_t most) {
  Item some = item;
  some.cases.clear();
  const std::size_t stride = (item.cases.size() + most - 1) / most;
  for (std::size_t i = stride / 2; i < item.cases.size(); i += stride) {
    some.cases.push_back(item.cases[i]);
  }
  return some;
}

class BarTable : public ::testing::TestWithParam<Item> {};

// Tolerances come with the data.
TEST_P(BarTable, IsReproduced) {
  const Item& item = GetParam();
  const bool cheap = item.id == "bar2007.stability";
  expect_reproduced(cheap ? item : sample(item, item.id == "bar2007.fig5" ? 24 : 6));
}

INSTANTIATE_TEST_SUITE_P(Bar, BarTable, ::testing::ValuesIn(bars()), test_name<Item>);

TEST(BarData, HasAllCasesOnce) {
  count_cases(bars());
  for (const char* id : {"bar2007.table2", "bar2007.table3", "bar2007.table4", "bar2007.table5",
                         "bar2007.fig3", "bar2007.fig4", "bar2007.fig5", "bar2007.fig6",
                         "bar2007.fig8", "bar2007.fig9", "bar2007.timing"}) {
    EXPECT_EQ(std::ranges::count(bars(), id, &Item::id), 1) << id;
  }
}

// Only counts may have no tolerance: a forgotten one would hide behind exact equality, or fail.
TEST(BarData, StatesATolerance) {
  for (const Item& item : bars()) {
    for (const Case& c : item.cases) {
      for (const Expected& number : c.expected) {
        const bool count = number.name == "clusters" || number.name == "impacts";
        if (number.value) {
          EXPECT_TRUE(count || number.tolerance > 0.0) << item.id << " " << c.id;
        }
      }
    }
  }
}

TEST(BarData, AWrongNumberIsFound) {
  Item wrong = sample(item_called(bars(), "bar2007.inertia"), 1);
  *wrong.cases.front().expected.front().value += 1e-3;
  EXPECT_FALSE(reproduce(wrong).ok());
}

// The paper does not define when it counts the phase of an excited start; above the dip it makes
// little difference (its section 5.4).
TEST(BarData, PhasesMakeLittleDifferenceAboveTheDip) {
  double low = 1.0;
  double high = 0.0;
  for (const Case& c : item_called(bars(), "bar2007.fig9").cases) {
    const auto& set = std::get<Motion>(c.subject).set;
    const auto restitution =
        std::ranges::find(set, "impact.restitution", &Settings::value_type::first);
    ASSERT_NE(restitution, set.end());
    if (to_json(restitution->second) != "0" || c.label.find("angle 80") == std::string::npos) {
      continue;
    }
    const double value = quantity(c.expected.front().name, solve(c));
    low = std::min(low, value);
    high = std::max(high, value);
  }
  EXPECT_GT(high, low);
  EXPECT_LT(high - low, 0.05);
}

}  // namespace
}  // namespace percute::reproduction

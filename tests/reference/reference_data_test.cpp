// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "reference/cases.hpp"

#include <percute/model/invalid_input.hpp>

#include <set>

namespace percute::reproduction {
namespace {

std::vector<std::string> selected(std::string_view word) {
  std::vector<std::string> ids;
  static const std::vector<Item> items = all_items();
  for (const Item& item : select(items, word)) ids.push_back(item.id);
  return ids;
}

TEST(ReferenceData, HasAllCasesOnce) {
  std::set<std::string> ids;
  for (const ReferenceCase& c : all_cases()) ids.insert(c.id);
  EXPECT_EQ(all_cases().size(), 101U);
  EXPECT_EQ(ids.size(), 101U);
}

// The converged impulses and velocities were computed together: M (v⁺ − v⁻) = W p ties signs and
// order of every gradient, mass and component to them.
TEST(ReferenceData, ImpulsesGiveTheVelocities) {
  for (const ReferenceCase& c : all_cases()) {
    if (c.impulse.size() == 0) continue;
    const Vector momentum = c.problem.gradients * c.impulse;
    const Vector v = c.problem.velocity + c.problem.mass.solve(momentum);
    for (std::size_t k = 0; k < c.components.size(); ++k) {
      EXPECT_NEAR(v[static_cast<Eigen::Index>(c.components[k])],
                  c.velocity[static_cast<Eigen::Index>(k)], 5e-11)
          << c.id << " component " << k << ": 12 decimals over masses down to 0.057 kg";
    }
    EXPECT_NEAR(c.problem.mass.kinetic_energy(v), c.energy_after, 5e-11) << c.id;
  }
}

TEST(ReferenceData, PrintedValuesLieWithinTheirToleranceOfTheConvergedOnes) {
  int compared = 0;
  for (const ReferenceCase& c : all_cases()) {
    for (const Expected& number : c.item.cases[0].expected) {
      if (!number.published) continue;
      EXPECT_GT(number.note.size(), number.note.find(": ") + 2) << c.id << " says no reason";
      if (!number.name.starts_with("v") || !number.published_tolerance) continue;
      EXPECT_NEAR(*number.published, *number.value, *number.published_tolerance)
          << c.id << " " << number.label << " " << number.shown;
      ++compared;
    }
  }
  EXPECT_GT(compared, 300);
}

TEST(Select, TakesAnExactIdAlone) {
  EXPECT_EQ(selected("lzb2009.fourball.pi_5"), std::vector<std::string>{"lzb2009.fourball.pi_5"});
}

TEST(Select, TakesAGroupByItsBeginningOrAPart) {
  const std::vector<std::string> table6{"lzb2008.table6.1to9", "lzb2008.table6.2to8",
                                        "lzb2008.table6.3to7", "lzb2008.table6.4to6"};
  EXPECT_EQ(selected("lzb2008.table6"), table6);
  EXPECT_EQ(selected("table6"), table6);
  EXPECT_EQ(selected("anchor").size(), 2U);
}

TEST(Select, TakesTheIdUnderWhichValuesWerePrinted) {
  EXPECT_EQ(selected("lzb2009.table6.pi_4"), std::vector<std::string>{"lzb2008.table7.pi_4"});
}

TEST(Select, TakesLawsByNameAndCase) {
  EXPECT_EQ(selected("laws.four_balls"), std::vector<std::string>{"laws.four_balls"});
  EXPECT_EQ(selected("laws.three_balls.moreau.e0.5"),
            std::vector<std::string>{"laws.three_balls.moreau"});
  EXPECT_EQ(selected("v_groove").size(), 3U);
  EXPECT_EQ(selected("fig6a").size(), 2U);
}

TEST(Select, RefusesUnknownWordsWithAGuess) {
  for (const auto& [word, guess] : {std::pair{"lzb2008.tabel6.2to8", "'lzb2008.table6.2to8'"},
                                    {"tabel6", "'table6'"},
                                    {"table6.2to9", "'table6.1to9'"}}) {
    try {
      selected(word);
      FAIL() << word << " was accepted";
    } catch (const InvalidInput& error) {
      EXPECT_NE(std::string(error.what()).find(guess), std::string::npos) << error.what();
    }
  }
  EXPECT_THROW(selected(""), InvalidInput);
  EXPECT_THROW(selected("table"), InvalidInput);
}

// A comparison that cannot fail would be worth nothing: spoil one number at a time.
TEST(Reproduce, NoticesWhatDoesNotMatch) {
  const Item& good = case_called("lzb2008.table3.AAA.bi.zero_gap").item;
  ASSERT_TRUE(reproduce(good).ok());
  const auto spoiled = [&](auto change) {
    Item bad = good;
    change(bad.cases[0]);
    return reproduce(bad).ok();
  };
  EXPECT_FALSE(spoiled([](Case& c) { *number_of(c, "v2").value += 2e-8; }));
  EXPECT_FALSE(spoiled([](Case& c) { *number_of(c, "impulse[0]").value += 2e-8; }));
  EXPECT_FALSE(spoiled([](Case& c) { *number_of(c, "dissipated[1]").value -= 2e-8; }));
  EXPECT_FALSE(spoiled([](Case& c) { *number_of(c, "kinetic_energy").value += 1e-7; }));
  EXPECT_FALSE(spoiled([](Case& c) { *number_of(c, "compressions[0]").value += 1; }));
  EXPECT_FALSE(spoiled([](Case& c) { *number_of(c, "impacts[1]").value += 1; }));
  EXPECT_FALSE(spoiled([](Case& c) { c.status = "zeno"; }));
  EXPECT_FALSE(spoiled([](Case& c) { *number_of(c, "v3").published += 1e-3; }));
  EXPECT_TRUE(spoiled([](Case& c) {
    *number_of(c, "v3").published += 1e-3;
    number_of(c, "v3").published_tolerance.reset();
  })) << "print that is beyond repair";
}

}  // namespace
}  // namespace percute::reproduction

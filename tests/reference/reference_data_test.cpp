// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "reference/cases.hpp"

#include <percute/io/reference_items.hpp>
#include <percute/model/invalid_input.hpp>

#include <set>

namespace percute::io {
namespace {

std::vector<std::string> selected(std::string_view word) {
  std::vector<std::string> ids;
  static const std::vector<ReferenceItem> items = reference_items();
  for (const ReferenceItem& item : select(items, word)) ids.push_back(item.id);
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
    if (c.converged.impulse.size() == 0) continue;
    const ImpactProblem& problem = c.problem.problem;
    const Vector momentum = problem.gradients * c.converged.impulse;
    const Vector v = problem.velocity + problem.mass.solve(momentum);
    for (std::size_t k = 0; k < c.components.size(); ++k) {
      EXPECT_NEAR(v[static_cast<Eigen::Index>(c.components[k])],
                  c.converged.velocity[static_cast<Eigen::Index>(k)], 5e-11)
          << c.id << " " << c.labels[k] << ": 12 decimals over masses down to 0.057 kg";
    }
    EXPECT_NEAR(problem.mass.kinetic_energy(v), c.converged.kinetic_energy_after, 5e-11) << c.id;
  }
}

TEST(ReferenceData, PrintedValuesLieWithinTheirToleranceOfTheConvergedOnes) {
  int compared = 0;
  for (const ReferenceCase& c : all_cases()) {
    for (const PublishedValues& printed : c.published) {
      EXPECT_FALSE(printed.reason.empty()) << printed.id;
      for (Eigen::Index i = 0; i < printed.velocity.size(); ++i) {
        if (!printed.compared[static_cast<std::size_t>(i)]) continue;
        EXPECT_NEAR(printed.velocity[i], c.converged.velocity[i], printed.tolerance.value_or(0.0))
            << printed.id << " component " << i;
        ++compared;
      }
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
  const ReferenceCase good = case_called("lzb2008.table3.AAA.bi.zero_gap");
  ASSERT_TRUE(reproduce(good).ok());
  const auto spoiled = [&](auto change) {
    ReferenceCase bad = good;
    change(bad);
    return reproduce(bad).ok();
  };
  EXPECT_FALSE(spoiled([](auto& c) { c.converged.velocity[1] += 2e-8; }));
  EXPECT_FALSE(spoiled([](auto& c) { c.converged.impulse[0] += 2e-8; }));
  EXPECT_FALSE(spoiled([](auto& c) { c.converged.dissipated[1] -= 2e-8; }));
  EXPECT_FALSE(spoiled([](auto& c) { c.converged.kinetic_energy_after += 1e-7; }));
  EXPECT_FALSE(spoiled([](auto& c) { c.converged.compressions[0] += 1; }));
  EXPECT_FALSE(spoiled([](auto& c) { c.converged.impacts[1] += 1; }));
  EXPECT_FALSE(spoiled([](auto& c) { c.converged.status = "zeno"; }));
  EXPECT_FALSE(spoiled([](auto& c) { c.published[0].velocity[2] += 1e-3; }));
  EXPECT_TRUE(spoiled([](auto& c) { c.published[0].compared[2] = false; }));
}

}  // namespace
}  // namespace percute::io

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "cli_testing.hpp"

#include <percute/io/document.hpp>

namespace percute::cli {
namespace {

using ::testing::HasSubstr;
using testing::Outcome;

class Reproduce : public testing::CliTest {};

TEST_F(Reproduce, ListsCasesLawsAndFigures) {
  const Outcome outcome = run("reproduce --list");
  EXPECT_EQ(outcome.code, 0);
  for (const char* id :
       {"lzb2008.table6.2to8", "laws.three_balls.moreau", "laws.plate", "handbook2024.fig8a",
        "handbook2024.coverage", "lzb2008.fig38", "threeball2003.fig2", "chains.solitary_wave"}) {
    EXPECT_THAT(outcome.out, HasSubstr(id));
  }
}

TEST_F(Reproduce, PrintsLawsCaseByCase) {
  const Outcome outcome = run("reproduce laws.three_balls.moreau");
  EXPECT_EQ(outcome.code, 0);
  for (const char* word : {"✓ laws.three_balls.moreau: three equal balls", "(Moreau 1988)",
                           "e = 0.5", "0.7071067812", "1 of 1 case meets the converged values"}) {
    EXPECT_THAT(outcome.out, HasSubstr(word));
  }
}

TEST_F(Reproduce, PrintsFiguresAsData) {
  const Outcome outcome = run("reproduce fig6a.moreau_line --json");
  EXPECT_EQ(outcome.code, 0);
  const io::Document document = io::parse_json(outcome.out, "stdout");
  const io::Value items(document, *document.root.find("items"), "items");
  ASSERT_EQ(items.size(), 1U);
  const io::Value rows(document, *items[0].node().find("rows"), "rows");
  std::vector<std::string> keys;
  for (const auto& member : *rows[0].node().as<io::Node::Object>()) keys.push_back(member.key);
  EXPECT_THAT(keys,
              ::testing::ElementsAre("label", "quantity", "published", "computed", "tolerance",
                                     "reference", "reference_tolerance", "ok", "note"));
  EXPECT_TRUE(rows[0].node().find("published")->is_null());
  EXPECT_TRUE(*document.root.find("ok")->as<bool>());
}

// A figure that must not come out: shown as different from print, with the reason, and no failure.
TEST_F(Reproduce, SaysWhatIsNotReproduced) {
  const Outcome outcome = run("reproduce lzb2008.fig38");
  EXPECT_EQ(outcome.code, 0);
  for (const char* word : {"✓ lzb2008.fig38", "≈ e_eff                         0.1",
                           "Fig. 38; not reproduced", "1 differ as explained"}) {
    EXPECT_THAT(outcome.out, HasSubstr(word));
  }
}

TEST_F(Reproduce, RefusesWhatIsUnknown) {
  expect_refused("reproduce laws.three_bals.moreau",
                 {"laws.three_bals.moreau", "did you mean", "laws.three_balls.moreau"});
}

}  // namespace
}  // namespace percute::cli

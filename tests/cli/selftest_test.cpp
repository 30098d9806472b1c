// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "cli_testing.hpp"

#include <percute/io/document.hpp>

namespace percute::cli {
namespace {

using ::testing::HasSubstr;
using testing::Outcome;

class Selftest : public testing::CliTest {};

TEST_F(Selftest, EveryCheckHolds) {
  const Outcome outcome = run("selftest random --count 60 --seed 3");
  EXPECT_EQ(outcome.code, 0) << outcome.out;
  EXPECT_EQ(outcome.err, "");
  EXPECT_THAT(outcome.out, HasSubstr("seed 3 · 60 problems from number 0"));
  for (const char* word : {"momentum", "separation", "tighter", "status    ok", "✓ every check"}) {
    EXPECT_THAT(outcome.out, HasSubstr(word));
  }
}

TEST_F(Selftest, ThreadsDoNotChangeTheOutcome) {
  const Outcome one = run("selftest random --count 40 --json --jobs 1");
  const Outcome three = run("selftest random --count 40 --json --jobs 3");
  EXPECT_EQ(one.code, three.code);
  EXPECT_EQ(one.out, three.out);
  const io::Document document = io::parse_json(one.out, "stdout");
  EXPECT_EQ(*document.root.find("format")->as<std::string>(), "percute-selftest/1");
}

TEST_F(Selftest, AProblemCanBeRunAloneAndWritten) {
  const Outcome outcome = run("selftest random --seed 5 --only 12 --write kept");
  EXPECT_EQ(outcome.code, 0) << outcome.out;
  EXPECT_THAT(outcome.out, HasSubstr("1 problem from number 12"));
  const Outcome solved = run("solve kept/seed5-12.json");
  EXPECT_LE(solved.code, 1) << solved.err;
  EXPECT_THAT(solved.out, HasSubstr("seed 5 problem 12"));
}

TEST_F(Selftest, EveryLawKeepsItsPromises) {
  const Outcome outcome = run("selftest laws --count 30 --seed 3");
  EXPECT_EQ(outcome.code, 0) << outcome.out;
  EXPECT_EQ(outcome.err, "");
  EXPECT_THAT(outcome.out, HasSubstr("selftest laws · seed 3 · 30 problems from number 0"));
  for (const char* word : {"moreau", "scalar_restitution", "coulomb", "relations", "lcp lemke",
                           "friction nsgs", "✓ every check"}) {
    EXPECT_THAT(outcome.out, HasSubstr(word));
  }
}

TEST_F(Selftest, ThreadsDoNotChangeWhatLawsGive) {
  const Outcome one = run("selftest laws --count 20 --json --jobs 1");
  const Outcome three = run("selftest laws --count 20 --json --jobs 3");
  EXPECT_EQ(one.out, three.out);
  const io::Document document = io::parse_json(one.out, "stdout");
  EXPECT_EQ(*document.root.find("format")->as<std::string>(), "percute-selftest-laws/1");
}

TEST_F(Selftest, AProblemIsWrittenWithEveryLaw) {
  const Outcome outcome = run("selftest laws --seed 5 --only 7 --write kept");
  EXPECT_EQ(outcome.code, 0) << outcome.out;
  for (const char* law : {"moreau", "icr", "coulomb_theta"}) {
    const Outcome solved = run(std::string("solve kept/seed5-7-") + law + ".json");
    EXPECT_LE(solved.code, 1) << solved.err;
    EXPECT_THAT(solved.out, HasSubstr("seed 5 problem 7"));
  }
}

TEST_F(Selftest, FrictionIsFollowedThroughTheImpact) {
  const Outcome outcome = run("selftest friction --count 60 --seed 3");
  EXPECT_EQ(outcome.code, 0) << outcome.out;
  EXPECT_THAT(outcome.out, HasSubstr("selftest friction · seed 3 · 60 problems from number 0"));
  for (const char* word : {"lzb", "darboux_keller_single", "lzb integrated", "lzb frictionless",
                           "lzb tracked gaps", "compliant", "referee"}) {
    EXPECT_THAT(outcome.out, HasSubstr(word));
  }
  const Outcome json = run("selftest friction --only 7 --write kept --json");
  const io::Document document = io::parse_json(json.out, "stdout");
  EXPECT_EQ(*document.root.find("format")->as<std::string>(), "percute-selftest-friction/1");
  EXPECT_THAT(json.out, HasSubstr("\"sensitive\""));
  for (const char* law : {"lzb", "lzb_tracked_gaps", "compliant"}) {
    const Outcome solved = run(std::string("solve kept/seed1-7-") + law + ".json");
    EXPECT_LE(solved.code, 1) << solved.err;
    EXPECT_THAT(solved.out, HasSubstr("seed 1 problem 7"));
  }
}

TEST_F(Selftest, HelpTeaches) {
  const Outcome help = run("selftest --help");
  EXPECT_EQ(help.code, 0);
  for (const char* word : {"Examples:", "--count 100000", "--only", "selftest laws",
                           "selftest friction", "Exit status"}) {
    EXPECT_THAT(help.out, HasSubstr(word));
  }
}

TEST_F(Selftest, RefusesWhatItDoesNotKnow) {
  expect_refused("selftest randon", {"unknown selftest 'randon' (did you mean 'random'?)"});
  expect_refused("selftest random --count 0", {"--count", "percute selftest --help"});
  expect_refused("selftest random --count many", {"--count"});
  expect_refused("selftest random --seed -1", {"--seed"});
  expect_refused("selftest random --jobs 0", {"--jobs"});
  expect_refused("selftest random --count 1 -o no/a.json", {"no/a.json: cannot write"});
  write("file", "");
  expect_refused("selftest random --only 1 --write file/a", {"cannot write"});
}

}  // namespace
}  // namespace percute::cli

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "cli_testing.hpp"

#include <percute/io/document.hpp>

#include <regex>

namespace percute::cli {
namespace {

using ::testing::HasSubstr;
using testing::kScene;
using testing::kThreeBalls;
using ::testing::Not;
using testing::Outcome;

class Compare : public testing::CliTest {
 protected:
  void SetUp() override {
    CliTest::SetUp();
    write("three.json", kThreeBalls);
    write("cradle.toml", kScene);
  }

  /// Kinds of the results, in order.
  static std::vector<std::string> kinds(const std::string& json) {
    const io::Document document = io::parse_json(json, "stdout");
    std::vector<std::string> names;
    for (const io::Node& result : *document.root.find("results")->as<io::Node::Array>()) {
      EXPECT_EQ(*result.find("format")->as<std::string>(), "percute-result/1");
      names.push_back(*result.find("law")->find("kind")->as<std::string>());
    }
    return names;
  }
};

/// Times differ from run to run: the last word of every row.
std::string without_times(const std::string& text) {
  return std::regex_replace(text, std::regex(" +[0-9]+\\.[0-9]\n"), " T\n");
}

TEST_F(Compare, PrintsATable) {
  const Outcome outcome = run("compare cradle.toml --laws newton,binary,lzb");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(without_times(outcome.out),
            R"(cradle · 3 bodies · 2 closed contacts · velocities in m/s

  law           ball 1      ball 2      ball 3        KER    KER_rel       C_KE   verdicts   time [µs]
  (before)   +1.000000    0.000000    0.000000                         1.414214
  newton     -0.333333   +0.666667   +0.666667   1.000000   1.000000   0.471405   ✓ T
  binary      0.000000    0.000000   +1.000000   1.000000   1.000000   1.414214   ✓ T
  lzb        -0.070952   +0.076403   +0.994549   1.000000   1.000000   1.391152   ✓ T
)");
}

TEST_F(Compare, MarksWhatIsViolated) {
  // A pattern (1, 1) of impulses at e = 0.5 leaves balls 1 and 2 approaching.
  const Outcome outcome =
      run("compare cradle.toml --laws 'fremond_cone:patterns=[[1],[1]]:restitution=0.5,moreau' "
          "--set material.restitution=0.5");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("✗ kinematic"));
  EXPECT_THAT(outcome.out, HasSubstr("✓"));
}

TEST_F(Compare, ShowsWhatFrictionTookAndWhetherItKeepsToItsCone) {
  const std::string pendulum = "compare '" PERCUTE_SOURCE_DIR
                               "/examples/scenes/double_pendulum.toml' --laws moreau,coulomb,"
                               "darboux_keller_single --set material.friction=";
  const Outcome outcome = run(pendulum + "0.5");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  for (const char* word : {"D_t [J]", "cone", "0.006542", "✓ inside", "✓ edge"}) {
    EXPECT_THAT(outcome.out, HasSubstr(word));
  }
  EXPECT_THAT(run(pendulum + "0").out, Not(HasSubstr("cone")));
}

TEST_F(Compare, SaysWhereTheRuleOfReengagementDecides) {
  const std::string soft =
      "compare '" PERCUTE_SOURCE_DIR "/examples/scenes/soft_beside_hard.toml' --laws ";
  const std::string reason =
      "    An open contact is driven together again: zero_gap loads it at once, tracked_gap when "
      "its "
      "gap has closed.\n"
      "    Both: --laws lzb:reengagement=zero_gap,lzb:reengagement=tracked_gap; which to take: "
      "docs/howto/which_law.md\n";
  const Outcome one = run(soft + "moreau,lzb");
  EXPECT_EQ(one.code, 0) << one.err;
  EXPECT_THAT(one.out, ::testing::EndsWith(
                           "\n\n  · lzb: zero_gap and tracked_gap differ by 0.43 of the largest "
                           "speed, most for ball 2: -0.166476 and +0.268023 m/s\n" +
                           reason));
  // Seen from the other side; and what a row above has told is not told again.
  const std::string tracked = "lzb:reengagement=tracked_gap";
  const std::string note =
      "\n\n  · " + tracked +
      ": tracked_gap and zero_gap differ by 0.43 of the largest speed, most for ball 2: +0.268023 "
      "and -0.166476 m/s\n" +
      reason;
  EXPECT_THAT(run(soft + tracked).out, ::testing::EndsWith(note));
  EXPECT_THAT(run(soft + tracked + ",lzb:reengagement=zero_gap").out, ::testing::EndsWith(note));
  // Nothing to say where nothing meets again, or where no digit of the table would change.
  EXPECT_THAT(run("compare cradle.toml").out, Not(HasSubstr("tracked_gap")));
  EXPECT_THAT(run("compare '" PERCUTE_SOURCE_DIR "/examples/scenes/three_balls.toml'").out,
              Not(HasSubstr("tracked_gap")));
  // Machines find it in every result that has such a rule.
  const io::Document json = io::parse_json(run(soft + "moreau,lzb --json").out, "stdout");
  const auto& results = *json.root.find("results")->as<io::Node::Array>();
  EXPECT_EQ(results[0].find("diagnostics")->find("reengagement_difference"), nullptr);
  EXPECT_NEAR(*results[1].find("diagnostics")->find("reengagement_difference")->as<double>(),
              0.268023 + 0.166476, 1e-6);
}

TEST_F(Compare, ANumericalFailureIsExitCodeOne) {
  const Outcome outcome =
      run("compare three.json --laws moreau,cradle_sort --set 'mass={\"diagonal\":[1,2,1]}'");
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("✗ not_applicable"));
}

TEST_F(Compare, PrintsJsonInTheOrderAsked) {
  const Outcome outcome =
      run("compare three.json --laws binary:order=right_left,lzb,moreau --json");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(kinds(outcome.out), ::testing::ElementsAre("binary", "lzb", "moreau"));
  const io::Document document = io::parse_json(outcome.out, "stdout");
  EXPECT_EQ(*document.root.find("format")->as<std::string>(), "percute-comparison/1");
  EXPECT_EQ(document.root.find("left_out"), nullptr);
  const auto& results = *document.root.find("results")->as<io::Node::Array>();
  EXPECT_EQ(*results[0].find("law")->find("order")->as<std::string>(), "right_left");
  // The file's own law keeps its options.
  EXPECT_EQ(*results[1].find("law")->find("tolerance")->as<double>(), 1e-10);
  EXPECT_THAT(outcome.out, Not(HasSubstr("\"time\"")));
  // What is written to a file is the same.
  const Outcome quiet =
      run("compare three.json --laws binary:order=right_left,lzb,moreau --quiet -o c.json");
  EXPECT_EQ(quiet.out + quiet.err, "");
  EXPECT_EQ(read("c.json"), outcome.out);
}

TEST_F(Compare, WithoutLawsTakesAllThatApply) {
  const Outcome outcome = run("compare three.json --json");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(kinds(outcome.out),
              ::testing::IsSupersetOf({"lzb", "moreau", "newton", "poisson", "binary",
                                       "simultaneous_set", "scalar_restitution", "cradle_sort"}));
  // Unequal coefficients leave Moreau's law without one, and the cradle law needs e = 1.
  const Outcome unequal = run("compare three.json --set 'contacts[0].restitution=0.5'");
  EXPECT_EQ(unequal.code, 0) << unequal.err;
  EXPECT_THAT(unequal.out, HasSubstr("· without moreau: "));
  EXPECT_THAT(unequal.out, HasSubstr("· without cradle_sort: "));
  EXPECT_THAT(unequal.out, HasSubstr("\n  poisson"));
  const Outcome json = run("compare three.json --set 'contacts[0].restitution=0.5' --json");
  const io::Document document = io::parse_json(json.out, "stdout");
  const auto& left_out = *document.root.find("left_out")->as<io::Node::Array>();
  ASSERT_EQ(left_out.size(), 2U);
  EXPECT_EQ(*left_out[0].find("law")->as<std::string>(), "moreau");
  EXPECT_THAT(*left_out[0].find("reason")->as<std::string>(), HasSubstr("restitution"));
}

TEST_F(Compare, ManyBodiesTurnTheTable) {
  const Outcome outcome =
      run("compare cradle.toml --laws moreau,binary --set system.balls=12 "
          "--set 'start={\"speed\": 1}'");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("\n  law          (before)      moreau      binary\n"));
  EXPECT_THAT(outcome.out, HasSubstr("\n  ball 12      0.000000   +0.166667   +1.000000\n"));
  EXPECT_THAT(outcome.out, HasSubstr("verdicts"));
  // Too many laws for the width go into another table below.
  const Outcome wide =
      run("compare cradle.toml --laws $(printf 'binary:order=random:seed=%d,' $(seq 8))moreau "
          "--set system.balls=12 --set 'start={\"speed\": 1}'");
  EXPECT_EQ(wide.code, 0) << wide.err;
  std::size_t tables = 0;
  for (std::size_t at = 0; (at = wide.out.find("\n  law ", at)) != std::string::npos; ++at)
    ++tables;
  EXPECT_GE(tables, 2U);
}

TEST_F(Compare, WritesThePlaneOfOutcomes) {
  const Outcome outcome =
      run("compare cradle.toml --laws moreau,poisson,cradle_sort --outcome-plane plane.csv "
          "--samples 500");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  for (const char* word : {"plane.csv", "poisson (e to 2)", "covered", "e1, e2", " %"}) {
    EXPECT_THAT(outcome.out, HasSubstr(word));
  }
  const std::string csv = read("plane.csv");
  EXPECT_THAT(csv.substr(0, 60),
              ::testing::StartsWith("law,parameters,x,y,KER,admissible\nmoreau,e=0,"));
  // 500 samples and the corners of each box, one row for the law that has no parameters.
  EXPECT_EQ(std::ranges::count(csv, '\n'), 1 + 502 + 504 + 504 + 1);
  EXPECT_THAT(csv.substr(csv.rfind('\n', csv.size() - 2)), HasSubstr("\ncradle_sort,,0,1,"));
}

TEST_F(Compare, HelpTeaches) {
  const Outcome help = run("compare --help");
  EXPECT_EQ(help.code, 0);
  for (const char* word : {"--laws", "KER_rel", "C_KE", "binary:order=left_right", "Exit status"}) {
    EXPECT_THAT(help.out, HasSubstr(word));
  }
}

TEST_F(Compare, TellsHowLawsCameToTheirEnd) {
  const std::string balls =
      "compare '" PERCUTE_SOURCE_DIR "/examples/scenes/inelastic_collapse.toml' --endings";
  const std::string text = run(balls + " --laws binary,moreau,lzb").out;
  EXPECT_THAT(text, ::testing::ContainsRegex("binary +accumulation +[0-9]+ +[0-9]+ +0\\.1"));
  EXPECT_THAT(text, ::testing::ContainsRegex("moreau +finite"));
  const io::Document document =
      io::parse_json(run(balls + " --laws binary,moreau --json").out, "stdout");
  const io::Value endings(document, *document.root.find("endings"), "endings");
  ASSERT_EQ(endings.size(), 2U);
  EXPECT_EQ(*endings[0].node().find("end")->as<std::string>(), "accumulation");
  EXPECT_TRUE(endings[1].node().find("contraction")->is_null());
}

TEST_F(Compare, CarriesParametersToAPart) {
  const std::string balls =
      "compare cradle.toml --set system.balls=4 --set start.velocity=[1,0,0,0]";
  const Outcome outcome =
      run(balls + " --laws moreau,icr:direction=[1,1,1] --transfer 1-2,2-3 --json");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const io::Document document = io::parse_json(outcome.out, "stdout");
  const io::Value laws(document, *document.root.find("transfer"), "transfer");
  ASSERT_EQ(laws.size(), 2U);
  const auto number = [&](std::size_t law, const char* key) {
    return io::Value(document, *laws[law].node().find(key), key).number();
  };
  // One e moves all balls but the first alike; impulse ratios follow, but those of four balls are
  // not those of three (0.5068 and 0.4815 of the sum, tests/unit/analysis).
  EXPECT_EQ(*laws[1].node().find("law")->as<std::string>(), "icr");
  EXPECT_NEAR(number(1, "change"), 0.0253, 1e-3);
  EXPECT_GT(number(1, "error"), 0.01);
  EXPECT_THAT(run(balls + " --laws icr:direction=[1,1,1] --transfer 0,1").out,
              HasSubstr("error, carried"));
  EXPECT_THAT(run(balls + " --laws icr:direction=[1,1,1] --transfer 1-2,3-4").out,
              HasSubstr("means nothing in the whole system"));
  // The search for seven parameters ends beside those of the file, and says so.
  EXPECT_THAT(
      run("compare '" PERCUTE_SOURCE_DIR "/examples/scenes/cradle.toml' --laws lzb --transfer 1-2")
          .out,
      HasSubstr("lzb: the law of the file does not fit itself"));
  expect_refused(balls + " --laws moreau --transfer ''", {"--transfer", "needs a value"});
  expect_refused(balls + " --laws moreau --transfer 1-5", {"--transfer 1-5", "contacts: 1-2, 2-3"});
  expect_refused(balls + " --laws moreau --transfer 1-2,0", {"'0' twice"});
}

TEST_F(Compare, RefusesBadInput) {
  expect_refused("compare", {"FILE", "percute compare --help"});
  expect_refused("compare missing.toml --laws moreau", {"missing.toml: cannot open"});
  expect_refused("compare cradle.toml --laws moraeu", {"--laws moraeu", "did you mean 'moreau'?"});
  expect_refused("compare cradle.toml --laws moreau,", {"--laws", "without a law"});
  expect_refused("compare cradle.toml --laws coulomb:tangental=0",
                 {"--laws coulomb:tangental=0", "did you mean 'tangential'?"});
  expect_refused("compare cradle.toml --laws coulomb:tangential=3",
                 {"--laws coulomb:tangential=3", "law.tangential", "3"});
  expect_refused("compare cradle.toml --laws icr", {"--laws icr", "p_next_over_p_prev"});
  // The law that cannot take the file is named; a mistake in the file is no law's fault.
  expect_refused("compare cradle.toml --laws poisson,moreau --set material.restitution=1.5",
                 {"--laws moreau", "restitution", "1.5"});
  expect_refused("compare cradle.toml --laws moreau --set system.bals=4", {"--set system.bals=4"});
  expect_refused(
      "compare cradle.toml --laws moreau --outcome-plane p.csv --set system.balls=4 "
      "--set 'start={\"speed\": 1}'",
      {"--outcome-plane p.csv", "two contacts", "3"});
  expect_refused("compare cradle.toml --laws moreau --outcome-plane p.csv --samples 0",
                 {"--samples"});
  expect_refused("compare cradle.toml --laws moreau --outcome-plane no/such/folder/p.csv",
                 {"no/such/folder/p.csv", "cannot write"});
}

}  // namespace
}  // namespace percute::cli

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "cli_testing.hpp"

#include <percute/io/document.hpp>

#include <algorithm>

namespace percute::cli {
namespace {

using ::testing::HasSubstr;
using testing::Outcome;

/// Commands that Ctrl-C meets in the middle keep what they have. ('simulate' has tests of its own.)
class Interrupted : public testing::CliTest {
 protected:
  void SetUp() override {
    CliTest::SetUp();
    write("three.json", testing::kThreeBalls);
    write("scene.toml", testing::kScene);
  }

  /// Runs it until `ready` is true for the shell, then sends the signal.
  Outcome interrupt(const std::string& feed, const std::string& arguments, const std::string& ready,
                    const std::string& signal = "INT") const {
    return run("--version >v.txt; " + feed + " '" PERCUTE_BINARY "' " + arguments +
               " & p=$!; k=0; until " + ready +
               " || [ $k = 400 ]; do sleep 0.05; k=$((k + 1)); done; kill -" + signal +
               " $p; wait $p");
  }

  static std::string text_of(const io::Document& document, const char* key) {
    return *document.root.find(key)->as<std::string>();
  }
};

TEST_F(Interrupted, AStreamEndsBetweenLines) {
  write("lines.jsonl", testing::kThreeBalls + "\n" + testing::kThreeBalls + "\n" +
                           testing::kThreeBalls + "\n" + testing::kThreeBalls.substr(0, 50));
  for (const char* signal : {"INT", "TERM"}) {
    const Outcome outcome = interrupt("(cat lines.jsonl; sleep 5) |", "solve --stdin --json -o out",
                                      "[ $(wc -l 2>&1 < out) = 3 ] 2>&1", signal);
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.err, HasSubstr("stopped by a signal after 3 problems"));
    const std::string lines = read("out");
    EXPECT_EQ(std::ranges::count(lines, '\n'), 3);
    EXPECT_EQ(lines.back(), '\n');
    EXPECT_EQ(lines.find("percute-error"), std::string::npos);
    std::filesystem::remove(folder_ / "out");
  }
}

TEST_F(Interrupted, AFitShowsTheBestPointSoFar) {
  write("fit.json", R"({"format": "percute-fit/1", "problem": "three.json",
 "parameter": [{"name": "e", "keys": ["contacts[0].restitution", "contacts[1].restitution"],
                "start": 0.5}],
 "experiment": [{"measure": [{"quantity": "velocity", "coordinate": 2, "value": 0.8}]}],
 "fit": {"starts": 10000}})");
  const Outcome json = interrupt("", "fit fit.json --json", "sleep 1");
  EXPECT_EQ(json.code, 1) << json.err;
  const io::Document result = io::parse_json(json.out, "stdout");
  EXPECT_EQ(text_of(result, "status"), "interrupted");
  const io::Value parameters(result, *result.root.find("parameters"), "parameters");
  const io::Value e(result, *parameters[0].node().find("value"), "value");
  // The velocity grows from 0.25 at e = 0 to 0.99 at e = 1.
  EXPECT_GT(e.number(), 0.5);
  EXPECT_LT(e.number(), 1.0);
  EXPECT_TRUE(parameters[0].node().find("interval")->is_null());
  const Outcome text = interrupt("", "fit fit.json", "sleep 1");
  EXPECT_THAT(text.out, HasSubstr("stopped by a signal at start "));
}

TEST_F(Interrupted, AComparisonKeepsTheLawsThatAreDone) {
  std::string laws = "lzb";
  for (int k = 0; k < 60; ++k) laws += ",lzb:tolerance=1e-9";
  const Outcome outcome = interrupt("",
                                    "compare scene.toml --unset start.velocity --set start.speed=1 "
                                    "--set system.balls=1000 --json --laws " +
                                        laws,
                                    "sleep 1");
  EXPECT_THAT(outcome.err, HasSubstr("stopped by a signal after "));
  ASSERT_EQ(outcome.code, 1) << outcome.err;
  const io::Document document = io::parse_json(outcome.out, "stdout");
  const std::size_t done = document.root.find("results")->as<io::Node::Array>()->size();
  const std::size_t left = document.root.find("left_out")->as<io::Node::Array>()->size();
  EXPECT_GE(done, 1U);
  EXPECT_GE(left, 1U);
  EXPECT_EQ(done + left, 61U);
}

TEST_F(Interrupted, ASelftestSaysHowFarItGot) {
  for (const char* name : {"random", "laws"}) {
    const Outcome outcome =
        interrupt("", std::string("selftest ") + name + " --count 1000000 --json", "sleep 1");
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.err, HasSubstr("stopped by a signal after "));
    EXPECT_THAT(outcome.err, HasSubstr(" of 1000000 problems"));
    const io::Document document = io::parse_json(outcome.out, "stdout");
    EXPECT_LT(*document.root.find("count")->as<std::int64_t>(), 1000000);
  }
  const Outcome text = interrupt("", "selftest random --count 1000000", "sleep 1");
  EXPECT_THAT(text.out, HasSubstr("every check holds in the "));
  EXPECT_THAT(text.out, HasSubstr(" of 1000000 problems examined"));
}

TEST_F(Interrupted, ReproducedCasesStay) {
  const Outcome outcome = interrupt("", "reproduce --json", "sleep 1");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("stops after this case"));
  EXPECT_THAT(outcome.err, HasSubstr("stopped by a signal after "));
  const io::Document document = io::parse_json(outcome.out, "stdout");
  EXPECT_GE(document.root.find("items")->as<io::Node::Array>()->size(), 1U);
}

}  // namespace
}  // namespace percute::cli

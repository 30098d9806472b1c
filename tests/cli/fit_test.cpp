// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#ifdef PERCUTE_HAS_FIT
#include "cli_testing.hpp"

#include <percute/io/document.hpp>

namespace percute::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using testing::Outcome;

const std::string kExample = PERCUTE_SOURCE_DIR "/examples/fit/tennis_on_basketball.toml";

/// Restitution of three balls from one velocity.
const std::string kOne = R"({"format": "percute-fit/1", "problem": "three.json",
 "parameter": [{"name": "e", "keys": ["contacts[0].restitution", "contacts[1].restitution"],
                "start": 0.5}],
 "experiment": [{"measure": [{"quantity": "velocity", "coordinate": 2, "value": 0.8, "sigma": 0.01},
                             {"quantity": "energy_ratio", "value": 0.6, "sigma": 0.1}]}]})";

class FitCli : public testing::CliTest {
 protected:
  void SetUp() override {
    CliTest::SetUp();
    write("three.json", testing::kThreeBalls);
    write("one.json", kOne);
  }
};

TEST_F(FitCli, TheExampleFindsWhatItWasMadeWith) {
  const Outcome outcome = run("fit " + kExample + " --json");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  const io::Document document = io::parse_json(outcome.out, "stdout");
  const io::Value root(document);
  EXPECT_EQ(*document.root.find("format")->as<std::string>(), "percute-fit-result/1");
  EXPECT_EQ(*document.root.find("status")->as<std::string>(), "converged");
  const io::Value parameters(document, *document.root.find("parameters"), "parameters");
  const double truth[] = {0.8, 0.55};
  for (std::size_t j = 0; j < 2; ++j) {
    const io::Value interval(document, *parameters[j].node().find("interval"), "interval");
    EXPECT_LT(interval[0].number(), truth[j]);
    EXPECT_GT(interval[1].number(), truth[j]);
  }
  EXPECT_TRUE(document.root.find("warnings")->as<io::Node::Array>()->empty());
}

TEST_F(FitCli, PrintsATable) {
  const Outcome outcome = run("fit one.json");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  for (const char* word : {"one · 1 experiment · 2 measurements · 1 parameter", "95 % from",
                           "velocity, coordinate 2", "residual/σ", "χ²", "starts converged"}) {
    EXPECT_THAT(outcome.out, HasSubstr(word));
  }
  EXPECT_THAT(outcome.out, Not(HasSubstr("warning")));
  const Outcome level = run("fit one.json --set fit.level=0.5 --quiet -o r.json");
  EXPECT_EQ(level.out, "");
  EXPECT_THAT(read("r.json"), HasSubstr("\"level\": 0.5"));
}

TEST_F(FitCli, WarnsOfBoundsAndOfWhatCannotBeFound) {
  // Faster than an elastic impact.
  const Outcome fast = run("fit one.json --set 'experiment[0].measure[0].value=1.2'");
  EXPECT_EQ(fast.code, 1) << fast.err;
  EXPECT_THAT(fast.out, HasSubstr("e is at its upper bound 1"));
  EXPECT_THAT(fast.out, HasSubstr("the fit is rejected"));
  EXPECT_THAT(fast.out, HasSubstr("too large for the stated sigma"));
  EXPECT_THAT(run("fit one.json --json --set 'experiment[0].measure[0].value=1.2'").out,
              HasSubstr("\"status\": \"rejected\""));
  // All stiffnesses together change no velocity.
  const Outcome stiff = run(
      R"(fit one.json --set 'parameter[0]={"name":"K","keys":["contacts[0].stiffness","contacts[1].stiffness"],"start":1}')");
  EXPECT_THAT(stiff.out, HasSubstr("not identifiable: the measurements do not depend on K"));
}

/// A light ball between two others, stiffnesses 1 and 3: the velocity of the last ball alone is
/// that of three ratios, all velocities are those of one.
TEST_F(FitCli, AWrongMinimumIsNotTakenForTheAnswer) {
  const std::string file = R"({"format": "percute-fit/1",
 "problem": {"format": "percute-problem/1", "mass": {"diagonal": [1, 0.5, 1]}, "velocity": [1, 0, 0],
  "contacts": [{"gradient": [-1, 1, 0], "restitution": 0.9},
               {"gradient": [0, -1, 1], "restitution": 0.9}], "law": {"kind": "lzb"}},
 "parameter": [{"name": "ratio", "key": "contacts[1].stiffness", "start": 1}],
 "experiment": [{"measure": [)";
  const auto problem = file.find("{\"format\": \"percute-problem");
  write("truth.json", file.substr(problem, file.find(",\n \"parameter\"") - problem));
  const io::Document truth =
      io::parse_json(run("solve truth.json --json --set 'contacts[1].stiffness=3'").out, "stdout");
  const Vector v = io::Value(truth, *truth.root.find("velocity"), "velocity").numbers();
  const auto measure = [&](int i, const char* sigma) {
    return R"({"quantity": "velocity", "coordinate": )" + std::to_string(i) + R"(, "value": )" +
           io::to_json(io::Node(v[i])) + sigma + "}";
  };
  const std::string sigma = R"(, "sigma": 0.01)";
  for (const std::string& given : {std::string(), sigma}) {
    write("last.json", file + measure(2, given.c_str()) + "]}]}");
    const Outcome last = run("fit last.json");
    EXPECT_EQ(last.code, 1);
    EXPECT_THAT(last.out, HasSubstr("the answer is ambiguous: 2 other minima explain"));
    for (const char* word : {"minimum", "best", "as good", "starts", "\n"}) {
      EXPECT_THAT(last.out, HasSubstr(word));
    }
    // The same where both stiffnesses are free, of which only the ratio counts.
    const Outcome both = run(
        R"(fit last.json --set 'parameter=[{"name":"K1","key":"contacts[0].stiffness","start":1},{"name":"K2","key":"contacts[1].stiffness","start":1}]')");
    EXPECT_EQ(both.code, 1);
    EXPECT_THAT(both.out, HasSubstr("not identifiable: K1, K2 can change together"));
    EXPECT_THAT(both.out, HasSubstr("the answer is ambiguous: 2 other minima explain"));
    write("all.json", file + measure(0, given.c_str()) + "," + measure(1, given.c_str()) + "," +
                          measure(2, given.c_str()) + "]}]}");
    for (const char* start : {"0.02", "0.3", "1"}) {
      const Outcome all =
          run("fit all.json --json --set 'parameter[0].start=" + std::string(start) + "'");
      EXPECT_EQ(all.code, 0) << all.out;
      const io::Document found = io::parse_json(all.out, "stdout");
      const io::Value parameters(found, *found.root.find("parameters"), "parameters");
      const io::Value value(found, *parameters[0].node().find("value"), "value");
      EXPECT_NEAR(value.number(), 3.0, 1e-3) << start;
    }
  }
}

TEST_F(FitCli, RepeatsThatScatterLessThanTheFitMissesAreARejection) {
  const Outcome outcome = run(
      R"(fit one.json --set 'experiment[0].measure=[{"quantity":"velocity","coordinate":2,"values":[0.8,0.801]},{"quantity":"velocity","coordinate":0,"values":[0.4,0.401]}]')");
  EXPECT_EQ(outcome.code, 1) << outcome.out;
  EXPECT_THAT(outcome.out, HasSubstr("lack of fit F"));
  EXPECT_THAT(outcome.out, HasSubstr("misses the means of repeated measurements"));
  // Without sigma and repeats nothing can be said.
  const Outcome silent = run(
      R"(fit one.json --set 'experiment[0].measure=[{"quantity":"velocity","coordinate":2,"value":0.8},{"quantity":"velocity","coordinate":0,"value":0.1}]')");
  EXPECT_THAT(silent.out, HasSubstr("not tested"));
}

TEST_F(FitCli, ReadsATableBesideTheFile) {
  write("v.csv", "speed,v3\n1,0.8\n1,0.81\n2,1.61\n2,1.6\n");
  write("table.json", kOne.substr(0, kOne.find("\"experiment\"")) +
                          R"("experiment": [{"name": "hits", "data": "v.csv",
      "settings": {"speed": "velocity[0]"},
      "measure": [{"quantity": "velocity", "coordinate": 2, "column": "v3", "sigma": 0.01}]}]})");
  const Outcome outcome = run("fit table.json");
  EXPECT_EQ(outcome.code, 0) << outcome.err << outcome.out;
  EXPECT_THAT(outcome.out, HasSubstr("2 experiments · 4 measurements"));
  EXPECT_THAT(outcome.out, HasSubstr("hits, speed 2"));
  write("v.csv", "speed,v3\n1,0.8\n1,O.81\n");
  expect_refused("fit table.json", {"v.csv:3: column 'v3': 'O.81' is not a number"});
}

TEST_F(FitCli, SaysWhenThereAreTooFewMeasurements) {
  const Outcome few = run(
      R"(fit one.json --set 'parameter=[{"name":"a","key":"contacts[0].restitution","start":0.5},{"name":"b","key":"contacts[1].restitution","start":0.5}]' --set 'experiment[0].measure=[{"quantity":"velocity","coordinate":2,"value":0.8,"sigma":0.01}]')");
  EXPECT_THAT(few.out, HasSubstr("no degrees of freedom"));
  EXPECT_THAT(few.out, HasSubstr("fewer measurements (1) than free parameters (2)"));
  EXPECT_THAT(few.out, Not(HasSubstr("-1 degrees")));
  EXPECT_THAT(few.out, HasSubstr("0 other minima"));
}

TEST_F(FitCli, NoAnswerIsExitOne) {
  write("stuck.json", kOne.substr(0, kOne.find("\"experiment\"")) +
                          R"("experiment": [{"set": {"law.max_steps": 3},
      "measure": [{"quantity": "velocity", "coordinate": 2, "value": 0.8}]}]})");
  const Outcome outcome = run("fit stuck.json");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("not_terminated"));
  EXPECT_EQ(outcome.err, "");
  const Outcome json = run("fit stuck.json --json");
  EXPECT_EQ(json.code, 1);
  EXPECT_THAT(json.out, HasSubstr("\"status\": \"failed\""));
}

TEST_F(FitCli, BadInputIsRefused) {
  expect_refused("fit", {"FILE", "percute fit --help"});
  expect_refused("fit missing.toml", {"missing.toml: cannot open"});
  expect_refused("fit three.json", {"three.json:1: format", "percute-fit/1", "percute-problem/1"});
  expect_refused("fit one.json --set 'parameter[0].start=1.5'",
                 {"--set parameter[0].start=1.5", "between the bounds 0 and 1"});
  expect_refused("fit one.json --set 'parameter[0].keys=[\"contacts[0].restitutoin\"]'",
                 {"parameter 'e' = 0.5", "did you mean 'restitution'"});
  expect_refused("solve one.json", {"one.json:1: format", "percute-problem/1", "percute-fit/1"});
  expect_refused("fit one.json --set fit.level=95", {"fit.level", "(0, 1)"});
}

TEST_F(FitCli, HelpTeaches) {
  const Outcome help = run("fit --help");
  EXPECT_EQ(help.code, 0);
  for (const char* word : {"Examples:", "percute-fit/1", "rebound_height", "Exit status"}) {
    EXPECT_THAT(help.out, HasSubstr(word));
  }
}

}  // namespace
}  // namespace percute::cli
#endif

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "cli_testing.hpp"

#include <percute/io/document.hpp>

namespace percute::cli {
namespace {

using ::testing::HasSubstr;
using testing::kScene;
using testing::kThreeBalls;
using testing::Outcome;

class Analyze : public testing::CliTest {};

TEST_F(Analyze, PrintsTables) {
  write("three.json", kThreeBalls);
  const Outcome outcome = run("analyze three.json");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err, "");
  for (const char* word :
       {"three balls · 3 coordinates · 2 closed contacts", "approaching", "at rest", "60.0000",
        "rank      2 of 2", "0.333333 J", "energy ratios from 0.333333 to 1"}) {
    EXPECT_THAT(outcome.out, HasSubstr(word));
  }
}

TEST_F(Analyze, PrintsJson) {
  write("three.json", kThreeBalls);
  const Outcome outcome = run("analyze three.json --json");
  EXPECT_EQ(outcome.code, 0);
  const io::Document document = io::parse_json(outcome.out, "stdout");
  std::vector<std::string> keys;
  for (const auto& member : *document.root.as<io::Node::Object>()) keys.push_back(member.key);
  EXPECT_THAT(
      keys, ::testing::ElementsAre("format", "delassus", "rank", "kinetic_angles_deg", "gap_rates",
                                   "active", "reachable_energy", "kinetic_energy", "redundant"));
  const auto list = [&](const char* key) {
    return io::Value(document, *document.root.find(key), key);
  };
  EXPECT_EQ(*document.root.find("format")->as<std::string>(), "percute-analysis/1");
  EXPECT_TRUE(list("kinetic_angles_deg")[0][0].node().is_null());
  EXPECT_NEAR(list("kinetic_angles_deg")[0][1].number(), 60.0, 1e-12);
  EXPECT_NEAR(list("delassus")[0][1].number(), -1.0, 1e-15);
  EXPECT_NEAR(list("reachable_energy").number(), 1.0 / 3.0, 1e-15);
}

TEST_F(Analyze, SaysWhatFrictionCanDo) {
  const std::string pendulum = "analyze '" PERCUTE_SOURCE_DIR
                               "/examples/scenes/double_pendulum.toml' --set material.friction=";
  const Outcome outcome = run(pendulum + "0.5");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  // |A_tn|/A_tt and A_nn/|A_tn| of Kane's pendulum.
  for (const char* word : {"A_tn", "+1.521309", "sticks from μ", "0.623401", "jams above μ",
                           "0.663613", "μ = 0.5: cannot stick"}) {
    EXPECT_THAT(outcome.out, HasSubstr(word));
  }
  EXPECT_THAT(run(pendulum + "0.65").out, HasSubstr("sticks at rest"));
  // The tip slides to the left, A_tn is to the right: it jams if it slides to the right.
  EXPECT_THAT(run(pendulum + "0.7").out, HasSubstr("sticks at rest; jams the other way"));
  EXPECT_THAT(run(pendulum + "0.7 --set 'start.rates=[0.3,-0.3]'").out,
              HasSubstr("jams, then sticks"));

  const io::Document document = io::parse_json(run(pendulum + "inf --json").out, "stdout");
  const io::Value friction(document, *document.root.find("friction"), "friction");
  ASSERT_EQ(friction.size(), 1U);
  const io::Node& node = friction[0].node();
  EXPECT_EQ(*node.find("friction")->as<std::string>(), "inf");
  EXPECT_NEAR(*node.find("stick_coefficient")->as<double>(), 0.6234008, 5e-8);
  EXPECT_TRUE(*node.find("may_jam")->as<bool>());
  for (const char* key : {"contact", "sliding_velocity", "A_nn", "A_tn", "A_tt", "sticks",
                          "jam_coefficient", "jams"}) {
    EXPECT_NE(node.find(key), nullptr) << key;
  }
}

TEST_F(Analyze, TakesScenesAndSettings) {
  write("cradle.toml", kScene);
  const Outcome outcome = run("analyze cradle.toml --set start.velocity='[1,1,0]' -o a.json");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("2–3"));
  EXPECT_THAT(read("a.json"), HasSubstr("percute-analysis/1"));
}

TEST_F(Analyze, TellsWhatLawsLeaveOpen) {
  const std::string balls =
      "analyze '" PERCUTE_SOURCE_DIR "/examples/scenes/inelastic_collapse.toml' --choices";
  const Outcome outcome = run(balls);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  // 7 − 4√3, and three balls leave no choice of order.
  for (const char* word : {"1 distinct outcome; orders of collisions tried: 1, all there are",
                           "sequence  accumulation", "below 0.071797 it never ends"}) {
    EXPECT_THAT(outcome.out, HasSubstr(word));
  }
  EXPECT_THAT(run(balls + " --set material.restitution=0.08").out, HasSubstr("sequence  finite"));
  EXPECT_THAT(run(balls + " --set system.masses=[1,1]" + " --set start.velocity=[1,0]").out,
              HasSubstr("it always ends"));

  // A ball between two balls: who is struck first decides.
  const io::Document document = io::parse_json(
      run(balls + " --set start.velocity=[1,0,-1] --set material.restitution=0.5 --json").out, "");
  const io::Value choices(document, *document.root.find("choices"), "choices");
  const io::Value orders(document, *choices.node().find("orders"), "orders");
  EXPECT_EQ(io::Value(document, *orders.node().find("velocities"), "v").size(), 2U);
  EXPECT_NEAR(io::Value(document, *orders.node().find("spread"), "s").number(), 0.09375, 1e-12);
  EXPECT_TRUE(*orders.node().find("complete")->as<bool>());
  EXPECT_EQ(choices.node().find("modes"), nullptr);
}

TEST_F(Analyze, CountsTheOutcomesOfCoulombsLaw) {
  // docs/theory/coulomb.md: three answers to one impact.
  write("three_answers.json", R"({"format": "percute-problem/1", "mass": {"diagonal": [1, 1, 1, 1]},
    "velocity": [2.6666666666666665, -3, -2.3333333333333335, -4],
    "contacts": [{"gradient": [-1, 1, -2, 0], "tangents": [[-1, 2, -2, -1]], "restitution": 0,
                  "friction": 1},
                 {"gradient": [2, 0, 1, 1], "tangents": [[-2, 2, -1, -2]], "restitution": 0,
                  "friction": 1}],
    "law": {"kind": "coulomb", "tangential": 0}})");
  const Outcome outcome = run("analyze three_answers.json --choices");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("modes     3 distinct outcomes, up to"));
  EXPECT_THAT(outcome.out, HasSubstr("starting points tried: 101"));
  const io::Document document =
      io::parse_json(run("analyze three_answers.json --choices --json").out, "stdout");
  const io::Node& choices = *document.root.find("choices");
  EXPECT_EQ(choices.find("modes")->find("velocities")->as<io::Node::Array>()->size(), 3U);
}

TEST_F(Analyze, HelpTeaches) {
  const Outcome help = run("analyze --help");
  EXPECT_EQ(help.code, 0);
  for (const char* word : {"Examples:", "Delassus", "percute analyze cradle.toml", "--json"}) {
    EXPECT_THAT(help.out, HasSubstr(word));
  }
}

TEST_F(Analyze, RefusesBadInput) {
  write("three.json", kThreeBalls);
  expect_refused("analyze", {"FILE", "percute analyze --help"});
  expect_refused("analyze missing.json", {"missing.json: cannot open"});
  expect_refused("analyze three.json --set velocity[0]=fast", {"--set velocity[0]=fast"});
  expect_refused("analyze three.json --set 'mass={\"diagonal\":[1,1,-1]}'", {"mass", "-1"});
  expect_refused("analyze three.json --set 'contacts[1].gradient=[0,0,0]'",
                 {"contacts[1].gradient", "zero"});
  // Relative to the other contact nothing could move this one: refused with its place.
  expect_refused("analyze three.json --set 'contacts[1].gradient=[0,-1e-9,1e-9]'",
                 {"contacts[1].gradient", "no impulse could move this contact"});
}

}  // namespace
}  // namespace percute::cli

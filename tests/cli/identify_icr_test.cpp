// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "cli_testing.hpp"

#include <percute/io/document.hpp>

#include <regex>

namespace percute::cli {
namespace {

using ::testing::HasSubstr;
using testing::kThreeBalls;
using ::testing::Not;
using testing::Outcome;

const std::string kMeasured = PERCUTE_SOURCE_DIR "/examples/icr/steel_balls.toml";

class IdentifyIcr : public testing::CliTest {
 protected:
  void SetUp() override {
    CliTest::SetUp();
    write("three.json", kThreeBalls);
  }
};

TEST_F(IdentifyIcr, RatiosOfElasticHertzContactsAreKnown) {
  const Outcome outcome = run("identify-icr three.json --set law.tolerance=1e-12");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  // p1/p2 = 1.0768220 and v = (-0.070953, 0.076403, 0.994549): docs/theory/impulse_ratios.md.
  for (const char* word : {"three balls · 2 closed contacts · lzb", "1.076822", "0.928659",
                           "restitution e 1.000000, KER 1.000000", "--law icr --set"}) {
    EXPECT_THAT(outcome.out, HasSubstr(word));
  }
  EXPECT_THAT(outcome.out, Not(HasSubstr("misfit")));
}

TEST_F(IdentifyIcr, TheLawItPrintsRepeatsTheOutcome) {
  const auto velocity = [&](const std::string& options) {
    const io::Document document = io::parse_json(run("solve three.json --json" + options).out, "");
    return io::Value(document, *document.root.find("velocity"), "velocity").numbers();
  };
  // In the second case contact 2–3 separates before the impact.
  for (const std::string start : {"", " --set 'velocity=[1,0,0.02]'"}) {
    const std::string text = run("identify-icr three.json" + start).out;
    std::smatch found;
    ASSERT_TRUE(std::regex_search(text, found, std::regex("law +(--law icr .*)\n"))) << text;
    const std::string options = start + " " + found[1].str();
    EXPECT_LT((velocity(start) - velocity(options)).cwiseAbs().maxCoeff(), 1e-8) << options;
  }
}

TEST_F(IdentifyIcr, TakesMeasuredVelocitiesAndImpulses) {
  const Outcome outcome = run("identify-icr '" + kMeasured + "' --json");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const io::Document document = io::parse_json(outcome.out, "stdout");
  const auto value = [&](const char* key) {
    return io::Value(document, *document.root.find(key), key);
  };
  EXPECT_EQ(value("format").string(), "percute-icr-result/1");
  EXPECT_EQ(value("from").string(), "measured velocity");
  EXPECT_EQ(document.root.find("status"), nullptr);
  const io::Value contacts = value("contacts");
  ASSERT_EQ(contacts.size(), 2U);
  const auto number = [&](std::size_t i, const char* key) {
    return io::Value(document, *contacts[i].node().find(key), key).number();
  };
  // p1 = m (1 + 0.0747) and p2 = 0.9628 m but for a momentum that is off by 1e-4.
  EXPECT_NEAR(number(0, "next_over_this"), 0.9628 / 1.0747, 1e-4);
  EXPECT_NEAR(number(1, "impulse"), 0.045 * 0.9628, 1e-5);
  EXPECT_TRUE(contacts[1].node().find("next_over_this")->is_null());
  EXPECT_LT(value("unexplained").number(), 1e-4);
  EXPECT_NEAR(value("energy_ratio").number(), 0.9451, 1e-3);
  EXPECT_EQ(*value("law").node().find("kind")->as<std::string>(), "icr");

  const std::string impulse =
      "'" + kMeasured + "' --unset measured.velocity --set 'measured.impulse=";
  EXPECT_THAT(run("identify-icr " + impulse + "[0.04, 0.02]'").out, HasSubstr("measured impulse"));
  EXPECT_THAT(run("identify-icr " + impulse + "[0.04, 0.02]'").out, HasSubstr("0.500000"));
  // Twice the elastic impulses are an outcome, but of no law that loses energy.
  EXPECT_THAT(run("identify-icr " + impulse + "[0.2, 0.1]'").out,
              HasSubstr("none repeats it: restitution"));
}

TEST_F(IdentifyIcr, SaysWhatIsWrong) {
  expect_refused("identify-icr '" + kMeasured + "' --set 'measured.velocity=[0, 0]'",
                 {"measured.velocity", "has 2 numbers"});
  expect_refused("identify-icr '" + kMeasured + "' --unset measured.velocity",
                 {"measured", "either 'velocity'"});
  expect_refused("identify-icr three.json --set 'velocity=[0, 0, 0]'", {"all impulses are zero"});
  const Outcome cut = run("identify-icr three.json --set law.max_steps=5");
  EXPECT_EQ(cut.code, 1) << cut.err;
  EXPECT_THAT(cut.out, HasSubstr("status    not_terminated"));
}

}  // namespace
}  // namespace percute::cli

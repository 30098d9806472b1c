// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "cli_testing.hpp"
#include "schema_checker.hpp"

namespace percute::cli {
namespace {

using percute::testing::objection;
using ::testing::HasSubstr;
using testing::Outcome;

const std::string kExamples = PERCUTE_SOURCE_DIR "/examples/";

class Schema : public testing::CliTest {
 protected:
  io::Document schema(const std::string& name) const {
    const Outcome outcome = run("schema " + name);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return io::parse_json(outcome.out, name);
  }

  /// What the schema says against a file.
  static std::string against(const io::Document& schema, const std::string& text) {
    return objection(schema.root, io::parse_json(text, "file").root, "");
  }

  static std::vector<std::filesystem::path> files(const std::string& folder) {
    std::vector<std::filesystem::path> list;
    for (const auto& entry : std::filesystem::directory_iterator(kExamples + folder)) {
      list.push_back(entry.path());
    }
    std::sort(list.begin(), list.end());
    return list;
  }
};

TEST_F(Schema, AreListedAndPrinted) {
  const Outcome outcome = run("schema");
  EXPECT_EQ(outcome.code, 0);
  for (const char* name : {"problem", "result", "run"}) {
    EXPECT_THAT(outcome.out, HasSubstr("percute-" + std::string(name) + "/1"));
    EXPECT_THAT(run("schema " + std::string(name)).out,
                HasSubstr("\"$id\": \"urn:percute:percute-" + std::string(name) + "/1\""));
  }
  EXPECT_EQ(run("schema run -o run.json").out, "");
  EXPECT_EQ(read("run.json"), run("schema run").out);
  expect_refused("schema results", {"results"});
  expect_refused("schema run -o no/such/folder", {"no/such/folder"});
}

TEST_F(Schema, ResultsOfAllExamplesAreAsTheSchemaSays) {
  const io::Document result = schema("result");
  int count = 0;
  for (const std::filesystem::path& file : files("scenes")) {
    for (const std::string law : {"", " --law newton", " --law coulomb", " --law binary",
                                  " --law simultaneous_set", " --law compliant"}) {
      if (law.ends_with("compliant") && file.stem() != "three_balls") continue;
      const Outcome outcome = run("solve '" + file.string() + "' --json" + law);
      if (outcome.code == 2) continue;  // a law that needs more
      EXPECT_EQ(against(result, outcome.out), "") << file << law;
      ++count;
    }
  }
  EXPECT_GT(count, 100);
}

TEST_F(Schema, RunsOfAllExamplesAreAsTheSchemaSays) {
  const io::Document schema_of_runs = schema("run");
  int count = 0;
  for (const std::filesystem::path& file : files("motion")) {
    for (const std::string method : {"", "event_driven"}) {
      const std::string options =
          method.empty() ? "" : " --set simulation.method=event_driven --set simulation.step=1e-5";
      const Outcome outcome =
          run("simulate '" + file.string() + "' --json --set simulation.duration=0.002" + options);
      if (outcome.code == 2) continue;  // keys of another method
      EXPECT_EQ(against(schema_of_runs, outcome.out), "") << file << options;
      ++count;
    }
  }
  EXPECT_GT(count, 13);  // one for each file, and some by the other method
}

TEST_F(Schema, ProblemsAreAsTheSchemaSays) {
  const io::Document problem = schema("problem");
  EXPECT_EQ(
      objection(problem.root, io::read_document(kExamples + "scenes/rocking_block.json").root, ""),
      "");
  EXPECT_EQ(against(problem, testing::kThreeBalls), "");
  for (
      const char* good :
      {R"("mass": {"sparse": {"size": 2, "rows": [0, 1], "columns": [0, 1], "values": [1, 2]}})",
       R"("mass": {"dense": [[1, 0], [0, 2]]}, "name": "two")",
       R"("mass": {"diagonal": [1, 2]}, "law": {"tolerance": 1e-10})",
       R"("mass": {"diagonal": [1, 2]}, "law": {"kind": "moreau", "restitution": 0.5})",
       R"("mass": {"diagonal": [1, 2]}, "bodies": [{"coordinates": [0]}, {"coordinates": [1]}])"}) {
    const std::string text =
        std::string(R"({"format": "percute-problem/1", "velocity": [1, 0], "contacts": [)"
                    R"({"gradient": {"index": [0, 1], "value": [-1, 1]}, "tangents": [[1, 1]], )"
                    R"("friction": "inf", "restitution": 0.3}], )") +
        good + "}";
    EXPECT_EQ(against(problem, text), "") << text;
    write("good.json", text);
    EXPECT_NE(run("solve good.json").code, 2) << text;
  }
}

TEST_F(Schema, WhatPercuteRefusesTheSchemaRefuses) {
  const io::Document problem = schema("problem");
  write("three.json", testing::kThreeBalls);
  const auto changed = [](const std::string& from, const std::string& to) {
    std::string text = testing::kThreeBalls;
    return text.replace(text.find(from), from.size(), to);
  };
  struct Case {
    std::string from;
    std::string to;
    std::string objection;
  };
  for (const Case& c :
       {Case{"percute-problem/1", "percute-problem/2", ".format: const"},
        Case{"\"velocity\"", "\"velocitys\"", "required velocity"},
        Case{"\"name\"", "\"title\"", "additionalProperties title"},
        Case{"[1, 0, 0]", "[1, 0, \"0\"]", ".velocity[2]: type"},
        Case{"\"gradient\"", "\"normal\"", "required gradient"},
        Case{"[-1, 1, 0]", "{\"index\": [0]}", "required value"},
        Case{"[-1, 1, 0]}", "[-1, 1, 0], \"restitution\": -0.5}", ".restitution: minimum"},
        Case{"[-1, 1, 0]}", "[-1, 1, 0], \"stiffness\": 0}", ".stiffness: exclusiveMinimum"},
        Case{"[-1, 1, 0]}", "[-1, 1, 0], \"contact_model\": \"bi\"}", ".contact_model: enum"},
        Case{"[-1, 1, 0]}", "[-1, 1, 0], \"friction\": \"infinite\"}", ".friction: const"},
        Case{"{\"diagonal\": [1, 1, 1]}", "{}", ".mass: minProperties"},
        Case{"\"lzb\"", "\"lzbb\"", ".law: anyOf"},
        Case{"\"tolerance\": 1e-10", "\"tolerances\": 1", "additionalProperties tolerances"},
        Case{"1e-10", "0", ".law.tolerance: "}}) {
    const std::string text = changed(c.from, c.to);
    EXPECT_THAT(against(problem, text), HasSubstr(c.objection)) << text;
    write("bad.json", text);
    EXPECT_EQ(run("solve bad.json").code, 2) << text;
  }
  const io::Document result = schema("result");
  const std::string solved = run("solve three.json --json").out;
  EXPECT_EQ(against(result, solved), "");
  for (const auto& [from, to] : {std::pair{"\"status\": \"ok\"", "\"status\": \"fine\""},
                                 std::pair{"\"gap_rate\"", "\"gap_speed\""},
                                 std::pair{"\"kinetic\": true", "\"kinetic\": 1"},
                                 std::pair{"\"steps\": ", "\"steps\": 0.5"}}) {
    std::string text = solved;
    ASSERT_NE(text.find(from), std::string::npos);
    text.replace(text.find(from), std::string(from).size(), to);
    EXPECT_NE(against(result, text), "") << to;
  }
}

}  // namespace
}  // namespace percute::cli

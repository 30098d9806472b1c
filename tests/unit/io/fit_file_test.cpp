// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io_testing.hpp"

#include <percute/io/fit_file.hpp>

namespace percute::io {
namespace {

using testing::expect_error;
using ::testing::HasSubstr;
using testing::with;

const std::string kFit = R"(format = "percute-fit/1"
problem = "balls.json"

[[parameter]]
name = "e"
key = "contacts[1].restitution"
start = 0.5

[[experiment]]
name = "first"
gravity = 9.81
[[experiment.measure]]
quantity = "velocity"
body = "body 3"
values = [0.9, 0.95]
sigma = 0.02
[[experiment.measure]]
quantity = "rebound_height"
coordinate = 2
value = 0.04
sigma = [0.01]

[[experiment]]
set = {"velocity" = [2, 0, 0]}
[[experiment.measure]]
quantity = "impulse"
contact = "1-2"
value = 2.0
sigma = 0.1
)";

class FitFileTest : public ::testing::Test {
 protected:
  FitFileTest() { folder_.write("balls.json", testing::kThreeBalls); }

  FitFile read(const std::string& text) const {
    return read_fit(read_document(folder_.write("f.toml", text)));
  }
  /// Replaces a part of the good file, and expects a message with all fragments.
  void refuse(const std::string& part, const std::string& other,
              std::initializer_list<std::string> fragments) const {
    expect_error([&] { read(with(kFit, part, other)); }, fragments);
  }
  /// The same for what shows only when the parameters are put in.
  void refuse_start(const std::string& part, const std::string& other,
                    std::initializer_list<std::string> fragments) const {
    expect_error(
        [&] {
          const FitFile file = read(with(kFit, part, other));
          predict(file, Vector::Constant(1, file.parameters[0].start));
        },
        fragments);
  }

  testing::TemporaryFolder folder_;
};

TEST_F(FitFileTest, ReadsAll) {
  const FitFile file = read(kFit);
  EXPECT_EQ(file.name, "f");
  ASSERT_EQ(file.experiments.size(), 2U);
  EXPECT_EQ(file.experiments[1].name, "experiment 2");
  ASSERT_EQ(file.measurements.size(), 4U);
  EXPECT_EQ(file.measurements[1].value, 0.95);
  EXPECT_EQ(file.measurements[1].index, 2);
  EXPECT_EQ(file.measurements[2].gravity, -9.81);
  EXPECT_EQ(file.measurements[3].experiment, 1U);
  EXPECT_EQ(file.options.noise, fit::Noise::Known);
  // What a restitution can be.
  EXPECT_EQ(file.parameters[0].lower, 0.0);
  EXPECT_EQ(file.parameters[0].upper, 1.0);
}

TEST_F(FitFileTest, PredictsByTheLaw) {
  const FitFile file = read(kFit);
  const fit::Prediction prediction = predict(file, Vector::Ones(1));
  EXPECT_EQ(prediction.failure, "");
  // Elastic Hertz contacts, to ten tolerances of 1e-10; twice the speed gives twice the impulse.
  EXPECT_NEAR(prediction.values[0], 0.9945493146, 1e-9);
  EXPECT_NEAR(prediction.values[2], 0.9945493146 * 0.9945493146 / (2.0 * 9.81), 1e-9);
  EXPECT_NEAR(prediction.values[3], 2.0 * 1.07095235365, 1e-9);
  EXPECT_EQ(prediction.accuracy, 1e-8);
  // Balls that move down do not rise.
  const FitFile down = read(with(kFit, "coordinate = 2", "coordinate = 2\nup = \"negative\""));
  EXPECT_EQ(predict(down, Vector::Ones(1)).values[2], 0.0);
}

TEST_F(FitFileTest, SharedKeysAndChosenExperiments) {
  const FitFile shared = read(with(kFit, "key = \"contacts[1].restitution\"",
                                   "keys = [\"contacts[0].restitution\", "
                                   "\"contacts[1].restitution\"]\nexperiments = [\"first\"]"));
  const Vector values = predict(shared, Vector::Zero(1)).values;
  // Plastic in the first experiment only: the second keeps its elastic impulse.
  EXPECT_LT(values[0], 0.9);
  EXPECT_NEAR(values[3], 2.0 * 1.07095235365, 1e-9);
}

TEST_F(FitFileTest, NaturalRangesAndNoise) {
  const FitFile stiffness = read(with(kFit, "contacts[1].restitution", "contacts[1].stiffness"));
  EXPECT_EQ(stiffness.parameters[0].scale, fit::Scale::Logarithmic);
  EXPECT_EQ(stiffness.parameters[0].lower, 0.0);
  std::string text =
      with(with(with(kFit, "sigma = 0.02\n", ""), "sigma = [0.01]\n", ""), "sigma = 0.1\n", "");
  // Heights, velocities and impulses in one sum need weights; quantities of one unit do not.
  expect_error([&] { read(text); },
               {"f.toml:12: experiment[0].measure[0]", "'sigma' is missing", "velocity is in m/s",
                "rebound_height", "experiment[0].measure[1]", "in m;"});
  text = with(with(text, "\"rebound_height\"", "\"velocity\""), "\"impulse\"", "\"gap_rate\"");
  EXPECT_EQ(read(text).options.noise, fit::Noise::Estimated);
  EXPECT_EQ(read(kFit + "[fit]\nnoise = \"estimated\"\nlevel = 0.9\n").options.level, 0.9);
}

TEST_F(FitFileTest, AnotherLawComesWithoutTheOptionsOfTheOld) {
  // The kind counts first, wherever it stands.
  const FitFile file = read(with(kFit, "{\"velocity\" = [2, 0, 0]}",
                                 "{\"law.restitution\" = 1, \"law.kind\" = \"moreau\"}"));
  const fit::Prediction prediction = predict(file, Vector::Ones(1));
  EXPECT_EQ(prediction.failure, "");
  // The elastic law of Moreau on the first contact: 2 (1 1) of G⁻¹ U, exact but for rounding.
  EXPECT_NEAR(prediction.values[3], 4.0 / 3.0, 1e-12);
  // Of the same kind they stay: the accuracy is that of the tolerance.
  folder_.write("balls.json", with(testing::kThreeBalls, "1e-10", "1e-6"));
  const FitFile same = read(with(kFit, "{\"velocity\" = [2, 0, 0]}", "{\"law.kind\" = \"lzb\"}"));
  EXPECT_DOUBLE_EQ(predict(same, Vector::Ones(1)).accuracy, 1e-4);
  refuse("{\"velocity\" = [2, 0, 0]}", "{\"law.kind\" = \"moro\"}",
         {"f.toml:24: experiment[1].set", "unknown law", "available: lzb"});
}

TEST_F(FitFileTest, WhatIsEstimatedIsNotSet) {
  refuse("set = {\"velocity\" = [2, 0, 0]}", "set = {\"contacts[1].restitution\" = 0.3}",
         {"f.toml:24: experiment[1].set: 'contacts[1].restitution' is estimated by parameter 'e'",
          "'experiments'"});
  // Set is a part of what is estimated.
  expect_error(
      [&] {
        read(with(with(kFit, "\"velocity\" = [2, 0, 0]", "\"velocity[0]\" = 2"),
                  "contacts[1].restitution", "velocity"));
      },
      {"experiment[1].set: 'velocity[0]' is estimated by parameter 'e'"});
  // Fine where the parameter does not concern the experiment, and for the list an entry is in.
  EXPECT_NO_THROW(read(with(
      with(kFit, "set = {\"velocity\" = [2, 0, 0]}", "set = {\"contacts[1].restitution\" = 0.3}"),
      "start = 0.5", "start = 0.5\nexperiments = [\"first\"]")));
  EXPECT_NO_THROW(read(with(kFit, "contacts[1].restitution", "velocity[0]")));
}

TEST_F(FitFileTest, ALawWithoutAnswerIsAFailure) {
  const FitFile file = read(with(kFit, "{\"velocity\" = [2, 0, 0]}", "{\"law.max_steps\" = 3}"));
  EXPECT_THAT(predict(file, Vector::Ones(1)).failure, HasSubstr("experiment 2: lzb ended with"));
}

TEST_F(FitFileTest, BadFilesAreRefused) {
  refuse("percute-fit/1", "percute-fit/2", {"f.toml:1: format", "percute-fit/1"});
  refuse("[[parameter]]", "[[parameters]]", {"parameters", "did you mean 'parameter'"});
  refuse("balls.json", "bowls.json", {"f.toml:2: problem: ", "bowls.json: cannot open"});
  refuse("start = 0.5", "start = 0.5\nunit = 0",
         {"f.toml:8: parameter[0].unit", "> 0", "0 is not a finite number > 0"});
  refuse("key = ", "kee = ", {"parameter[0].kee", "did you mean 'key'"});
  refuse("start = 0.5", "start = \"half\"", {"f.toml:7: parameter[0].start", "number"});
  refuse("start = 0.5\n", "", {"parameter[0]", "'start' is missing"});
  refuse("start = 0.5", "start = 0.5\nscale = \"logarithm\"",
         {"parameter[0].scale", "linear, log"});
  refuse("start = 0.5", "start = 0.5\nexperiments = [\"frist\"]",
         {"parameter[0].experiments[0]", "did you mean 'first'", "experiment 2"});
  refuse("[[experiment]]\nname",
         "[[parameter]]\nkey = \"contacts[1].restitution\"\nstart = 0.1\n"
         "[[experiment]]\nname",
         {"parameter[1]", "set twice", "'e'"});
  refuse("[[experiment]]\nname",
         "[[parameter]]\nname = \"e\"\nkey = \"contacts[0].restitution\"\nstart = 0.1\n"
         "[[experiment]]\nname",
         {"f.toml:10: parameter[1].name", "'e' is the name of parameter[0]"});
  refuse("\"velocity\"\nbody", "\"velocty\"\nbody",
         {"experiment[0].measure[0].quantity", "did you mean 'velocity'"});
  refuse("body 3", "body 4", {"experiment[0].measure[0].body", "there is no body", "body 1"});
  refuse("body = \"body 3\"\n", "", {"experiment[0].measure[0]", "'body'", "'coordinate'"});
  refuse("coordinate = 2", "coordinate = 3", {"measure[1].coordinate", "0 to 2"});
  refuse("gravity = 9.81\n", "", {"experiment[0].measure[1]", "needs 'gravity'"});
  refuse("gravity = 9.81\n", "gravity = -9.81\n", {"gravity", "must be > 0"});
  refuse("value = 0.04", "value = -0.04",
         {"f.toml:20: experiment[0].measure[1].value", "rebound_height must be >= 0, got -0.04"});
  refuse("value = 0.04\nsigma = [0.01]", "values = [0.04, -0.1]\nsigma = 0.01",
         {"experiment[0].measure[1].values[1]", "got -0.1"});
  refuse("contact = \"1-2\"", "contact = \"1-3\"", {"experiment[1].measure[0].contact", "1–2"});
  refuse("contact = \"1-2\"", "contact = 2", {"measure[0].contact", "0 to 1"});
  refuse("contact = \"1-2\"", "contact = 0\nbody = \"body 1\"", {"body", "does not go with"});
  refuse("sigma = 0.1", "sigma = 0", {"experiment[1].measure[0].sigma", "> 0"});
  refuse("sigma = 0.02", "sigma = [0.1, 0.1, 0.1]", {"measure[0].sigma", "one number or 2"});
  refuse("sigma = 0.1\n", "", {"f.toml:25: experiment[1].measure[0]", "'sigma' is missing"});
  refuse("value = 2.0\n", "", {"experiment[1].measure[0]", "'value'", "'values'"});
  refuse("\"impulse\"", "\"force\"", {"experiment[1].measure[0]", "'times' is missing"});
  refuse("\"impulse\"", "\"force\"\ntimes = [0.1, 0.2]", {"measure[0].times", "1 entry"});
  refuse("\"impulse\"", "\"force\"\ntimes = [-0.1]", {"times[0]", "offset"});
  refuse("set = {\"velocity\" = [2, 0, 0]}", "set = {\"velocty\" = [2, 0, 0]}",
         {"experiment[1].set", "velocty", "did you mean 'velocity'"});
  refuse("set = {\"velocity\" = [2, 0, 0]}", "set = [\"velocity=2\"]",
         {"experiment[1].set", "must be a table"});
  refuse("problem = \"balls.json\"\n", "", {"'problem' is missing"});
  expect_error([&] { read(kFit + "[fit]\nlevel = 95\n"); }, {"fit.level", "(0, 1)"});
  expect_error([&] { read(kFit + "[fit]\nstart = 3\n"); }, {"fit.start", "did you mean 'starts'"});
}

TEST_F(FitFileTest, KeysThatCannotBeSetAreRefusedAtTheStart) {
  refuse_start("contacts[1].restitution", "contacts[1].restitutoin",
               {"f.toml:6: parameter[0].key: parameter 'e' = 0.5", "did you mean 'restitution'"});
  refuse_start("contacts[1].restitution", "contacts[7].restitution", {"parameter 'e'", "[7]"});
  refuse_start("contacts[1].restitution", "contacts[1.restitution", {"is not a path"});
  refuse_start("contacts[1].restitution\"\nstart = 0.5",
               "contacts[1].restitution\"\nupper = 2\nstart = 1.5",
               {"parameter 'e' = 1.5", "[0, 1]"});
}

TEST_F(FitFileTest, AlgebraicLawsKnowNoForces) {
  const std::string text = with(kFit, "set = {\"velocity\" = [2, 0, 0]}",
                                "set = {\"law\" = {kind = \"moreau\", restitution = 0.5}}");
  const FitFile file = read(with(text, "\"impulse\"", "\"maximal_force\""));
  expect_error([&] { predict(file, Vector::Ones(1)); },
               {"f.toml: experiment[1].measure[0].quantity", "lzb, compliant", "moreau"});
}

/// Drops from two heights in one table: settings by a column, repeats by rows.
const std::string kTable = R"(format = "percute-fit/1"
problem = "balls.json"

[[parameter]]
key = "contacts[1].restitution"
start = 0.5
experiments = ["drops"]

[[experiment]]
name = "drops"
data = "drops.csv"
settings = {"K [N/m]" = "contacts[0].stiffness"}
measure = [
  {quantity = "velocity", coordinate = 2, column = "v3", sigma_column = "s"},
  {quantity = "velocity", coordinate = 0, column = "v 1", sigma = 0.1},
]
)";

TEST_F(FitFileTest, MeasurementsComeFromATable) {
  // A byte order mark, a comment, quotes, semicolons, ends of lines as Windows writes them.
  folder_.write("drops.csv",
                "\xEF\xBB\xBF# one drop per row\r\nK [N/m];v3;s;\"v 1\";note\r\n"
                "1;0.9;0.02;-0.1;\r\n\r\n2;+0.8;0.03;;\"a; b\"\r\n1.0;0.91;2e-2;-0.11;x");
  const FitFile file = read(kTable);
  ASSERT_EQ(file.experiments.size(), 2U);
  EXPECT_EQ(file.experiments[0].name, "drops, K [N/m] 1");
  EXPECT_EQ(file.experiments[1].name, "drops, K [N/m] 2");
  EXPECT_EQ(file.concerned[0], std::vector<bool>({true, true}));
  ASSERT_EQ(file.measurements.size(), 5U);
  const auto problem = least_squares_problem(file);
  EXPECT_EQ(problem.measured, (Vector{{0.9, 0.91, -0.1, -0.11, 0.8}}));
  EXPECT_EQ(problem.sigma, (Vector{{0.02, 0.02, 0.1, 0.1, 0.03}}));
  EXPECT_EQ(problem.repeats, std::vector<int>({0, 0, 1, 1, 2}));
  // The setting is in force: a stiffer first contact changes the outcome.
  const Vector values = predict(file, Vector::Ones(1)).values;
  EXPECT_EQ(values[0], values[1]);
  EXPECT_GT(std::abs(values[4] - values[0]), 1e-3);
}

TEST_F(FitFileTest, SettingsWithoutAMeasurementAreNoExperiment) {
  folder_.write("drops.csv", "K [N/m],v3,s,v 1\n1,0.9,0.1,\n2,,,\n3,,,-0.1\n2,,,\n");
  const FitFile file = read(kTable);
  ASSERT_EQ(file.experiments.size(), 2U);
  EXPECT_EQ(file.experiments[1].name, "drops, K [N/m] 3");
  EXPECT_EQ(file.measurements[1].experiment, 1U);
  EXPECT_EQ(predict(file, Vector::Ones(1)).values.size(), 2);
  folder_.write("drops.csv", "K [N/m],v3,s,v 1\n1,,,\n");
  expect_error([&] { read(kTable); },
               {"f.toml:13: experiment[0].measure: no row of ", "drops.csv has a measurement"});
}

TEST_F(FitFileTest, WhatWasStoppedBeforeTheFirstStartHasNoNumbers) {
  const FitFile file = read(kFit);
  fit::Fit fit;
  fit.status = fit::FitStatus::Interrupted;
  ASSERT_EQ(warnings(file, fit).size(), 1U);
  EXPECT_EQ(warnings(file, fit)[0],
            "stopped by a signal before the first start: there is no point yet");
  const std::string json = to_json(to_node(file, fit), JsonLayout::Line);
  for (const char* part : {R"("value":null)", R"("rank":null)", R"("sum_of_squares":null)",
                           R"("degrees_of_freedom":null)", R"("noise_factor":null)"}) {
    EXPECT_THAT(json, HasSubstr(part));
  }
}

TEST_F(FitFileTest, TablesAreRefusedWithLineAndColumn) {
  const auto expect_refused = [&](const std::string& csv,
                                  std::initializer_list<std::string> fragments) {
    folder_.write("drops.csv", csv);
    expect_error([&] { read(kTable); }, fragments);
  };
  expect_refused("K [N/m],v3,s,v 1\n1,0.9,0.1,0\n1,abc,0.1,0\n",
                 {"drops.csv:3: column 'v3': 'abc' is not a number"});
  expect_refused("K [N/m];v3;s;v 1\n1;0,9;0.1;0\n", {"drops.csv:2: column 'v3'", "with a point"});
  expect_refused("K [N/m],v3,s,v 1\n1,+-0.9,0.1,0\n",
                 {"drops.csv:2: column 'v3': '+-0.9' is not a number"});
  expect_refused("K [N/m],v3,s,v 1\n1,0.9,,0\n", {"drops.csv:2: column 's'", "is empty"});
  expect_refused("K [N/m],v3,s,v 1\n1,0.9,-1,0\n", {"drops.csv:2: column 's'", "> 0", "-1"});
  expect_refused("K [N/m],v3,s,v 1\n,0.9,1,0\n", {"drops.csv:2: column 'K [N/m]'", "sets"});
  expect_refused("K [N/m],v3,s,v 1\n-1,0.9,1,0\n",
                 {"drops.csv:2: column 'K [N/m]'", "contacts[0].stiffness", "-1"});
  expect_refused("K [N/m],v3,s,v 1\n1,0.9,1\n", {"drops.csv:2", "3 cells", "4 columns"});
  expect_refused("K [N/m],v33,s,v 1\n1,0.9,1,0\n",
                 {"f.toml:14", "no column 'v3'", "did you mean 'v33'", "K [N/m], v33, s, v 1"});
  expect_refused("K [N/m],v3,v3\n1,2,3\n", {"drops.csv:1", "two columns", "'v3'"});
  expect_refused("K [N/m],v3,s,v 1\n", {"drops.csv", "at least one row"});
  expect_refused("K [N/m],v3,\"s,v 1\n1\n", {"drops.csv:1", "not closed"});
  expect_refused("K [N/m],v3,s,v\xff\n", {"drops.csv:1", "UTF-8"});
  folder_.write("drops.csv", "K [N/m],v3,s,v 1\n1,0.9,1,0\n");
  const auto refuse_table = [&](const std::string& part, const std::string& other,
                                std::initializer_list<std::string> fragments) {
    expect_error([&] { read(with(kTable, part, other)); }, fragments);
  };
  refuse_table("drops.csv", "other.csv", {"f.toml:11: experiment[0].data", "cannot open", "other"});
  refuse_table("data = \"drops.csv\"", "", {"settings", "needs 'data'"});
  refuse_table("contacts[0].stiffness", "contacts[1].restitution", {"is estimated by parameter"});
  // Set twice: by 'set', by two columns; an entry of a list that is set may differ.
  refuse_table("data =", "set = {\"contacts[0].stiffness\" = 7}\ndata =",
               {"f.toml:13: experiment[0].settings.K [N/m]", "'contacts[0].stiffness' is set twice",
                "'set'", "column 'K [N/m]'", "drops.csv"});
  refuse_table("\"contacts[0].stiffness\"}",
               "\"contacts[0].stiffness\", \"s\" = \"contacts[0].stiffness\"}",
               {"f.toml:12: experiment[0].settings.s", "drops.csv",
                "'contacts[0].stiffness' is set twice", "column 'K [N/m]'", "column 's'"});
  EXPECT_NO_THROW(read(with(with(kTable, "data =", "set = {\"velocity\" = [2, 0, 0]}\ndata ="),
                            "contacts[0].stiffness", "velocity[0]")));
  refuse_table("sigma = 0.1", "sigma = 0.1, value = 2", {"value", "does not go with 'column'"});
  refuse_table("sigma_column = \"s\"", "sigma_column = \"s\", sigma = 1",
               {"does not go with 'sigma'"});
  refuse("value = 2.0", "column = \"v\"", {"experiment[1].measure[0].column", "needs 'data'"});
}

}  // namespace
}  // namespace percute::io

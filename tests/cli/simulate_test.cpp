// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "simulate_testing.hpp"

#include <algorithm>

namespace percute::cli {
namespace {

using testing::dataset;
using testing::fixed_texts;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

TEST_F(Simulate, ReportSaysWhatHappened) {
  const auto outcome = run("simulate ball.toml");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out,
              StartsWith("ball · 1 body · 1 contact · event_driven_adaptive (tol 1e-10) · newton"));
  EXPECT_THAT(outcome.out, HasSubstr("time      0 s to 2 s"));
  EXPECT_THAT(outcome.out, HasSubstr("first at 0.4515236"));  // √(2h/g)
  EXPECT_THAT(outcome.out, HasSubstr("9.81 J → 0 J, lost in contacts 9.81 J"));
  EXPECT_EQ(outcome.err, "");
}

TEST_F(Simulate, SummaryIsRunJson) {
  const auto outcome = run("simulate ball.toml --json");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const io::Document summary = io::parse_json(outcome.out, "summary");
  for (const char* key : {"format",
                          "status",
                          "system",
                          "impact",
                          "simulation",
                          "time",
                          "steps",
                          "iterations",
                          "wall_time",
                          "impacts",
                          "active_steps",
                          "contact_phases",
                          "contact_clusters",
                          "first_impact",
                          "first_cluster",
                          "last_contact",
                          "apparent_restitution",
                          "energy",
                          "stability",
                          "warnings"}) {
    EXPECT_NE(summary.root.find(key), nullptr) << key;
  }
  EXPECT_EQ(*summary.root.find("format")->as<std::string>(), "percute-run/1");
  EXPECT_EQ(number(summary.root, {"time", "end"}), 2.0);
  // The first impact of a fall from rest, to the accuracy of locating it.
  EXPECT_NEAR(number(summary.root, {"first_impact", "time"}), std::sqrt(2.0 / 9.81), 1e-12);
  EXPECT_NEAR(number(summary.root, {"first_impact", "velocity"}), -std::sqrt(2.0 * 9.81), 1e-11);
  EXPECT_EQ(number(summary.root, {"impact", "restitution"}), 0.5);
}

TEST_F(Simulate, LastContactIsTheLastOneOfTheRun) {
  // Impacts at t, t (1 + 2e), t (1 + 2e + 2e²), with t = √(2h/g); the next one is after 2 s.
  const auto outcome = run("simulate ball.toml --json --set material.restitution=0.8");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const io::Document summary = io::parse_json(outcome.out, "summary");
  EXPECT_NEAR(number(summary.root, {"last_contact", "time"}), 3.88 * std::sqrt(2.0 / 9.81), 1e-11);
  EXPECT_TRUE(summary.root.find("contact_clusters")->is_null());
  EXPECT_TRUE(summary.root.find("apparent_restitution")->find("window")->is_null());
}

TEST_F(Simulate, TheFirstBounceIsMeasuredWhereAsked) {
  const auto outcome =
      run("simulate ball.toml --json --set material.restitution=0.8"
          " --set simulation.restitution_window=1e-3");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const io::Document summary = io::parse_json(outcome.out, "summary");
  const double arrival = std::sqrt(2.0 * 9.81);
  EXPECT_EQ(number(summary.root, {"contact_clusters"}), 1.0);
  EXPECT_NEAR(number(summary.root, {"last_contact", "time"}), std::sqrt(2.0 / 9.81), 1e-11);
  EXPECT_NEAR(number(summary.root, {"apparent_restitution", "value"}),
              0.8 - 0.5 * 9.81 * 1e-3 / arrival, 1e-9);
  const auto cradle =
      run("simulate '" PERCUTE_SOURCE_DIR
          "/examples/motion/cradle_with_gravity.toml' --set simulation.cluster_gap=1e-4");
  EXPECT_EQ(cradle.code, 2);
  EXPECT_THAT(cradle.err, HasSubstr("is measured where there is one contact; here are 4"));
}

TEST_F(Simulate, KeysAreNullBeforeAFirstImpact) {
  const auto outcome = run("simulate ball.toml --json --set simulation.duration=0.1");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const io::Document summary = io::parse_json(outcome.out, "summary");
  const io::Node* energy = summary.root.find("energy");
  for (const char* key : {"mean", "min", "max", "d_rel", "s_rel"}) {
    EXPECT_TRUE(energy->find(key)->is_null()) << key;
  }
  EXPECT_EQ(number(*energy, {"expected"}), 9.81);
  EXPECT_TRUE(summary.root.find("first_impact")->find("time")->is_null());
  EXPECT_TRUE(summary.root.find("apparent_restitution")->find("value")->is_null());
  EXPECT_EQ(number(summary.root, {"impacts"}), 0.0);
}

TEST_F(Simulate, EveryMethodRuns) {
  for (const char* method :
       {"event_driven_adaptive", "event_driven --set simulation.step=1e-4",
        "paoli_schatzman --set simulation.step=1e-4", "moreau_jean --set simulation.step=1e-4"}) {
    const auto outcome =
        run("simulate ball.toml --json --set simulation.duration=1 --set simulation.method=" +
            std::string(method));
    EXPECT_EQ(outcome.code, 0) << method << outcome.err;
    const io::Document summary = io::parse_json(outcome.out, "summary");
    // Methods of first order know the first impact to a step.
    EXPECT_NEAR(number(summary.root, {"first_impact", "time"}), 0.45152364, 2e-4) << method;
  }
  // No friction, hence none that is left out.
  EXPECT_THAT(run("simulate ball.toml --set simulation.method=moreau_jean "
                  "--set simulation.step=1e-4 --set simulation.duration=1")
                  .out,
              Not(HasSubstr("friction")));
  // A ball that falls on a line has nowhere to slide, whatever the law; Newton's knows no friction.
  EXPECT_THAT(
      run("simulate ball.toml --set material.friction=0.5").out,
      HasSubstr("friction is ignored: the law newton has no friction (contact ball–floor)"));
  EXPECT_THAT(run("simulate ball.toml --set material.friction=0.5 --law coulomb").out,
              HasSubstr("friction is ignored: contact ball–floor has no tangents"));
  const auto compliant =
      run("simulate ball.toml --json --law compliant --set material.stiffness=1e9 "
          "--set material.restitution=1 --set simulation.duration=0.6");
  EXPECT_EQ(compliant.code, 0) << compliant.err;
}

TEST_F(Simulate, Hdf5HasStatesEventsAndWhatTheyMean) {
  ASSERT_EQ(run("simulate ball.toml --quiet -o run.h5").code, 0);
  const hid_t file = open_run("run.h5");
  const auto t = dataset(file, "/state/t");
  EXPECT_EQ(t.units, "s");
  ASSERT_EQ(t.shape, (std::vector<hsize_t>{201}));  // every 0.01 s, both ends
  EXPECT_EQ(t.values.front(), 0.0);
  EXPECT_EQ(t.values.back(), 2.0);
  const auto q = dataset(file, "/state/q");
  EXPECT_EQ(q.shape, (std::vector<hsize_t>{201, 1}));
  EXPECT_EQ(q.units, "m");
  const auto v = dataset(file, "/state/v");
  EXPECT_EQ(v.units, "m/s");
  // Free fall before the first impact, to rounding.
  EXPECT_NEAR(q.values[40], 1.0 - 0.5 * 9.81 * 0.16, 1e-12);
  EXPECT_NEAR(v.values[40], -9.81 * 0.4, 1e-12);

  const auto kinds = fixed_texts(file, "/events/kind");
  ASSERT_FALSE(kinds.empty());
  EXPECT_EQ(kinds.front(), "impact");
  EXPECT_NE(std::find(kinds.begin(), kinds.end(), "accumulation"), kinds.end());
  const auto before = dataset(file, "/events/v-");
  const auto after = dataset(file, "/events/v+");
  const auto impulse = dataset(file, "/events/impulse");
  EXPECT_EQ(impulse.shape, (std::vector<hsize_t>{kinds.size(), 1}));
  EXPECT_NEAR(after.values[0], -0.5 * before.values[0], 1e-12);
  EXPECT_NEAR(impulse.values[0], after.values[0] - before.values[0], 1e-12);  // 1 kg
  EXPECT_EQ(dataset(file, "/events/contacts").values[0], 1.0);
  EXPECT_EQ(fixed_texts(file, "/events/status").front(), "ok");
  const hid_t meta = H5Oopen(file, "/meta", H5P_DEFAULT);
  EXPECT_EQ(testing::text_attribute(meta, "format"), "percute-trajectory/1");
  EXPECT_EQ(testing::text_attribute(meta, "method"), "event_driven_adaptive");
  EXPECT_EQ(testing::text_attribute(meta, "status"), "ok");
  for (const char* path :
       {"/meta/scene", "/meta/summary", "/meta/coordinates", "/meta/units", "/meta/contacts"}) {
    EXPECT_GT(H5Lexists(file, path, H5P_DEFAULT), 0) << path;
  }
  H5Oclose(meta);
  H5Fclose(file);
}

TEST_F(Simulate, CsvHasHeadersWithUnits) {
  ASSERT_EQ(run("simulate ball.toml --quiet -o run.csv").code, 0);
  EXPECT_THAT(read("run.csv"), StartsWith("time [s],position ball [m],velocity ball [m/s]\n0,1,0"));
  EXPECT_THAT(read("run.events.csv"),
              StartsWith("time [s],event,contacts,dissipated [J],status,impulse ball-floor [N s],"
                         "position ball [m],velocity before ball [m/s],velocity after ball [m/s]"));
  EXPECT_THAT(read("run.events.csv"), HasSubstr("impact,ball-floor,"));
}

TEST_F(Simulate, WritingChangesNothing) {
  EXPECT_EQ(without_cost(run("simulate ball.toml --json -o run.h5").out),
            without_cost(run("simulate ball.toml --json").out));
}

TEST_F(Simulate, StepsMustBeFeasible) {
  const std::string stepped = "simulate ball.toml --set simulation.method=";
  for (const char* method : {"event_driven", "paoli_schatzman", "moreau_jean"}) {
    expect_refused(stepped + method + " --set simulation.step=1e-300",
                   {"simulation.step", "1e-300", "more than 1e12 steps"});
  }
  expect_refused(stepped + "event_driven --set simulation.step=1e300",
                 {"simulation.step", "1e+300 s is longer than the run, 2 s"});
}

TEST_F(Simulate, LongStepsTellNoRestitution) {
  const std::string stepped =
      "simulate ball.toml --set simulation.restitution_window=2.5e-3"
      " --set simulation.method=paoli_schatzman --set simulation.step=";
  EXPECT_THAT(run(stepped + "1e-3").out, HasSubstr("apparent restitution"));
  EXPECT_THAT(run(stepped + "3e-3").out, Not(HasSubstr("apparent restitution")));
}

TEST_F(Simulate, AKeyCanBeLeftOut) {
  write("tight.toml", kBall + "tolerance = 1e-12\n");
  const std::string by_steps =
      "simulate tight.toml --json --set simulation.method=moreau_jean --set simulation.step=1e-3";
  expect_refused(by_steps, {"simulation.tolerance", "not for method 'moreau_jean'"});
  EXPECT_EQ(run(by_steps + " --unset simulation.tolerance").code, 0);
  // Left out before it is set, wherever it stands.
  const auto again =
      run("simulate tight.toml --set simulation.tolerance=1e-9 "
          "--unset simulation.tolerance");
  EXPECT_THAT(again.out, HasSubstr("tol 1e-9"));
  expect_refused("simulate tight.toml --unset simulation.tolernce",
                 {"--unset simulation.tolernce", "did you mean 'tolerance'?"});
  for (const char* command : {"solve", "compare", "analyze", "waves"}) {
    EXPECT_THAT(run(std::string(command) + " --help").out, HasSubstr("--unset KEY")) << command;
  }
}

TEST_F(Simulate, AStepThatIsTooLongIsTold) {
  const std::string stepped = "simulate ball.toml --set simulation.method=moreau_jean";
  const auto absurd = run(stepped + " --set simulation.step=1");
  EXPECT_EQ(absurd.code, 0) << absurd.err;
  EXPECT_THAT(absurd.out,
              HasSubstr("simulation.step: 1 s is too long for this motion: contact ball–floor"));
  EXPECT_THAT(run(stepped + " --set simulation.step=1 --json").out,
              HasSubstr("too long for this motion"));
  EXPECT_THAT(run(stepped + " --set simulation.step=1e-3").out, Not(HasSubstr("warning")));
}

// A particle that friction holds between the walls of a groove, still compressed, when the law has
// brought it to rest.
TEST_F(Simulate, AnImpactWithoutAnswerEndsTheRunInOrder) {
  write("wedge.toml", R"([system]
kind = "v_groove"
mass = 1.0
opening_deg = 23.0
gravity = 9.81
[material]
restitution = 0.5
friction = 0.6
[start]
position = [0.0, 0.2]
[law]
kind = "lzb"
[simulation]
duration = 1.0
)");
  for (const char* method : {"event_driven_adaptive", "event_driven --set simulation.step=1e-3",
                             "moreau_jean --set simulation.step=1e-3"}) {
    const std::string by = " --set simulation.method=" + std::string(method);
    const auto outcome = run("simulate wedge.toml --json -o w.h5 --checkpoint w.ckpt" + by);
    EXPECT_EQ(outcome.code, 1) << outcome.err;
    const io::Document summary = io::parse_json(outcome.out, "summary");
    EXPECT_EQ(*summary.root.find("status")->as<std::string>(), "not_converged") << method;
    EXPECT_THAT(
        *summary.root.find("reason")->as<std::string>(),
        ::testing::AllOf(HasSubstr("the law answers not_terminated to the impact of contacts "
                                   "particle–left wall, particle–right wall"),
                         HasSubstr("wedged by friction"), HasSubstr("at t = 0.20")));
    EXPECT_NEAR(number(summary.root, {"time", "end"}), std::sqrt(0.4 / 9.81), 1e-3) << method;
    // The file is whole, up to there.
    const hid_t file = open_run("w.h5");
    const auto t = dataset(file, "/state/t");
    EXPECT_EQ(t.values.back(), number(summary.root, {"time", "end"})) << method;
    EXPECT_EQ(dataset(file, "/state/q").values.size(), 2 * t.values.size());
    H5Fclose(file);
    expect_refused(
        "simulate wedge.toml --restart w.ckpt" + by,
        {"w.ckpt:", "status: the run ended with not_converged", "nothing goes on from there"});
  }
}

TEST_F(Simulate, MaxEventsIsHowManyThereAre) {
  const auto three =
      run("simulate ball.toml --json -o three.csv --checkpoint c.ckpt "
          "--set simulation.max_events=3");
  EXPECT_EQ(three.code, 1);
  EXPECT_THAT(three.out, HasSubstr("max_events = 3 was reached at t = "));
  const std::string events = read("three.events.csv");
  EXPECT_EQ(std::count(events.begin(), events.end(), '\n'), 1 + 3);
  const auto again = run("simulate ball.toml --restart c.ckpt --set simulation.max_events=3");
  EXPECT_EQ(again.code, 1);
  EXPECT_THAT(again.out, Not(HasSubstr("there was nothing left to do")));
  const auto rest = run("simulate ball.toml --json --restart c.ckpt");
  EXPECT_EQ(without_cost(rest.out), without_cost(run("simulate ball.toml --json").out));
}

TEST_F(Simulate, WhatCannotBeWrittenIsToldBeforeTheRun) {
  for (const char* option : {"-o", "--checkpoint", "--restart"}) {
    expect_refused(std::string("simulate ball.toml ") + option + " ''", {option, "needs a value"});
  }
  expect_refused("simulate ball.toml -o nowhere/run.h5",
                 {"nowhere/run.h5", "cannot write", "No such file or directory"});
  expect_refused("simulate ball.toml -o run.txt", {".csv, .h5 or .hdf5"});
  // Access is granted there, and yet nothing can be made.
  for (const char* name : {"/proc/run.h5", "/proc/run.csv"}) {
    expect_refused(std::string("simulate ball.toml -o ") + name, {name, "cannot write"});
    EXPECT_THAT(read("stderr.txt"), Not(HasSubstr("holds the run")));
  }
  expect_refused("simulate ball.toml --checkpoint nowhere/c", {"nowhere/c", "cannot write"});
  // A run that is refused leaves what was there.
  write("old.csv", "precious\n");
  expect_refused("simulate ball.toml -o old.csv --set start.height=-1", {"start.height", "-1"});
  EXPECT_EQ(read("old.csv"), "precious\n");
}

TEST_F(Simulate, AFullDiskIsToldAndLosesNothing) {
  ASSERT_EQ(run("simulate ball.toml --quiet -o ok.csv").code, 0);
  std::filesystem::create_symlink("/dev/full", folder_ / "full.csv");
  expect_refused("simulate ball.toml -o full.csv", {"full.csv: cannot write: No space left"});

  // No file may grow beyond some MB (blocks of 512 or 1024 bytes, as the shell has it): what fits
  // is there, and whole.
  const auto outcome =
      run("--version; ulimit -f 8192; '" PERCUTE_BINARY "' simulate ball.toml --quiet -o run.h5 " +
          kLong);
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("run.h5: cannot write: File too large; it holds the run up"));
  const hid_t file = open_run("run.h5");
  const auto t = dataset(file, "/state/t");
  EXPECT_GT(t.values.size(), 1000U);
  EXPECT_TRUE(std::is_sorted(t.values.begin(), t.values.end()));
  EXPECT_EQ(dataset(file, "/state/q").values.size(), t.values.size());
  H5Fclose(file);
}

TEST_F(Simulate, BadInputNamesTheKey) {
  expect_refused("simulate ball.toml --set simulation.step=1e-3",
                 {"simulation.step", "not for method 'event_driven_adaptive'", "moreau_jean"});
  expect_refused("simulate ball.toml --set simulation.tolerence=1e-3",
                 {"simulation.tolerence", "did you mean 'tolerance'?"});
  expect_refused("simulate ball.toml --set simulation.method=moreau_jaen",
                 {"simulation.method", "did you mean 'moreau_jean'?"});
  expect_refused("simulate ball.toml --set simulation.duration=0", {"simulation.duration", "0"});
  expect_refused("simulate ball.toml --set system.kind=bouncing_bal",
                 {"system.kind", "did you mean 'bouncing_ball'?"});
  expect_refused("simulate ball.toml --set 'impact={\"law\": \"newton\"}'",
                 {"impact", "impacting_bar"});
  for (const char* seconds : {"-1", "0", "nan", "soon"}) {
    expect_refused(std::string("simulate ball.toml --checkpoint c --checkpoint-every ") + seconds,
                   {"--checkpoint-every", std::string("'") + seconds + "'", "seconds above 0"});
  }
  expect_refused("simulate ball.toml --checkpoint-every 5", {"--checkpoint-every", "--checkpoint"});
  expect_refused("simulate ball.toml --law compliant", {"material", "'stiffness'"});
  write("still.toml", kBall.substr(0, kBall.find("[simulation]")));
  expect_refused("simulate still.toml", {"still.toml", "[simulation] is missing"});
  write("free.toml", kBall);
  expect_refused("solve ball.toml", {"system.kind", "percute simulate"});
  // A system that can be at contact, and is at rest.
  write("chain.toml", R"([system]
kind = "ball_chain"
balls = 2
mass = 1.0
gravity = 0.0
[start]
speed = 1.0
gaps = [0.1]
[simulation]
duration = 1
)");
  EXPECT_THAT(run("solve chain.toml").out, HasSubstr("'percute simulate' moves it"));
}

}  // namespace
}  // namespace percute::cli

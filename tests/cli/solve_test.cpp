// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "cli_testing.hpp"

#include <percute/io/document.hpp>

#include <algorithm>
#include <cmath>

namespace percute::cli {
namespace {

using ::testing::HasSubstr;
using testing::kScene;
using testing::kThreeBalls;
using ::testing::Not;
using testing::Outcome;
using ::testing::StartsWith;

class Solve : public testing::CliTest {};

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) out.push_back(line);
  return out;
}

double velocity(const std::string& json, std::size_t k) {
  const io::Document document = io::parse_json(json, "result");
  return *(*document.root.find("velocity")->as<io::Node::Array>())[k].as<double>();
}

TEST_F(Solve, WithoutArgumentsItShowsTheCradle) {
  const Outcome outcome = run("");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_THAT(outcome.out, StartsWith("five-ball cradle · 5 bodies · 4 closed contacts · "
                                      "lzb (tol 1e-10)\n"));
  // The last ball of five, Hertz contact, elastic: 0.9887774241.
  EXPECT_THAT(outcome.out, HasSubstr("+0.988777"));
  EXPECT_THAT(outcome.out, HasSubstr("percute solve --help"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("✗")));
}

TEST_F(Solve, PrintsATable) {
  write("cradle.toml", kScene);
  const Outcome outcome = run("solve cradle.toml");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err, "");
  const auto rows = lines(outcome.out);
  EXPECT_EQ(rows[0], "cradle · 3 bodies · 2 closed contacts · lzb (tol 1e-10)");
  EXPECT_EQ(rows[2],
            "  body      v⁻ [m/s]    v⁺ [m/s]      contact   gap rate⁻   gap rate⁺   impulse [N s]"
            "   lost [J]   compressions");
  EXPECT_EQ(rows[3],
            "  ball 1   +1.000000   -0.070952      1–2       -1.000000   +0.147355        0.107095"
            "   0.000000              1");
  EXPECT_EQ(rows[5], "  ball 3    0.000000   +0.994549");
  EXPECT_EQ(rows[7], "  energy    kinetic 0.050000 J → 0.050000 J (ratio 1.000000)");
  EXPECT_THAT(outcome.out, HasSubstr("✓ no energy is created"));
  EXPECT_THAT(outcome.out, HasSubstr("✓ momentum balance"));
  EXPECT_THAT(outcome.out, HasSubstr("evaluations ("));
}

TEST_F(Solve, ShowsNoUnitWhereTheFileDoesNotTell) {
  write("three.json", kThreeBalls);
  const auto rows = lines(run("solve three.json --history run.h5").out);
  EXPECT_THAT(rows[2], StartsWith("  body            v⁻          v⁺      contact"));
  EXPECT_THAT(run("compare three.json --laws lzb").out, StartsWith("three balls · 3 bodies · 2 "
                                                                   "closed contacts\n"));
}

TEST_F(Solve, PrintsJson) {
  write("three.json", kThreeBalls);
  const Outcome outcome = run("solve three.json --json");
  EXPECT_EQ(outcome.code, 0);
  // Converged values; 1e-9 is ten times the tolerance.
  EXPECT_NEAR(velocity(outcome.out, 0), -0.0709523537, 1e-9);
  EXPECT_NEAR(velocity(outcome.out, 1), 0.0764030391, 1e-9);
  EXPECT_NEAR(velocity(outcome.out, 2), 0.9945493146, 1e-9);
}

TEST_F(Solve, WritesTheResultToAFile) {
  write("three.json", kThreeBalls);
  const std::string json = run("solve three.json --json").out;
  const Outcome both = run("solve three.json -o result.json");
  EXPECT_THAT(both.out, StartsWith("three balls"));
  EXPECT_EQ(read("result.json"), json);
  const Outcome silent = run("solve three.json --quiet -o quiet.json");
  EXPECT_EQ(silent.out + silent.err, "");
  EXPECT_EQ(read("quiet.json"), json);
  EXPECT_EQ(run("solve three.json --json -o other.json").out, "");
  EXPECT_EQ(read("other.json"), json);
}

TEST_F(Solve, SetChangesTheFile) {
  write("cradle.toml", kScene);
  // A chain of two that loses everything moves on together.
  const Outcome outcome =
      run("solve cradle.toml --json --set system.balls=2 --set 'start.velocity=[1, 0]' "
          "--set material.restitution=0 --set name=pair");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NEAR(velocity(outcome.out, 0), 0.5, 1e-9);
  EXPECT_NEAR(velocity(outcome.out, 1), 0.5, 1e-9);
}

TEST_F(Solve, SetTakesNumbersAsPeopleWriteThem) {
  write("cradle.toml", kScene);
  const std::string usual = run("solve cradle.toml --json --set material.restitution=0.95").out;
  EXPECT_EQ(run("solve cradle.toml --json --set material.restitution=.95").out, usual);
  EXPECT_EQ(run("solve cradle.toml --json --set material.restitution=+.95").out, usual);
}

TEST_F(Solve, ADashIsStandardInput) {
  write("cradle.toml", kScene);
  write("three.json", kThreeBalls);
  const std::string balls = run("solve three.json --json").out;
  EXPECT_EQ(run("solve - --json < three.json").out, balls);
  EXPECT_EQ(run("solve --json - < cradle.toml").out, run("solve cradle.toml --json").out);
  for (const char* command : {"analyze", "compare", "waves"}) {
    EXPECT_EQ(run(std::string(command) + " - --json < three.json").code, 0) << command;
  }
  EXPECT_THAT(run("solve - < /dev/null").err,
              HasSubstr("standard input: is empty; '-' reads the file from there"));
}

TEST_F(Solve, SaysWhereTheRuleOfReengagementDecides) {
  const std::string soft = "solve '" PERCUTE_SOURCE_DIR "/examples/scenes/soft_beside_hard.toml'";
  EXPECT_THAT(run(soft).out,
              HasSubstr("          · zero_gap and tracked_gap differ by 0.43 of the largest speed, "
                        "most for ball 2: -0.166476 and +0.268023 m/s "
                        "(law.reengagement; docs/howto/which_law.md)\n"));
  EXPECT_THAT(run(soft + " --set law.reengagement=tracked_gap").out,
              HasSubstr("· tracked_gap and zero_gap differ by 0.43"));
  // A rule that has no answer within the limits of the law is named, too.
  EXPECT_THAT(
      run(soft + " --set law.reengagement=tracked_gap --set law.max_events=20").out,
      HasSubstr(
          "· the difference between tracked_gap and zero_gap is not known: zero_gap ends with "
          "not_terminated"));
  // The papers' scheme has one rule only.
  EXPECT_THAT(run(soft + " --set law.integrator=euler_impulse").out, Not(HasSubstr("tracked_gap")));
  write("cradle.toml", kScene);
  EXPECT_THAT(run("solve cradle.toml").out, Not(HasSubstr("tracked_gap")));
}

TEST_F(Solve, TellsMachinesHowMuchTheRuleOfReengagementMatters) {
  std::string soft = kThreeBalls;
  soft.replace(soft.find("[1, 0, 0]"), 9, "[1, 0.3, -0.5]");
  soft.replace(soft.find("[0, -1, 1]"), 10, "[0, -1, 1], \"stiffness\": 1e-4");
  write("in.jsonl", soft + "\n" + kThreeBalls + "\n");
  write("soft.json", soft);
  const auto difference = [](const std::string& json) {
    const io::Document document = io::parse_json(json, "result");
    const io::Node* node = document.root.find("diagnostics")->find("reengagement_difference");
    if (node == nullptr) return -1.0;
    return node->as<double>() != nullptr ? *node->as<double>() : 0.0;
  };
  const auto answers = lines(run("solve --stdin --json < in.jsonl").out);
  ASSERT_EQ(answers.size(), 2U);
  EXPECT_GT(difference(answers[0]), 0.1);
  EXPECT_EQ(difference(answers[0]), difference(run("solve soft.json --json").out));
  // The same by the other rule, and by the velocities of both.
  const std::string tracked = run("solve soft.json --json --set law.reengagement=tracked_gap").out;
  EXPECT_EQ(difference(answers[0]), difference(tracked));
  double largest = 0.0;
  for (const std::size_t k : {0U, 1U, 2U}) {
    largest = std::max(largest, std::abs(velocity(answers[0], k) - velocity(tracked, k)));
  }
  EXPECT_EQ(difference(tracked), largest);
  // Known without a second run where nothing meets again.
  EXPECT_EQ(difference(answers[1]), 0.0);
}

TEST_F(Solve, SetMayComeBeforeTheFile) {
  write("cradle.toml", kScene);
  EXPECT_EQ(run("solve --set law.tolerance=1e-6 cradle.toml --quiet").code, 0);
}

TEST_F(Solve, UnacceptableOutcomesAreShownAndExitWithOne) {
  write("three.json", kThreeBalls);
  const Outcome table = run("solve three.json --set law.max_steps=3");
  EXPECT_EQ(table.code, 1);
  EXPECT_THAT(table.out, HasSubstr("✗ not_terminated: the limit law.max_steps ended the run"));
  // Named is the limit that was reached, whatever the law.
  const Outcome soft = run("solve three.json --law compliant --set law.max_steps=3");
  EXPECT_THAT(soft.out, HasSubstr("✗ not_terminated: the limit law.max_steps ended the run"));
  EXPECT_THAT(table.out, HasSubstr("✗ nothing approaches any more"));
  const Outcome json = run("solve three.json --set law.max_steps=3 --json");
  EXPECT_EQ(json.code, 1);
  EXPECT_THAT(json.out, HasSubstr("\"status\": \"not_terminated\""));
  // A law that knows why says so.
  write("wedge.json", R"({"format": "percute-problem/1", "mass": {"diagonal": [1, 1, 0.1]},
    "velocity": [0, -1, 0], "contacts": [
    {"gradient": [0.99, 0.141, 0], "tangents": [[-0.141, 0.99, 0]], "restitution": 0.5, "friction": 2},
    {"gradient": [-0.99, 0.141, 0], "tangents": [[0.141, 0.99, 0]], "restitution": 0.5, "friction": 2}
    ]})");
  EXPECT_THAT(run("solve wedge.json").out,
              HasSubstr("wedged by friction between contacts still compressed"));
}

TEST_F(Solve, NoImpactIsAnAnswer) {
  write("three.json", kThreeBalls);
  const Outcome outcome = run("solve three.json --set velocity=[0,0,1]");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("no_impact: nothing approaches"));
}

TEST_F(Solve, AnswersJsonLinesInOrder) {
  std::string off = kThreeBalls;
  off.replace(off.find("1e-10"), 5, "1e-10, \"max_steps\": 3");
  write("in.jsonl", kThreeBalls + "\n\n{\"format\": 1}\nnonsense\n" + off + "\r\n" + kThreeBalls);
  const Outcome outcome = run("solve --stdin --json < in.jsonl");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.err, "");
  const auto answers = lines(outcome.out);
  ASSERT_EQ(answers.size(), 5U);
  EXPECT_THAT(answers[0], StartsWith(R"({"format":"percute-result/1")"));
  EXPECT_THAT(answers[1], StartsWith(R"({"format":"percute-error/1","line":3,"message":")"));
  EXPECT_THAT(answers[1], HasSubstr("format: must be a string"));
  EXPECT_THAT(answers[2], StartsWith(R"({"format":"percute-error/1","line":4,"message":")"));
  EXPECT_THAT(answers[3], HasSubstr("\"status\":\"not_terminated\""));
  EXPECT_EQ(answers[4], answers[0]);
}

TEST_F(Solve, ExitOfJsonLinesIsTheWorst) {
  write("good.jsonl", kThreeBalls + "\n" + kThreeBalls + "\n");
  EXPECT_EQ(run("solve --stdin --json < good.jsonl").code, 0);
  EXPECT_EQ(run("solve --stdin --json --set law.max_steps=3 < good.jsonl").code, 1);
  EXPECT_EQ(run("solve --stdin --json --set law.max_steps=x < good.jsonl").code, 2);
  EXPECT_EQ(run("solve --stdin --json < /dev/null").code, 0);
}

TEST_F(Solve, JsonLinesGoToAFileIfAsked) {
  write("good.jsonl", kThreeBalls + "\n");
  const std::string printed = run("solve --stdin --json < good.jsonl").out;
  EXPECT_EQ(run("solve --stdin --json -o out.jsonl < good.jsonl").out, "");
  EXPECT_EQ(read("out.jsonl"), printed);
}

TEST_F(Solve, StopsQuietlyWhenNobodyReads) {
  write("good.jsonl", kThreeBalls + "\n");
  const Outcome outcome = run("solve --stdin --json < good.jsonl | true");
  EXPECT_EQ(outcome.err, "");
}

TEST_F(Solve, IsDeterministic) {
  write("cradle.toml", kScene);
  EXPECT_EQ(run("solve cradle.toml --json").out, run("solve cradle.toml --json").out);
}

TEST_F(Solve, HelpTeaches) {
  const Outcome top = run("--help");
  EXPECT_EQ(top.code, 0);
  EXPECT_EQ(top.err, "");
  EXPECT_THAT(top.out, HasSubstr("solve"));
  EXPECT_THAT(top.out, Not(HasSubstr("sweep")));  // later
  const Outcome help = run("solve --help");
  EXPECT_EQ(help.code, 0);
  EXPECT_THAT(help.out, HasSubstr("--set KEY=VALUE"));
  EXPECT_THAT(help.out, HasSubstr("percute solve cradle.toml --history run.csv"));
  EXPECT_THAT(run("--version").out, StartsWith("percute "));
  EXPECT_EQ(run("-V").out, run("--version").out);
  EXPECT_EQ(run("help").out, top.out);
  EXPECT_EQ(run("help solve").out, help.out);
  // Options of a law come from its list of fields.
  const std::string lzb = run("help lzb").out;
  for (const char* words : {"law.kind = \"lzb\"", "tolerance", "in [1e-13, 0.001]", "tracked_gap",
                            "accuracy relative to the problem's scales"}) {
    EXPECT_THAT(lzb, HasSubstr(words));
  }
  // What a file must name, and the form of lists.
  const std::string cone = run("help fremond_cone").out;
  EXPECT_THAT(cone, HasSubstr("required   "));
  EXPECT_THAT(cone, HasSubstr("[[number, ...], ...]"));
  const std::string icr = run("help icr").out;
  EXPECT_THAT(icr, HasSubstr("direction"));
  EXPECT_THAT(icr, HasSubstr("[number, ...]"));
  EXPECT_THAT(icr, HasSubstr("of closure 'total_energy' only"));
}

TEST_F(Solve, TheSceneInTheHelpWorks) {
  const std::string help = run("solve --help").out;
  const auto start = help.find("    [system]");
  const auto end = help.find("Other systems:");
  ASSERT_NE(start, std::string::npos);
  write("copied.toml", help.substr(start, end - start));
  EXPECT_EQ(run("solve copied.toml").code, 0);
}

/// On a terminal (which script stands in for) a long table shows its ends; a pipe has all of it.
TEST_F(Solve, LongTablesAreCutOnATerminalOnly) {
  write("scene.toml", testing::kScene);
  const std::string many =
      "solve scene.toml --unset start.velocity --set start.speed=1 --set system.balls=";
  const auto on_terminal = [this](const std::string& arguments) {
    return run("--version >&2; script -qec \"'" PERCUTE_BINARY "' " + arguments +
               "\" /dev/null < /dev/null")
        .out;
  };
  const std::string note = " more: all of them with --all, --json, or a pipe";
  const std::string cut = on_terminal(many + "1500");
  EXPECT_THAT(cut, HasSubstr("… 1 440" + note));
  EXPECT_THAT(cut, HasSubstr("ball 30 "));
  EXPECT_THAT(cut, HasSubstr("ball 1500 "));
  EXPECT_THAT(cut, Not(HasSubstr("ball 31 ")));
  EXPECT_LT(std::ranges::count(cut, '\n'), 200);
  EXPECT_THAT(on_terminal(many + "1500 --all"), HasSubstr("ball 31 "));
  EXPECT_THAT(on_terminal(many + "60"), Not(HasSubstr(note)));
  const std::string piped = run(many + "1500").out;
  EXPECT_THAT(piped, Not(HasSubstr(note)));
  EXPECT_THAT(piped, HasSubstr("ball 31 "));
  EXPECT_GE(std::ranges::count(piped, '\n'), 1500);
}

}  // namespace
}  // namespace percute::cli

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "cli_testing.hpp"
#include "io/scene_reader.hpp"

#include <algorithm>
#include <filesystem>

namespace percute::cli {
namespace {

using ::testing::HasSubstr;
using testing::kThreeBalls;
using ::testing::Not;
using testing::Outcome;
using ::testing::StartsWith;

class Scenes : public testing::CliTest {};

TEST_F(Scenes, EveryExampleIsSolvedByName) {
  int count = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(PERCUTE_SOURCE_DIR "/examples/scenes")) {
    const std::string path = entry.path().string();
    const Outcome outcome = run("solve '" + path + "'");
    EXPECT_EQ(outcome.code, 0) << path << outcome.err;
    EXPECT_EQ(outcome.err, "") << path;
    const io::ProblemFile file = io::read_problem_or_scene(io::read_document(path));
    for (const Body& body : file.bodies) EXPECT_THAT(outcome.out, HasSubstr("\n  " + body.name));
    for (const std::string& contact : file.contact_names) {
      EXPECT_THAT(outcome.out, HasSubstr("  " + contact + "  ")) << path;
    }
    ++count;
  }
  EXPECT_GE(count, 13);
}

TEST_F(Scenes, TheCommentsOfTheExamplesAreTrue) {
  const auto solved = [&](const std::string& name) {
    return run("solve '" PERCUTE_SOURCE_DIR "/examples/scenes/" + name + "'").out;
  };
  EXPECT_THAT(solved("bernoulli.toml"), HasSubstr("-0.122807"));             // −7/57
  EXPECT_THAT(solved("tennis_on_basketball.toml"), HasSubstr("+7.930909"));  // 1.46 × 5.424942
  // m* = 1/1.6, b = |ω| = 1, e = 0.5: the high block is struck at the right corner alone.
  EXPECT_THAT(solved("rocking_block.toml' --set 'system.height=2"), HasSubstr("0.937500"));
  EXPECT_THAT(solved("v_groove.toml' --set 'system.opening_deg=90"), HasSubstr("-0.150000"));
  EXPECT_THAT(solved("billiard_rack.toml"), StartsWith("break · 16 bodies · 31 closed contacts"));
}

TEST_F(Scenes, UnitsAreThoseOfTheBodies) {
  const auto solved = [&](const std::string& arguments) {
    return run("solve '" PERCUTE_SOURCE_DIR "/examples/scenes/" + arguments).out;
  };
  // One unit is in the headings, several are in a column.
  EXPECT_THAT(solved("cradle.toml'"), HasSubstr("v⁻ [m/s]"));
  EXPECT_THAT(solved("double_pendulum.toml'"), HasSubstr("v⁻ [rad/s]   v⁺ [rad/s]"));
  const std::string block = solved("rocking_block.toml'");
  EXPECT_THAT(block, HasSubstr("v⁺   unit"));
  EXPECT_THAT(block, HasSubstr("block y       -0.500000   +0.280654   m/s\n"));
  EXPECT_THAT(block, HasSubstr("block angle   -1.000000   +0.269765   rad/s\n"));
}

TEST_F(Scenes, ColumnsAndChainsOfSpheres) {
  const auto solved = [&](const std::string& arguments) {
    return run("solve '" PERCUTE_SOURCE_DIR "/examples/scenes/" + arguments).out;
  };
  // The top bead of eight is the fastest of all columns: 0.393412 m/s, 1.2437 times v⁻.
  EXPECT_THAT(solved("bead_column.toml'"), HasSubstr("bead 8   -0.316326   +0.393412"));
  EXPECT_THAT(solved("bead_column.toml' --set system.beads=7"), HasSubstr("+0.393194"));
  EXPECT_THAT(solved("bead_column.toml' --set system.beads=9"), HasSubstr("+0.392058"));
  EXPECT_THAT(solved("tapered_spheres.toml'"), HasSubstr("+3.740915"));
  EXPECT_THAT(solved("tapered_spheres.toml' --set system.radii.reversed=true"),
              HasSubstr("+0.215511"));
  EXPECT_THAT(solved("decorated_chain.toml'"), HasSubstr("+1.953282"));
}

TEST_F(Scenes, NamesCannotSteerTheTerminal) {
  std::string problem = kThreeBalls;
  problem.replace(problem.find("three balls"), 11, R"(a\u001b[31m\u009b31m\nb)");
  problem.replace(problem.find("\"law\""), 5,
                  R"("bodies": [{"name": "x\u0007", "coordinates": [0, 1, 2]}], "law")");
  write("evil.json", problem);
  const Outcome outcome = run("solve evil.json");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, StartsWith("a\\x1b[31m\\x9b31m\\x0ab · 1 body"));
  EXPECT_THAT(outcome.out, HasSubstr("x\\x07 (1)"));
  EXPECT_TRUE(std::none_of(outcome.out.begin(), outcome.out.end(), [](char c) {
    return c != '\n' && static_cast<unsigned char>(c) < 0x20;
  }));
}

TEST_F(Scenes, SetTakesStringsAsTheyAreTyped) {
  write("three.json", kThreeBalls);
  for (const std::string name : {"5", "1e3", "true", "null", "plain words"}) {
    EXPECT_THAT(run("solve three.json --set 'name=" + name + "'").out, StartsWith(name + " · "));
  }
  EXPECT_THAT(run("solve three.json --set 'name=\"quoted\"'").out, StartsWith("quoted · "));
  expect_refused("solve three.json --set law.kind=5", {"--set law.kind=5: law.kind", "5"});
  expect_refused("solve three.json --set 'name=[5]'",
                 {"--set name=[5]: name", "must be a string, got an array of 1"});
  expect_refused("solve three.json --set 'bodies=[{\"name\": 5, \"coordinates\": [0, 1, 2]}]'",
                 {"bodies[0].name", "must be a string, got 5"});
}

TEST_F(Scenes, SetReachesSystemsAndContacts) {
  const std::string scene = "'" PERCUTE_SOURCE_DIR "/examples/scenes/four_balls.toml'";
  EXPECT_EQ(run("solve " + scene + " --set contact[0].restitution=1 --quiet").code, 0);
  expect_refused("solve " + scene + " --set contact[0].restitution=2",
                 {"--set contact[0].restitution=2: contact[0].restitution", "[0, 1]"});
  expect_refused("solve " + scene + " --set system.radius=0.06",
                 {"four_balls.toml:11: system.positions[", "overlap by 0.02 m"});
  expect_refused("solve '" PERCUTE_SOURCE_DIR
                 "/examples/scenes/billiard_rack.toml' --set system.rows=1000000000",
                 {"--set system.rows=1000000000: system.rows", "from 1 to 1000"});
}

TEST_F(Scenes, TheHelpNamesTheSystems) {
  const std::string help = run("solve --help").out;
  for (const char* kind : {"ball_chain", "ball_cluster", "stacked_balls", "bead_column",
                           "planar_body", "rocking_block", "v_groove", "double_pendulum",
                           "four_foot_plate", "spatial_body", "sphere_on_plane", "two_spheres",
                           "rotating_chain", "dimer", "three_ball_rod", "block_stack"}) {
    EXPECT_THAT(help, HasSubstr(kind));
  }
  EXPECT_THAT(help, Not(HasSubstr("bouncing_ball")));
}

}  // namespace
}  // namespace percute::cli

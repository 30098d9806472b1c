// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io_testing.hpp"

namespace percute::io {
namespace {

using testing::expect_error;
using testing::with;
using Names = std::vector<std::string>;

const std::string kScene = R"([system]
kind = "ball_cluster"
positions = [[0.08, 0.06], [0, 0], [0.08, -0.06]]
radius = 0.05
mass = 0.5
[start]
velocity = [1.0, 0.0]
striker = "ball 2"
)";

const std::string kRack = R"([system]
kind = "ball_cluster"
arrangement = "rack"
rows = 2
radius = 0.05
mass = 0.5
[start]
velocity = [1.0, 0.5]
)";

ProblemFile scene(const std::string& text) {
  return read_scene(parse_toml(text, "s.toml"));
}

TEST(SceneBallCluster, ReadsPositions) {
  const ProblemFile file = scene(kScene);
  ASSERT_EQ(file.bodies.size(), 3U);
  EXPECT_EQ(file.bodies[2].coordinate_name(0), "ball 3 x");
  EXPECT_EQ(file.contact_names, (Names{"1–2", "2–3"}));
  EXPECT_EQ(file.problem.velocity, Vector::Unit(6, 2));
  EXPECT_EQ(file.problem.mass(5, 5), 0.5);
}

TEST(SceneBallCluster, VelocityOfEveryBall) {
  const ProblemFile file = scene(
      with(with(kScene, "[1.0, 0.0]", "[[1, 2], [3, 4], [5, 6]]"), "striker = \"ball 2\"", ""));
  EXPECT_EQ(file.problem.velocity, Vector({{1.0, 2.0, 3.0, 4.0, 5.0, 6.0}}));
}

TEST(SceneBallCluster, TheFirstBallStrikesUnlessToldOtherwise) {
  EXPECT_EQ(scene(with(kScene, "striker = \"ball 2\"", "")).problem.velocity, Vector::Unit(6, 0));
}

TEST(SceneBallCluster, ReadsARack) {
  const ProblemFile file = scene(kRack);
  EXPECT_EQ(file.bodies[0].name, "cue");
  EXPECT_EQ(file.contact_names, (Names{"cue–1", "1–2", "1–3", "2–3"}));
  EXPECT_EQ(file.problem.velocity.head(2), Vector({{1.0, 0.5}}));
  EXPECT_EQ(file.problem.velocity.tail(6).norm(), 0.0);
}

TEST(SceneBallCluster, ReadsWallsRadiiMassesAndTolerance) {
  const ProblemFile file = scene(
      with(with(kScene, "radius = 0.05", "radii = [0.04, 0.06, 0.04]\ntouch_tolerance = 1e-4"),
           "mass = 0.5",
           "masses = [1, 2, 3]\nnames = [\"a\", \"ball 2\", \"c\"]\n"
           "walls = [{point = [0, 0.100001], normal = [0, -2], name = \"cushion\"}]"));
  EXPECT_EQ(file.contact_names, (Names{"a–2", "2–c", "a–cushion"}));
  EXPECT_EQ(file.problem.mass(2, 2), 2.0);
  EXPECT_EQ(file.problem.gradients.coeff(1, 2), -1.0);
}

TEST(SceneBallCluster, MistakesAreNamedWhereTheyAre) {
  const auto refused = [](const char* part, const char* other,
                          std::initializer_list<std::string> fragments) {
    expect_error([&] { scene(with(kScene, part, other)); }, fragments);
  };
  refused("[0, 0],", "[0.01, 0],",
          {"s.toml:3: system.positions[1]", "ball 1 and ball 2 overlap by", "touch_tolerance"});
  refused("[0, 0],", "[0, 0, 0],", {"s.toml:3: system.positions[1]", "2 entries, [x, y], got 3"});
  refused("[0, 0],", "[0, nan],", {"s.toml:3: system.positions[1][1]", "finite"});
  refused("[0, 0],", "7,", {"s.toml:3: system.positions[1]", "must be an array, got 7"});
  refused("[[0.08, 0.06], [0, 0], [0.08, -0.06]]", "[]", {"system.positions", "got 0"});
  refused("positions =", "position =", {"s.toml:3: system.position:", "'positions'?"});
  refused("positions = [[0.08, 0.06], [0, 0], [0.08, -0.06]]\n", "",
          {"s.toml:1: system", "either 'positions'"});
  refused("radius = 0.05\n", "", {"s.toml:1: system", "either 'radius'"});
  refused("radius = 0.05", "radius = 0", {"s.toml:4: system.radius", "0"});
  refused("radius = 0.05", "radii = [1, 1]", {"s.toml:4: system.radii", "3 entries"});
  refused("radius = 0.05", "radius = 0.05\nrows = 2", {"s.toml:5: system.rows", "'arrangement'"});
  refused("mass = 0.5\n", "", {"s.toml:1: system", "either 'mass'"});
  refused("mass = 0.5", "mass = -1", {"s.toml:5: system.mass", "-1"});
  refused("mass = 0.5", "mass = 1\ntouch_tolerance = 0.5",
          {"s.toml:6: system.touch_tolerance", "0.5", "(0, 0.1]"});
  refused("mass = 0.5", "mass = 1\nwalls = [{point = [0, 0]}]",
          {"s.toml:6: system.walls[0]", "'normal' is missing"});
  refused("mass = 0.5", "mass = 1\nwalls = [{point = [0, -9], normal = [0, 0]}]",
          {"s.toml:6: system.walls[0].normal", "zero"});
  refused("mass = 0.5", "mass = 1\nwalls = [{point = [0, 0], normal = [0, 1]}]",
          {"s.toml:3: system.positions[1]", "ball 2 and wall overlap"});
  refused("mass = 0.5", "mass = 1\nwalls = [{point = [0, 0], normal = [0, 1], nmae = \"a\"}]",
          {"s.toml:6: system.walls[0].nmae", "did you mean 'name'?"});
  refused("[1.0, 0.0]", "[1.0]", {"s.toml:7: start.velocity", "2 entries"});
  refused("[1.0, 0.0]", "[[1.0, 0.0]]", {"s.toml:8: start.striker", "one velocity"});
  refused("[1.0, 0.0]\nstriker = \"ball 2\"", "[[1.0, 0.0]]",
          {"s.toml:7: start.velocity", "3 entries, one per ball, got 1"});
  refused("[1.0, 0.0]", "1.0", {"s.toml:7: start.velocity", "must be an array"});
  refused("\"ball 2\"", "\"bal 2\"", {"s.toml:8: start.striker", "did you mean 'ball 2'?"});
  refused("\"ball 2\"", "2", {"s.toml:8: start.striker", "must be a string"});
}

TEST(SceneBallCluster, MistakesOfRacksAreNamedWhereTheyAre) {
  const auto refused = [](const char* part, const char* other,
                          std::initializer_list<std::string> fragments) {
    expect_error([&] { scene(with(kRack, part, other)); }, fragments);
  };
  refused("\"rack\"", "\"rakc\"", {"s.toml:3: system.arrangement", "did you mean 'rack'?"});
  refused("rows = 2", "rows = 1000000000", {"s.toml:4: system.rows", "from 1 to 1000"});
  refused("rows = 2\n", "", {"s.toml:1: system", "'rows' is missing"});
  refused("radius = 0.05", "radius = -1", {"s.toml:5: system.radius", "-1"});
  refused("radius = 0.05", "radius = 1\nradii = [1, 1, 1, 1]",
          {"s.toml:6: system.radii", "given by the arrangement"});
  refused("radius = 0.05", "radius = 1\npositions = [[0, 0]]",
          {"s.toml:6: system.positions", "given by the arrangement"});
  refused("mass = 0.5", "masses = [1, 2]", {"s.toml:6: system.masses", "4 entries"});
  refused("mass = 0.5", "mass = 0.5\nwalls = [{point = [0, 0], normal = [0, 1]}]",
          {"s.toml:3: system.arrangement: ", "overlap"});
}

}  // namespace
}  // namespace percute::io

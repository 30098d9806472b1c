// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/scene_reader.hpp"
#include "io_testing.hpp"

namespace percute::io {
namespace {

using testing::expect_error;
using testing::with;

const std::string kScene = R"([system]
kind = "ball_chain"
balls = 3
mass = 0.1
wall = true
[material]
restitution = 0.5
stiffness = 1.0e9
[start]
velocity = [1.0, 0.0, 0.0]
[law]
kind = "lzb"
)";

ProblemFile scene(const std::string& text) {
  return read_scene(parse_toml(text, "dir/s.toml"));
}

TEST(SceneFile, ReadsABallChain) {
  const ProblemFile file = scene(kScene);
  EXPECT_EQ(file.name, "s");
  EXPECT_EQ(file.bodies[0].name, "ball 1");
  EXPECT_EQ(file.contact_names, (std::vector<std::string>{"1–2", "2–3", "3–wall"}));
  EXPECT_EQ(file.problem.velocity, Vector::Unit(3, 0));
  EXPECT_EQ(file.problem.mass(2, 2), 0.1);
  EXPECT_EQ(file.problem.contacts[2].material.restitution, 0.5);
  EXPECT_EQ(file.problem.gradients.coeff(2, 2), -1.0);
}

TEST(SceneFile, AStartAnywhereIsForMotion) {
  const std::string block = R"([system]
kind = "rocking_block"
mass = 1.0
width = 0.1
height = 0.2
gravity = 9.81
[start]
angle_deg = 5
)";
  expect_error([&] { scene(block); }, {"start.angle_deg", "unknown key"});
  expect_error([&] { scene(block + "[simulation]\nduration = 1\n"); },
               {"s.toml:8: start.angle_deg", "scene of motion", "'percute simulate'"});
}

TEST(SceneFile, SpeedIsThatOfTheStriker) {
  const ProblemFile file = scene(with(kScene, "velocity = [1.0, 0.0, 0.0]", "speed = 2.5"));
  EXPECT_EQ(file.problem.velocity, 2.5 * Vector::Unit(3, 0));
}

TEST(SceneFile, MassesOneByOne) {
  const ProblemFile file = scene(with(kScene, "mass = 0.1", "masses = [1, 2, 3]"));
  EXPECT_EQ(file.problem.mass(1, 1), 2.0);
}

TEST(SceneFile, SeveralBallsStrike) {
  const ProblemFile file =
      scene(with(kScene, "velocity = [1.0, 0.0, 0.0]", "speed = 2.5\nstrikers = 2"));
  EXPECT_EQ(file.problem.velocity, Vector({{2.5, 2.5, 0.0}}));
}

TEST(SceneFile, WallsOnEitherSide) {
  const auto names = [](const char* wall) {
    return scene(with(kScene, "wall = true", wall)).contact_names;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(names("wall = false"), (Names{"1–2", "2–3"}));
  EXPECT_EQ(names("wall = \"none\""), (Names{"1–2", "2–3"}));
  EXPECT_EQ(names("wall = \"left\""), (Names{"wall–1", "1–2", "2–3"}));
  EXPECT_EQ(names("wall = \"right\""), (Names{"1–2", "2–3", "3–wall"}));
  EXPECT_EQ(names("wall = \"both\""), (Names{"wall–1", "1–2", "2–3", "3–wall"}));
}

TEST(SceneFile, ListsTellTheNumberOfBalls) {
  const ProblemFile file = scene(with(with(kScene, "balls = 3\n", ""), "mass = 0.1",
                                      "masses = [1, 2, 3]\nnames = [\"a\", \"b\", \"c\"]"));
  EXPECT_EQ(file.problem.mass(2, 2), 3.0);
  EXPECT_EQ(file.bodies[2].name, "c");
  EXPECT_EQ(file.contact_names[0], "a–b");
}

TEST(SceneFile, DensityMakesMassesOfRadii) {
  const ProblemFile file =
      scene(with(kScene, "mass = 0.1", "density = 7800\nradii = [0.01, 0.02, 0.01]"));
  // Steel, 1 cm: 32.7 g; twice the radius, eight times the mass.
  EXPECT_NEAR(file.problem.mass(0, 0), 0.0326726, 1e-7);
  EXPECT_DOUBLE_EQ(file.problem.mass(1, 1), 8.0 * file.problem.mass(0, 0));
}

TEST(SceneFile, SimulationIsLeftAlone) {
  EXPECT_NO_THROW(scene(kScene + "[simulation]\nmethod = \"event_driven\"\nend = 2\n"));
}

TEST(SceneFile, MistakesAreNamedWhereTheyAre) {
  const auto refused = [](const char* part, const char* other,
                          std::initializer_list<std::string> fragments) {
    expect_error([&] { scene(with(kScene, part, other)); }, fragments);
  };
  refused("ball_chain", "ball_chian", {"s.toml:2: system.kind", "did you mean 'ball_chain'?"});
  refused("ball_chain", "bouncing_ball", {"s.toml:2: system.kind", "use 'percute simulate'"});
  refused("balls = 3", "balls = 4", {"s.toml:10: start.velocity", "4 entries", "got 3"});
  refused("balls = 3", "balls = 0", {"s.toml:3: system.balls", "from 1"});
  refused("balls = 3", "bals = 3", {"s.toml:3: system.bals", "did you mean 'balls'?"});
  refused("mass = 0.1", "masses = [1, 2]", {"s.toml:4: system.masses", "3 entries", "got 2"});
  refused("mass = 0.1", "masses = [1, -2, 1]", {"s.toml:4: system.masses[1]", "-2"});
  refused("mass = 0.1", "mass = 0", {"s.toml:4: system.mass", "0"});
  refused("mass = 0.1", "mass = nan", {"s.toml:4: system.mass", "finite"});
  refused("mass = 0.1", "mass = 1\nmasses = [1, 1, 1]", {"s.toml:5: system.masses", "either"});
  refused("mass = 0.1\n", "", {"s.toml:1: system", "either 'mass'"});
  refused("wall = true", "wall = 1", {"s.toml:5: system.wall", "left, right, both", "got 1"});
  refused("wall = true", "wall = \"rihgt\"", {"s.toml:5: system.wall", "did you mean 'right'?"});
  refused("wall = true", "radii = [1, 2]", {"s.toml:5: system.radii", "3 entries", "got 2"});
  refused("wall = true", "radii = [1, 2, 0]", {"s.toml:5: system.radii[2]", "0"});
  refused("wall = true", "radius = 1\nradii = [1, 2, 3]", {"s.toml:6: system.radii", "either"});
  refused("wall = true", "names = [\"a\", \"b\"]", {"s.toml:5: system.names", "3 entries"});
  refused("wall = true", "names = [\"a\", \"b\", \"a\"]", {"s.toml:5: system.names[2]", "same"});
  refused("wall = true", "names = [\"a\", 5, \"c\"]", {"s.toml:5: system.names[1]", "string"});
  refused("mass = 0.1", "density = 1", {"s.toml:4: system.density", "needs 'radius'"});
  refused("mass = 0.1", "radius = 1\ndensity = -1", {"s.toml:5: system.density", "-1"});
  refused("mass = 0.1", "radius = 1\ndensity = 1e309", {"s.toml:5"});
  refused("mass = 0.1", "radius = 1e100\ndensity = 1e300",
          {"s.toml:4: system.radius", "density 1e+300 gives the mass inf"});
  refused("mass = 0.1", "mass = 1\nradius = 1\ndensity = 1",
          {"s.toml:6: system.density", "either 'mass'"});
  refused("balls = 3", "balls = 1000000000",
          {"s.toml:3: system.balls", "to 1000000", "1000000000"});
  refused("balls = 3\n", "", {"s.toml:1: system", "'balls' is missing", "masses, radii, names"});
  refused("balls = 3", "names = []", {"s.toml:3: system.names", "from 1 to"});
  refused("velocity = [1.0, 0.0, 0.0]", "speed = 1\nstrikers = 4",
          {"s.toml:11: start.strikers", "from 1 to 3", "got 4"});
  refused("velocity = [1.0, 0.0, 0.0]", "velocity = [1.0, 0.0, 0.0]\nstrikers = 2",
          {"s.toml:11: start.strikers", "goes with 'speed'"});
  refused("wall = true", "radius = -1", {"s.toml:5: system.radius", "-1"});
  refused("0.5", "2.5", {"s.toml:7: material.restitution", "2.5"});
  refused("restitution", "restitutoin", {"s.toml:7: material.restitutoin", "'restitution'?"});
  refused("stiffness = 1.0e9", "damping = 1", {"s.toml:8: material.damping", "'compliant' only"});
  refused("velocity = [1.0, 0.0, 0.0]", "velocity = [1.0, inf, 0.0]",
          {"s.toml:10: start.velocity[1]", "finite"});
  refused("velocity = [1.0, 0.0, 0.0]", "", {"s.toml:9: start", "either 'velocity'"});
  refused("[law]", "[lwa]", {"s.toml:11: lwa", "did you mean 'law'?"});
  refused("kind = \"lzb\"", "kind = \"darboux_keller\"",
          {"s.toml:12: law.kind", "did you mean 'darboux_keller_single'?"});
}

TEST(SceneFile, WhatTheLawRefusesIsLocatedInTheScene) {
  const Document document =
      parse_toml(with(kScene, "restitution = 0.5", "restitution = 1.5"), "s.toml");
  const ProblemFile file = read_problem_or_scene(document);
  expect_error([&] { resolve(file, document); }, {"s.toml:7: material.restitution", "1.5"});
}

TEST(SceneFile, AContactThatCannotMoveIsAMatterOfTheSystem) {
  const Document document =
      parse_toml(with(kScene, "mass = 0.1", "masses = [1e20, 1e20, 1]"), "s.toml");
  const ProblemFile file = read_problem_or_scene(document);
  expect_error([&] { resolve(file, document); }, {"s.toml:1: system", "no impulse"});
}

TEST(SceneFile, ExamplesAreRead) {
  int count = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(PERCUTE_SOURCE_DIR "/examples/scenes")) {
    const Document document = read_document(entry.path());
    EXPECT_TRUE(resolve(read_problem_or_scene(document), document).ok()) << entry.path();
    ++count;
  }
  EXPECT_GE(count, 8);
}

}  // namespace
}  // namespace percute::io

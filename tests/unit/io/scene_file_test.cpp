// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io_testing.hpp"

#include <percute/io/scene_file.hpp>

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

TEST(SceneFile, SpeedIsThatOfTheStriker) {
  const ProblemFile file = scene(with(kScene, "velocity = [1.0, 0.0, 0.0]", "speed = 2.5"));
  EXPECT_EQ(file.problem.velocity, 2.5 * Vector::Unit(3, 0));
}

TEST(SceneFile, MassesOneByOne) {
  const ProblemFile file = scene(with(kScene, "mass = 0.1", "masses = [1, 2, 3]"));
  EXPECT_EQ(file.problem.mass(1, 1), 2.0);
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
  refused("ball_chain", "rocking_block",
          {"s.toml:2: system.kind", "not available in this version"});
  refused("balls = 3", "balls = 4", {"s.toml:10: start.velocity", "4 entries", "got 3"});
  refused("balls = 3", "balls = 0", {"s.toml:3: system.balls", "from 1"});
  refused("balls = 3", "bals = 3", {"s.toml:3: system.bals", "did you mean 'balls'?"});
  refused("mass = 0.1", "masses = [1, 2]", {"s.toml:4: system.masses", "3 entries", "got 2"});
  refused("mass = 0.1", "masses = [1, -2, 1]", {"s.toml:4: system.masses[1]", "-2"});
  refused("mass = 0.1", "mass = 0", {"s.toml:4: system.mass", "0"});
  refused("mass = 0.1", "mass = nan", {"s.toml:4: system.mass", "finite"});
  refused("mass = 0.1", "mass = 1\nmasses = [1, 1, 1]", {"s.toml:5: system.masses", "either"});
  refused("mass = 0.1\n", "", {"s.toml:1: system", "either 'mass'"});
  refused("wall = true", "wall = 1", {"s.toml:5: system.wall", "true or false"});
  refused("wall = true", "radius = -1", {"s.toml:5: system.radius", "-1"});
  refused("0.5", "1.5", {"s.toml:7: material.restitution", "1.5"});
  refused("restitution", "restitutoin", {"s.toml:7: material.restitutoin", "'restitution'?"});
  refused("stiffness = 1.0e9", "damping = 1", {"s.toml:8: material.damping", "'compliant' only"});
  refused("velocity = [1.0, 0.0, 0.0]", "velocity = [1.0, inf, 0.0]",
          {"s.toml:10: start.velocity[1]", "finite"});
  refused("velocity = [1.0, 0.0, 0.0]", "", {"s.toml:9: start", "either 'velocity'"});
  refused("[law]", "[lwa]", {"s.toml:11: lwa", "did you mean 'law'?"});
  refused("kind = \"lzb\"", "kind = \"newton\"", {"s.toml:12: law.kind", "not available"});
}

TEST(SceneFile, WhatTheLawRefusesIsLocatedInTheScene) {
  const Document document =
      parse_toml(with(kScene, "restitution = 0.5", "friction = 0.5"), "s.toml");
  const ProblemFile file = read_problem_or_scene(document);
  expect_error([&] { resolve(file, document); }, {"s.toml:7: material.friction", "0.5"});
}

TEST(SceneFile, ExamplesAreRead) {
  int count = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(PERCUTE_SOURCE_DIR "/examples/scenes")) {
    const Document document = read_document(entry.path());
    EXPECT_TRUE(resolve(read_problem_or_scene(document), document).ok()) << entry.path();
    ++count;
  }
  EXPECT_GE(count, 4);
}

}  // namespace
}  // namespace percute::io

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io_testing.hpp"

#include <cmath>

// ball_chain scenes with radii by a pattern, balls of a substance, and other strikers than one.

namespace percute::io {
namespace {

using testing::expect_error;
using testing::with;

const std::string kScene = R"([system]
kind = "ball_chain"
balls = 5
radii = {pattern = "tapered", first = 2.0, taper = 0.5}
made_of = "unit"
wall = "right"
[material]
restitution = 0.9
[start]
speed = 1.0
)";

ProblemFile scene(const std::string& text) {
  return read_scene(parse_toml(text, "s.toml"));
}

/// Cube roots of the masses: the radii of unit balls.
Vector radii(const std::string& pattern, const std::string& balls = "balls = 5\n") {
  const ProblemFile file = scene(with(with(kScene, "balls = 5\n", balls),
                                      "pattern = \"tapered\", first = 2.0, taper = 0.5", pattern));
  Vector result(file.problem.velocity.size());
  for (int i = 0; i < result.size(); ++i) result[i] = std::cbrt(file.problem.mass(i, i));
  return result;
}

void expect_radii(const std::string& pattern, const Vector& expected,
                  const std::string& balls = "balls = 5\n") {
  const Vector found = radii(pattern, balls);
  ASSERT_EQ(found.size(), expected.size()) << pattern;
  // Rounding of a cube and its root.
  EXPECT_LE((found - expected).lpNorm<Eigen::Infinity>(), 1e-14) << pattern;
}

TEST(SceneSphereChain, RadiiFollowAPattern) {
  expect_radii("pattern = 'tapered', first = 2.0, taper = 0.5",
               Vector({{2.0, 1.0, 0.5, 0.25, 0.125}}));
  expect_radii("pattern = 'tapered', first = 2.0, taper = 0.5, reversed = true",
               Vector({{0.125, 0.25, 0.5, 1.0, 2.0}}));
  expect_radii("pattern = 'stepped', counts = [2, 3], values = [2, 1]",
               Vector({{2.0, 2.0, 1.0, 1.0, 1.0}}));
  expect_radii("pattern = 'stepped', counts = [2, 1], values = [2, 1]", Vector({{2.0, 2.0, 1.0}}),
               "");
  expect_radii("pattern = 'decorated', first = 1.0, taper = 0.5, small = 0.1",
               Vector({{1.0, 0.1, 0.5, 0.1, 0.25}}));
  expect_radii("pattern = 'decorated', first = 1.0, small = 0.1",
               Vector({{1.0, 0.1, 1.0, 0.1, 1.0}}));
  expect_radii("pattern = 'dimer', first = 1.0, second = 0.5", Vector({{1.0, 0.5, 1.0, 0.5, 1.0}}));
  expect_radii("pattern = 'big_ball', radius = 1.0, big = 5.0, place = 2",
               Vector({{1.0, 5.0, 1.0, 1.0, 1.0}}));
  const Vector random = radii("pattern = 'disordered', smallest = 0.7, largest = 1.3, seed = 5");
  EXPECT_EQ(random, radii("pattern = 'disordered', smallest = 0.7, largest = 1.3, seed = 5"));
  EXPECT_GE(random.minCoeff(), 0.7);
  EXPECT_LE(random.maxCoeff(), 1.3);
}

TEST(SceneSphereChain, APatternMayBeATableOfItsOwn) {
  const std::string text =
      with(with(kScene, "radii = {pattern = \"tapered\", first = 2.0, taper = 0.5}\n", ""),
           "[material]", "[system.radii]\npattern = \"dimer\"\nfirst = 1\nsecond = 2\n[material]");
  EXPECT_NEAR(scene(text).problem.mass(1, 1), 8.0, 1e-14);
}

TEST(SceneSphereChain, PatternsGoWithMassesToo) {
  const ProblemFile file = scene(with(kScene, "made_of = \"unit\"", "mass = 3"));
  EXPECT_EQ(file.problem.mass(4, 4), 3.0);
  EXPECT_EQ(file.problem.contacts[0].material.stiffness, 1.0);
  // Names count the balls as well.
  EXPECT_EQ(scene(with(with(kScene, "balls = 5", "names = ['a', 'b']"), "taper = 0.5", "taper = 0"))
                .contact_names,
            (std::vector<std::string>{"a–b", "b–wall"}));
}

TEST(SceneSphereChain, StiffnessFollowsFromTheSubstance) {
  const ProblemFile file = scene(kScene);
  ASSERT_EQ(file.problem.contacts.size(), 5U);
  EXPECT_DOUBLE_EQ(file.problem.contacts[0].material.stiffness, std::sqrt(2.0 * 2.0 / 3.0));
  EXPECT_DOUBLE_EQ(file.problem.contacts[4].material.stiffness, std::sqrt(0.25));
  EXPECT_EQ(file.problem.contacts[4].material.restitution, 0.9);
  EXPECT_EQ(file.problem.contacts[4].material.exponent, 1.5);
}

TEST(SceneSphereChain, SubstancesMayDiffer) {
  const auto stiffness = [](const std::string& made_of) -> Vector {
    const ProblemFile file = scene(with(
        with(kScene, "radii = {pattern = \"tapered\", first = 2.0, taper = 0.5}", "radius = 0.01"),
        "made_of = \"unit\"", made_of));
    Vector K(5);
    for (int i = 0; i < 5; ++i) {
      K[i] = file.problem.contacts[static_cast<std::size_t>(i)].material.stiffness;
    }
    return K;
  };
  const Vector dimer = stiffness("made_of = {repeat = [\"steel\", \"ptfe\"]}");
  EXPECT_EQ(dimer[0], dimer[3]);
  EXPECT_EQ(dimer, stiffness("made_of = ['steel', 'ptfe', 'steel', 'ptfe', 'steel']"));
  // Each contact has a PTFE ball: softer than two of steel.
  EXPECT_LT(dimer[1], 0.05 * stiffness("made_of = 'steel'")[1]);
  // The last ball is steel; so is the wall unless it is said to be something else.
  EXPECT_EQ(dimer[4], stiffness("made_of = 'steel'")[4]);
  EXPECT_LT(stiffness("made_of = 'steel'\nwall_made_of = 'acrylic'")[4], 0.1 * dimer[4]);
}

TEST(SceneSphereChain, StrikersOfAllKinds) {
  const auto velocity = [](const char* start) -> Vector {
    return scene(with(kScene, "speed = 1.0", start)).problem.velocity;
  };
  EXPECT_EQ(velocity("speed = 2\nboth_ends = true"), Vector({{2.0, 0.0, 0.0, 0.0, -2.0}}));
  EXPECT_EQ(velocity("speed = 2\nboth_ends = true\nstrikers = 2"),
            Vector({{2.0, 2.0, 0.0, -2.0, -2.0}}));
  EXPECT_EQ(velocity("speed = 2\nboth_ends = false"), Vector({{2.0, 0.0, 0.0, 0.0, 0.0}}));
  const ProblemFile heavy = scene(with(kScene, "wall = \"right\"", "striker_mass = 100"));
  EXPECT_EQ(heavy.problem.mass(0, 0), 100.0);
  EXPECT_EQ(heavy.problem.mass(1, 1), scene(kScene).problem.mass(1, 1));
}

TEST(SceneSphereChain, MistakesAreNamedWhereTheyAre) {
  const auto refused = [](const std::string& part, const std::string& other,
                          std::initializer_list<std::string> fragments) {
    expect_error([&] { scene(with(kScene, part, other)); }, fragments);
  };
  const auto pattern = [&](const std::string& keys, std::initializer_list<std::string> fragments) {
    refused("pattern = \"tapered\", first = 2.0, taper = 0.5", keys, fragments);
  };
  pattern("first = 1", {"s.toml:4: system.radii", "'pattern' is missing", "stepped, tapered"});
  pattern("pattern = 'tapred'", {"s.toml:4: system.radii.pattern", "did you mean 'tapered'?"});
  pattern("pattern = 'tapered', first = 1", {"s.toml:4: system.radii", "'taper' is missing"});
  pattern("pattern = 'tapered', first = 1, tapper = 0",
          {"s.toml:4: system.radii.tapper", "did you mean 'taper'?"});
  pattern("pattern = 'tapered', first = 1, taper = 1", {"s.toml:4: system.radii.taper", "< 1"});
  pattern("pattern = 'tapered', first = 0, taper = 0.1", {"s.toml:4: system.radii.first", "0"});
  pattern("pattern = 'tapered', first = 1e-300, taper = 0.999999",
          {"s.toml:4: system.radii.taper", "last of 5 balls"});
  pattern("pattern = 'dimer', first = 1, second = -1", {"s.toml:4: system.radii.second", "-1"});
  pattern("pattern = 'dimer', first = 1, taper = 1",
          {"s.toml:4: system.radii.taper", "allowed: pattern, first, second, reversed"});
  pattern("pattern = 'disordered', smallest = 2, largest = 1, seed = 1",
          {"s.toml:4: system.radii.largest", "below smallest"});
  pattern("pattern = 'disordered', smallest = 1, largest = 2, seed = -1",
          {"s.toml:4: system.radii.seed", "from 0"});
  pattern("pattern = 'disordered', smallest = 1, largest = 2",
          {"s.toml:4: system.radii", "'seed' is missing"});
  pattern("pattern = 'big_ball', radius = 1, big = 5, place = 6",
          {"s.toml:4: system.radii.place", "from 1 to 5", "got 6"});
  pattern("pattern = 'stepped', counts = [2, 2], values = [1, 2]",
          {"s.toml:3: system.balls", "must be 4, the sum of radii.counts, got 5"});
  pattern("pattern = 'stepped', counts = [2, 3], values = [1]",
          {"s.toml:4: system.radii.values", "has 1 entries"});
  pattern("pattern = 'stepped', counts = [2, 3], values = [1, 0]",
          {"s.toml:4: system.radii.values[1]", "> 0"});
  pattern("pattern = 'stepped', counts = [0, 5], values = [1, 2]",
          {"s.toml:4: system.radii.counts[0]", "from 1"});
  pattern("pattern = 'stepped', counts = [], values = []", {"s.toml:4: system.radii.counts"});
  pattern("pattern = 'stepped', counts = [1000000, 1], values = [1, 2]",
          {"s.toml:4: system.radii.counts", "1000000"});
  refused("balls = 5\nradii = {pattern = \"tapered\", first = 2.0, taper = 0.5}",
          "balls = 4\nradii = {pattern = 'decorated', first = 1, small = 0.5}",
          {"s.toml:3: system.balls", "4 is even"});
  refused("balls = 5\n", "", {"s.toml:1: system", "'balls' is missing"});
  refused("balls = 5", "balls = 5\nradius = 1", {"s.toml:5: system.radii", "either 'radius'"});
  refused("balls = 5", "balls = 5\nmasses = [1, 2]", {"s.toml:4: system.masses", "5 entries"});
  refused("\"unit\"", "\"uint\"", {"s.toml:5: system.made_of", "did you mean 'unit'?"});
  refused("\"unit\"", "['unit', 'unit']", {"s.toml:5: system.made_of", "5 entries"});
  refused("\"unit\"", "{repeat = []}", {"s.toml:5: system.made_of.repeat", "from 1 to 5"});
  refused("\"unit\"", "{repeat = ['steel', 'stel']}",
          {"s.toml:5: system.made_of.repeat[1]", "did you mean 'steel'?"});
  refused("\"unit\"", "{repeat = ['steel'], density = 1}",
          {"s.toml:5: system.made_of.density", "allowed: repeat"});
  refused("radii = {pattern = \"tapered\", first = 2.0, taper = 0.5}\n", "",
          {"s.toml:4: system.made_of", "needs 'radius' or 'radii'"});
  // Radii are numbers, their cubes are not.
  refused("first = 2.0", "first = 1e-120",
          {"s.toml:4: system.radii[0]", "the radius 1e-120 with", "gives the mass 0"});
  refused("first = 2.0, taper = 0.5}\nmade_of = \"unit\"",
          "first = 1e10, taper = 0}\ndensity = 1e300",
          {"s.toml:4: system.radii[0]", "gives the mass inf"});
  const std::string rigid = "{youngs_modulus = inf, poisson_ratio = 0.3, density = 1}";
  refused("\"unit\"", rigid,
          {"s.toml:5: system.made_of: balls 1 and 2 are rigid", "must be elastic"});
  refused("\"unit\"", "['unit', 'unit', 'unit', 'unit', " + rigid + "]",
          {"s.toml:5: system.made_of: the wall and ball 5 are rigid", "must be elastic"});
  refused("\"unit\"", "['unit', 'unit', 'unit', 'unit', " + rigid + "]\nwall_made_of = " + rigid,
          {"s.toml:6: system.wall_made_of: the wall and ball 5 are rigid"});
  refused("\"unit\"", "{repeet = ['steel', 'ptfe']}",
          {"s.toml:5: system.made_of.repeet", "did you mean 'repeat'?",
           "allowed: youngs_modulus, poisson_ratio, density, repeat"});
  refused("wall = \"right\"", "wall_made_of = \"steel\"",
          {"s.toml:6: system.wall_made_of", "goes with 'made_of' and a 'wall'"});
  refused("made_of = \"unit\"", "mass = 1\nwall_made_of = \"steel\"",
          {"s.toml:6: system.wall_made_of", "goes with 'made_of' and a 'wall'"});
  refused("wall = \"right\"", "striker_mass = 0", {"s.toml:6: system.striker_mass", "0"});
  refused("restitution = 0.9", "stiffness = 1",
          {"s.toml:8: material.stiffness", "follows from system.made_of"});
  refused("speed = 1.0", "speed = 1\nboth_ends = true\nstrikers = 3",
          {"s.toml:12: start.strikers", "from 1 to 2", "got 3"});
  refused("speed = 1.0", "velocity = [1, 0, 0, 0, 0]\nboth_ends = true",
          {"s.toml:11: start.both_ends", "goes with 'speed'"});
  refused("speed = 1.0", "speed = 1\nboth_ends = 1", {"s.toml:11: start.both_ends", "true or"});
}

TEST(SceneSphereChain, OneBallHasNoTwoEnds) {
  expect_error(
      [] {
        scene(
            "[system]\nkind = 'ball_chain'\nballs = 1\nmass = 1\n[start]\nspeed = 1\n"
            "both_ends = true\n");
      },
      {"s.toml:7: start.both_ends", "needs 2 balls"});
}

}  // namespace
}  // namespace percute::io

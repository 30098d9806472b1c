// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io_testing.hpp"

#include <cmath>

namespace percute::io {
namespace {

using testing::expect_error;
using testing::with;

const std::string kScene = R"([system]
kind = "stacked_balls"
masses = [0.58, 0.058]
radii = [0.38, 0.0325]
pressure = 1e5
[material]
restitution = [0.8, 0.55]
[start]
height = 1.5
gravity = 9.81
)";

ProblemFile scene(const std::string& text) {
  return read_scene(parse_toml(text, "s.toml"));
}

TEST(SceneStackedBalls, ReadsInflatedBalls) {
  const ProblemFile file = scene(kScene);
  EXPECT_EQ(file.contact_names, (std::vector<std::string>{"1–floor", "1–2"}));
  EXPECT_EQ(file.problem.velocity, Vector::Constant(2, -std::sqrt(2.0 * 9.81 * 1.5)));
  const Material& floor = file.problem.contacts[0].material;
  const Material& between = file.problem.contacts[1].material;
  EXPECT_EQ(floor.restitution, 0.8);
  EXPECT_EQ(between.restitution, 0.55);
  EXPECT_EQ(between.exponent, 1.0);
  // Equal pressures: 1 + R_1/R_2, to rounding.
  EXPECT_NEAR(floor.stiffness / between.stiffness, 1.0 + 0.38 / 0.0325, 1e-13);
}

TEST(SceneStackedBalls, StiffnessMayBeGivenInstead) {
  const ProblemFile file = scene(with(with(kScene, "pressure = 1e5\n", ""),
                                      "restitution = [0.8, 0.55]", "stiffness = [12.5, 1.0]"));
  EXPECT_EQ(file.problem.contacts[0].material.stiffness, 12.5);
  EXPECT_EQ(file.problem.contacts[0].material.exponent, 1.0);
}

TEST(SceneStackedBalls, StartsBySpeedOrVelocity) {
  const auto velocity = [](const char* start) -> Vector {
    return scene(with(kScene, "height = 1.5\ngravity = 9.81", start)).problem.velocity;
  };
  EXPECT_EQ(velocity("speed = 2"), Vector({{-2.0, -2.0}}));
  EXPECT_EQ(velocity("velocity = [-1, 3]"), Vector({{-1.0, 3.0}}));
}

TEST(SceneStackedBalls, MistakesAreNamedWhereTheyAre) {
  const auto refused = [](const char* part, const char* other,
                          std::initializer_list<std::string> fragments) {
    expect_error([&] { scene(with(kScene, part, other)); }, fragments);
  };
  refused("masses = [0.58, 0.058]", "masses = [0.58, 0]", {"s.toml:3: system.masses[1]", "0"});
  refused("radii = [0.38, 0.0325]", "radii = [0.38]", {"s.toml:4: system.radii", "2 entries"});
  refused("radii = [0.38, 0.0325]", "radius = 0", {"s.toml:4: system.radius", "0"});
  refused("radii = [0.38, 0.0325]\n", "", {"s.toml:1: system", "either 'radius'"});
  refused("pressure = 1e5", "pressure = -1", {"s.toml:5: system.pressure", "-1"});
  refused("pressure = 1e5", "pressures = [1, 0]", {"s.toml:5: system.pressures[1]", "0"});
  refused("pressure = 1e5", "pressures = [1]", {"s.toml:5: system.pressures", "2 entries"});
  refused("pressure = 1e5", "pressure = 1e308", {"s.toml:5: system.pressure", "inf"});
  refused("pressure = 1e5", "presure = 1", {"s.toml:5: system.presure", "did you mean 'pressure'"});
  refused("pressure = 1e5", "balls = 3", {"s.toml:4: system.radii", "3 entries"});
  refused("pressure = 1e5", "names = [\"a\"]", {"s.toml:5: system.names", "2 entries"});
  refused("restitution = [0.8, 0.55]", "stiffness = 1e5",
          {"s.toml:7: material.stiffness", "pressure"});
  refused("restitution = [0.8, 0.55]", "exponent = 1.5",
          {"s.toml:7: material.exponent", "pressure"});
  refused("height = 1.5\n", "", {"s.toml:8: start", "give one of 'velocity'"});
  refused("height = 1.5", "height = 1.5\nspeed = 1",
          {"s.toml:10: start.speed", "give one of 'velocity'"});
  refused("gravity = 9.81\n", "", {"s.toml:8: start", "'gravity' is missing"});
  refused("height = 1.5", "speed = 1", {"s.toml:10: start.gravity", "goes with 'height'"});
  refused("height = 1.5", "height = 0", {"s.toml:9: start.height", "0"});
  refused("gravity = 9.81", "gravity = -9.81", {"s.toml:10: start.gravity", "-9.81"});
  refused("height = 1.5\ngravity = 9.81", "speed = -1", {"s.toml:9: start.speed", "-1"});
  refused("height = 1.5\ngravity = 9.81", "velocity = [1]",
          {"s.toml:9: start.velocity", "2 entries"});
}

}  // namespace
}  // namespace percute::io

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io_testing.hpp"

namespace percute::io {
namespace {

using testing::expect_error;
using testing::with;

const std::string kScene = R"([system]
kind = "planar_body"
mass = 2.0
inertia = 0.5
points = [
  {at = [-1.0, -0.5]},
  {at = [1.0, -0.5], normal = [-3, 4], name = "ramp"},
]
[start]
velocity = [0.1, -1.0, 0.2]
)";

ProblemFile scene(const std::string& text) {
  return read_scene(parse_toml(text, "s.toml"));
}

TEST(ScenePlanarBody, ReadsItsPoints) {
  const ProblemFile file = scene(kScene);
  EXPECT_EQ(file.contact_names, (std::vector<std::string>{"point 1", "ramp"}));
  EXPECT_EQ(file.bodies[0].name, "body");
  EXPECT_EQ(file.problem.velocity, Vector({{0.1, -1.0, 0.2}}));
  EXPECT_EQ(file.problem.mass(2, 2), 0.5);
  // The normal of the floor is the default; any other is scaled to length one.
  EXPECT_EQ(Vector(file.problem.gradients.col(0)), Vector({{0.0, 1.0, -1.0}}));
  EXPECT_TRUE(Vector(file.problem.gradients.col(1)).isApprox(Vector{{-0.6, 0.8, 0.5}}, 1e-15));
}

TEST(ScenePlanarBody, TurnsByDegrees) {
  const ProblemFile file = scene(with(kScene, "mass", "name = \"plank\"\nangle_deg = 90\nmass"));
  EXPECT_EQ(file.bodies[0].name, "plank");
  // Turned by 90°, point 1 is at (0.5, −1): lever arm 0.5 for the vertical.
  EXPECT_NEAR(file.problem.gradients.coeff(2, 0), 0.5, 1e-15);
}

TEST(ScenePlanarBody, MistakesAreNamedWhereTheyAre) {
  const auto refused = [](const char* part, const char* other,
                          std::initializer_list<std::string> fragments) {
    expect_error([&] { scene(with(kScene, part, other)); }, fragments);
  };
  refused("inertia = 0.5", "intertia = 0.5",
          {"s.toml:4: system.intertia", "did you mean 'inertia'?"});
  refused("inertia = 0.5\n", "", {"s.toml:1: system", "'inertia' is missing"});
  refused("inertia = 0.5", "inertia = -0.5", {"s.toml:4: system.inertia", "-0.5", "> 0"});
  refused("mass = 2.0", "mass = 0", {"s.toml:3: system.mass", "0", "> 0"});
  refused("at = [-1.0, -0.5]", "at = [-1.0]",
          {"s.toml:6: system.points[0].at", "2 entries, got 1"});
  refused("at = [-1.0, -0.5]", "normal = [0, 1]",
          {"s.toml:6: system.points[0]", "'at' is missing"});
  refused("normal = [-3, 4]", "normal = [0, 0]",
          {"s.toml:7: system.points[1].normal", "is zero", "direction"});
  refused("normal = [-3, 4]", "norml = [0, 1]",
          {"s.toml:7: system.points[1].norml", "did you mean 'normal'?"});
  refused("\"ramp\"", "\"point 1\"", {"s.toml:7: system.points[1].name", "points[0]"});
  refused("mass = 2.0", "mass = 2.0\nangle_deg = \"up\"",
          {"s.toml:4: system.angle_deg", "a number", "\"up\""});
  refused("velocity = [0.1, -1.0, 0.2]", "velocity = [0.1, -1.0]",
          {"s.toml:10: start.velocity", "3 entries", "[vx, vy, omega]", "got 2"});
  refused("velocity = [0.1, -1.0, 0.2]", "speed = 1", {"s.toml:10: start.speed", "velocity"});
  expect_error(
      [] {
        scene(
            "[system]\nkind = 'planar_body'\nmass = 1\ninertia = 1\npoints = []\n"
            "[start]\nvelocity = [0, 0, 0]");
      },
      {"s.toml:5: system.points", "from 1 to 1000 entries, one per point, got 0"});
}

}  // namespace
}  // namespace percute::io

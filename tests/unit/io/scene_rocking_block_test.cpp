// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io_testing.hpp"

namespace percute::io {
namespace {

using testing::expect_error;
using testing::with;

const std::string kScene = R"([system]
kind = "rocking_block"
width = 1.0
height = 2.0
mass = 3.0
[material]
restitution = [0.4, 0.6]
[start]
rotating_about = "left"
angular_velocity = -1.0
)";

ProblemFile scene(const std::string& text) {
  return read_scene(parse_toml(text, "s.toml"));
}

TEST(SceneRockingBlock, ReadsARotation) {
  const ProblemFile file = scene(kScene);
  EXPECT_EQ(file.contact_names, (std::vector<std::string>{"left–floor", "right–floor"}));
  EXPECT_EQ(file.problem.velocity, Vector({{1.0, -0.5, -1.0}}));
  EXPECT_EQ(file.problem.mass(2, 2), 1.25);
  EXPECT_EQ(file.problem.contacts[1].material.restitution, 0.6);
  EXPECT_EQ(Matrix(tangents_of(file.problem, 1)), Vector({{1.0, 0.0, 1.0}}));
  ASSERT_EQ(file.bodies.size(), 1U);
  EXPECT_EQ(file.bodies[0].coordinate_name(2), "block angle");
  EXPECT_EQ(scene(with(kScene, "\"left\"", "\"right\"")).problem.velocity,
            Vector({{1.0, 0.5, -1.0}}));
}

TEST(SceneRockingBlock, ReadsVelocitiesAndInertia) {
  const ProblemFile file =
      scene(with(with(kScene, "rotating_about = \"left\"\nangular_velocity = -1.0",
                      "velocity = [0.1, -0.2, 0.3]"),
                 "mass = 3.0", "mass = 3.0\ninertia = 0.7"));
  EXPECT_EQ(file.problem.velocity, Vector({{0.1, -0.2, 0.3}}));
  EXPECT_EQ(file.problem.mass(2, 2), 0.7);
}

TEST(SceneRockingBlock, MistakesAreNamedWhereTheyAre) {
  const auto refused = [](const char* part, const char* other,
                          std::initializer_list<std::string> fragments) {
    expect_error([&] { scene(with(kScene, part, other)); }, fragments);
  };
  refused("width = 1.0", "widht = 1.0", {"s.toml:3: system.widht", "did you mean 'width'?"});
  refused("width = 1.0", "width = 0", {"s.toml:3: system.width", "0", "> 0"});
  refused("width = 1.0\n", "", {"s.toml:1: system", "'width' is missing"});
  refused("height = 2.0", "height = -1", {"s.toml:4: system.height", "-1", "> 0"});
  refused("mass = 3.0", "mass = \"3\"", {"s.toml:5: system.mass", "a number", "\"3\""});
  refused("mass = 3.0", "mass = 0", {"s.toml:5: system.mass", "0", "> 0"});
  refused("mass = 3.0", "mass = 3\ninertia = 0", {"s.toml:6: system.inertia", "0", "> 0"});
  refused("restitution = [0.4, 0.6]", "restitution = [0.4]",
          {"s.toml:7: material.restitution", "2 entries", "left–floor, right–floor"});
  refused("\"left\"", "\"up\"", {"s.toml:9: start.rotating_about", "\"up\"", "left, right"});
  refused("angular_velocity = -1.0", "", {"s.toml:8: start", "'angular_velocity' is missing"});
  refused("angular_velocity = -1.0", "angular_velocity = 1e200",
          {"s.toml:10: start.angular_velocity", "too large"});
  refused("rotating_about = \"left\"\n", "", {"s.toml:8: start", "either 'velocity'"});
  refused("rotating_about = \"left\"", "velocity = [0, -1, 0]",
          {"s.toml:10: start.angular_velocity", "goes with 'rotating_about'"});
  refused("angular_velocity = -1.0", "velocity = [0, -1, 0]",
          {"s.toml:10: start.velocity", "either 'velocity'"});
  refused("rotating_about = \"left\"\nangular_velocity = -1.0", "velocity = [0, -1]",
          {"s.toml:9: start.velocity", "3 entries", "[vx, vy, omega]", "got 2"});
}

}  // namespace
}  // namespace percute::io

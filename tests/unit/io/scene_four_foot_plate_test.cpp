// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io_testing.hpp"

namespace percute::io {
namespace {

using testing::expect_error;
using testing::with;

const std::string kScene = R"([system]
kind = "four_foot_plate"
length = 2.0
width = 1.0
mass = 1.0
[start]
velocity = [-1.0, 0.3, -0.2]
)";

const std::string kSliding = with(with(kScene, "[start]", "sliding = true\nheight = 0.4\n[start]"),
                                  "[-1.0, 0.3, -0.2]", "[0.1, 0.2, -1.0, 0.3, -0.2, 0.0]");

ProblemFile scene(const std::string& text) {
  return read_scene(parse_toml(text, "s.toml"));
}

TEST(SceneFourFootPlate, ReadsAPlateOnItsCorners) {
  const ProblemFile file = scene(kScene);
  EXPECT_EQ(file.contact_names.size(), 4U);
  EXPECT_EQ(file.contact_names[3], "foot 4–floor");
  EXPECT_EQ(file.problem.velocity, Vector({{-1.0, 0.3, -0.2}}));
  EXPECT_EQ(Vector(file.problem.gradients.col(1)), Vector({{1.0, 0.5, 1.0}}));
  EXPECT_EQ(file.problem.contacts[0].directions, 0);
  EXPECT_EQ(file.bodies[0].coordinate_name(1), "plate rx");
}

TEST(SceneFourFootPlate, ReadsASlidingPlate) {
  const ProblemFile file = scene(kSliding);
  EXPECT_EQ(file.problem.velocity.size(), 6);
  EXPECT_EQ(file.problem.contacts[0].directions, 2);
  EXPECT_EQ(Matrix(tangents_of(file.problem, 0))(3, 1), 0.4);
  EXPECT_EQ(file.bodies[0].coordinate_name(5), "plate rz");
}

TEST(SceneFourFootPlate, ReadsFeetAndInertias) {
  const ProblemFile file =
      scene(with(kScene, "mass = 1.0",
                 "mass = 1.0\ninertias = [0.1, 0.2, 0.3]\nfeet = [[0, 0.4], [-0.3, -0.2]]"));
  EXPECT_EQ(file.contact_names, (std::vector<std::string>{"foot 1–floor", "foot 2–floor"}));
  EXPECT_EQ(file.problem.mass(2, 2), 0.2);
  EXPECT_EQ(Vector(file.problem.gradients.col(1)), Vector({{1.0, -0.2, 0.3}}));
}

TEST(SceneFourFootPlate, MistakesAreNamedWhereTheyAre) {
  const auto refused = [](const char* part, const char* other,
                          std::initializer_list<std::string> fragments) {
    expect_error([&] { scene(with(kScene, part, other)); }, fragments);
  };
  refused("length = 2.0", "lenght = 2.0", {"s.toml:3: system.lenght", "did you mean 'length'?"});
  refused("length = 2.0\n", "", {"s.toml:1: system", "'length' is missing"});
  refused("width = 1.0", "width = 0", {"s.toml:4: system.width", "0", "> 0"});
  refused("mass = 1.0", "mass = -1", {"s.toml:5: system.mass", "-1", "> 0"});
  refused("[start]", "inertias = [1, 1]\n[start]",
          {"s.toml:6: system.inertias", "3 entries, about x, y and z, got 2"});
  refused("[start]", "inertias = [1, 0, 1]\n[start]", {"s.toml:6: system.inertias[1]", "0", "> 0"});
  refused("[start]", "feet = []\n[start]", {"s.toml:6: system.feet", "from 1 to 1000", "got 0"});
  refused("[start]", "feet = [[1, 2, 3]]\n[start]", {"s.toml:6: system.feet[0]", "[x, y]"});
  refused("[start]", "sliding = 1\n[start]", {"s.toml:6: system.sliding", "true or false", "1"});
  refused("[start]", "height = 1\n[start]", {"s.toml:6: system.height", "goes with 'sliding"});
  refused("[-1.0, 0.3, -0.2]", "[-1.0]",
          {"s.toml:7: start.velocity", "3 entries, [vz, wx, wy], got 1"});
  expect_error([] { scene(with(kSliding, "height = 0.4", "height = -1")); },
               {"s.toml:7: system.height", "-1", ">= 0"});
  expect_error([] { scene(with(kSliding, "[0.1, 0.2, -1.0, 0.3, -0.2, 0.0]", "[1, 2, 3]")); },
               {"s.toml:9: start.velocity", "6 entries, [vx, vy, vz, wx, wy, wz], got 3"});
}

}  // namespace
}  // namespace percute::io

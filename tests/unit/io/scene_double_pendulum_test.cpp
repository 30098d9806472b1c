// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io_testing.hpp"

namespace percute::io {
namespace {

using testing::expect_error;
using testing::with;

const std::string kScene = R"([system]
kind = "double_pendulum"
masses = [1.0, 1.0]
lengths = [1.0, 1.0]
angles_deg = [20.0, 30.0]
[start]
rates = [-0.1, -0.2]
)";

ProblemFile scene(const std::string& text) {
  return read_scene(parse_toml(text, "s.toml"));
}

TEST(SceneDoublePendulum, ReadsKanesExample) {
  const ProblemFile file = scene(kScene);
  EXPECT_EQ(file.contact_names, std::vector<std::string>{"tip–floor"});
  ASSERT_EQ(file.bodies.size(), 2U);
  EXPECT_EQ(file.bodies[0].unit(0), "rad/s");
  const Vector gap_rate = file.problem.gradients.transpose() * file.problem.velocity;
  EXPECT_NEAR(gap_rate[0], -0.1342020143, 1e-10);  // ten digits are known
}

TEST(SceneDoublePendulum, ReadsAWall) {
  const auto names = [](const char* wall) {
    return scene(with(kScene, "[start]", std::string("wall = ") + wall + "\n[start]"))
        .contact_names;
  };
  EXPECT_EQ(names("\"left\""), (std::vector<std::string>{"tip–floor", "tip–wall"}));
  EXPECT_EQ(names("\"none\""), std::vector<std::string>{"tip–floor"});
}

TEST(SceneDoublePendulum, MistakesAreNamedWhereTheyAre) {
  const auto refused = [](const char* part, const char* other,
                          std::initializer_list<std::string> fragments) {
    expect_error([&] { scene(with(kScene, part, other)); }, fragments);
  };
  refused("masses = [1.0, 1.0]", "mass = 1", {"s.toml:3: system.mass", "did you mean 'masses'?"});
  refused("masses = [1.0, 1.0]", "masses = [1.0]", {"s.toml:3: system.masses", "2 entries, got 1"});
  refused("masses = [1.0, 1.0]", "masses = [1.0, 0]", {"s.toml:3: system.masses[1]", "0", "> 0"});
  refused("lengths = [1.0, 1.0]", "lengths = [-1, 1]",
          {"s.toml:4: system.lengths[0]", "-1", "> 0"});
  refused("lengths = [1.0, 1.0]\n", "", {"s.toml:1: system", "'lengths' is missing"});
  refused("[20.0, 30.0]", "[0.0, 180.0]", {"s.toml:5: system.angles_deg", "vertical"});
  refused("[20.0, 30.0]", "[20.0, 30.0, 40.0]",
          {"s.toml:5: system.angles_deg", "2 entries", "got 3"});
  refused("[20.0, 30.0]", "[90.0, -90.0]\nwall = \"left\"",
          {"s.toml:5: system.angles_deg", "level", "wall"});
  refused("[start]", "wall = \"both\"\n[start]",
          {"s.toml:6: system.wall", "\"both\"", "none, left, right"});
  refused("rates = [-0.1, -0.2]", "velocity = [1, 2]",
          {"s.toml:7: start.velocity", "allowed: rates"});
  refused("rates = [-0.1, -0.2]", "rates = [-0.1]",
          {"s.toml:7: start.rates", "2 entries, one per rod, got 1"});
  refused("rates = [-0.1, -0.2]", "rates = [1e200, 0]", {"s.toml:7: start.rates", "too large"});
}

}  // namespace
}  // namespace percute::io

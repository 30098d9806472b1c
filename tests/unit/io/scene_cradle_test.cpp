// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io_testing.hpp"

namespace percute::io {
namespace {

using testing::expect_error;
using testing::with;

const std::string kScene = R"([system]
kind = "cradle"
balls = 3
mass = 2.0
radius = 0.05
length = 0.5
[start]
rates = [2.0, 0.0, 0.0]
)";

ProblemFile scene(const std::string& text) {
  return read_scene(parse_toml(text, "s.toml"));
}

TEST(SceneCradle, HangsDownUnlessToldOtherwise) {
  const ProblemFile file = scene(kScene);
  EXPECT_EQ(file.contact_names, (std::vector<std::string>{"1–2", "2–3"}));
  EXPECT_EQ(file.problem.mass(0, 0), 2.0 * 0.5 * 0.5);
  EXPECT_EQ(file.problem.velocity, Vector({{2.0, 0.0, 0.0}}));
  EXPECT_NEAR(file.problem.gradients.coeff(0, 0), -0.5, 1e-15);  // h′ = L (θ_2′ − θ_1′)
  EXPECT_EQ(file.bodies[0].unit(0), "rad/s");

  // The first ball is away: the others touch.
  const ProblemFile lifted = scene(kScene + "angles_deg = [-30, 0, 0]\n");
  EXPECT_EQ(lifted.contact_names, std::vector<std::string>{"2–3"});
  // Gravity is for motion; here the balls hang apart.
  EXPECT_TRUE(scene(with(kScene, "balls = 3", "balls = 3\nspacing = 0.01\ngravity = 9.81"))
                  .contact_names.empty());
}

TEST(SceneCradle, MistakesAreNamedWhereTheyAre) {
  const auto refused = [](const char* part, const char* other,
                          std::initializer_list<std::string> fragments) {
    expect_error([&] { scene(with(kScene, part, other)); }, fragments);
  };
  refused("length = 0.5\n", "", {"s.toml:1: system", "'length' is missing"});
  refused("length = 0.5", "lenght = 0.5", {"system.lenght", "did you mean 'length'?"});
  refused("length = 0.5", "length = 0", {"s.toml:6: system.length", "0", "> 0"});
  refused("balls = 3", "balls = 2000", {"s.toml:3: system.balls", "2000", "1000"});
  refused("mass = 2.0", "masses = [1, 2]", {"s.toml:4: system.masses", "3 entries", "got 2"});
  refused("radius = 0.05", "radius = 0.05\nspacing = -1", {"system.spacing", "-1", ">= 0"});
  refused("[2.0, 0.0, 0.0]", "[2.0]", {"s.toml:8: start.rates", "3 entries", "got 1"});
  refused("rates", "velocity", {"s.toml:8: start.velocity", "rates"});
}

}  // namespace
}  // namespace percute::io

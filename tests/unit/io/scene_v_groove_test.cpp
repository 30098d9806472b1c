// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io_testing.hpp"

namespace percute::io {
namespace {

using testing::expect_error;
using testing::with;

const std::string kScene = R"([system]
kind = "v_groove"
mass = 2.0
opening_deg = 120
[start]
velocity = [0.3, -1.0]
)";

ProblemFile scene(const std::string& text) {
  return read_scene(parse_toml(text, "s.toml"));
}

TEST(SceneVGroove, ReadsTheOpening) {
  const ProblemFile file = scene(kScene);
  EXPECT_EQ(file.contact_names,
            (std::vector<std::string>{"particle–left wall", "particle–right wall"}));
  EXPECT_EQ(file.bodies[0].coordinate_name(0), "particle x");
  EXPECT_EQ(file.problem.velocity, Vector({{0.3, -1.0}}));
  // Walls at 30° from the horizontal; the left one pushes to the right.
  EXPECT_NEAR(file.problem.gradients.coeff(0, 0), 0.5, 1e-15);
  EXPECT_NEAR(file.problem.gradients.coeff(0, 1), -0.5, 1e-15);
  EXPECT_EQ(file.problem.mass(0, 0), 2.0);
}

TEST(SceneVGroove, MistakesAreNamedWhereTheyAre) {
  const auto refused = [](const char* part, const char* other,
                          std::initializer_list<std::string> fragments) {
    expect_error([&] { scene(with(kScene, part, other)); }, fragments);
  };
  refused("opening_deg = 120", "opening = 120",
          {"s.toml:4: system.opening", "did you mean 'opening_deg'?"});
  refused("opening_deg = 120\n", "", {"s.toml:1: system", "'opening_deg' is missing"});
  for (const char* value : {"0", "180", "-30", "720"}) {
    refused("120", value, {"s.toml:4: system.opening_deg", value, "is not in (0, 180) degrees"});
  }
  refused("120", "1e-323", {"s.toml:4: system.opening_deg", "0"});
  refused("mass = 2.0", "mass = -2", {"s.toml:3: system.mass", "-2", "> 0"});
  refused("[0.3, -1.0]", "[0.3]", {"s.toml:6: start.velocity", "2 entries, [x, y]"});
  refused("[0.3, -1.0]", "[0.3, 1e200]", {"s.toml:6: start.velocity", "too large"});
}

}  // namespace
}  // namespace percute::io

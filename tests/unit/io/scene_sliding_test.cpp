// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io_testing.hpp"

// Systems that slide and spin: their keys, and what is said of mistakes.

namespace percute::io {
namespace {

using testing::expect_error;
using testing::with;

using Names = std::vector<std::string>;

ProblemFile scene(const std::string& text) {
  return read_scene(parse_toml(text, "s.toml"));
}

void refused(const std::string& text, const char* part, const char* other,
             std::initializer_list<std::string> fragments) {
  expect_error([&] { scene(with(text, part, other)); }, fragments);
}

const std::string kBody = R"([system]
kind = "spatial_body"
mass = 2.0
inertia = [0.5, 0.6, 0.7]
points = [
  {at = [1.0, 0.0, -0.5]},
  {at = [-1.0, 0.5, -0.5], normal = [0, -3, 4], name = "ramp"},
]
[start]
velocity = [0.1, 0.2, -1.0, 0.3, 0.4, 0.5]
)";

TEST(SceneSpatialBody, ReadsPointsAndInertia) {
  const ProblemFile file = scene(kBody);
  EXPECT_EQ(file.contact_names, (Names{"point 1", "ramp"}));
  EXPECT_EQ(file.problem.mass(4, 4), 0.6);
  EXPECT_EQ(Vector(file.problem.gradients.col(0)), Vector({{0, 0, 1, 0, -1, 0}}));
  EXPECT_EQ(file.problem.contacts[1].directions, 2);
  const ProblemFile tensor =
      scene(with(kBody, "[0.5, 0.6, 0.7]", "[[0.5, 0.1, 0], [0.1, 0.6, 0], [0, 0, 0.7]]"));
  EXPECT_EQ(tensor.problem.mass(3, 4), 0.1);
  // A quarter turn about z brings the first point to (0, 1, −0.5).
  const ProblemFile turned = scene(with(kBody, "mass", "rotation_deg = [0, 0, 90]\nmass"));
  EXPECT_NEAR(turned.problem.gradients.coeff(3, 0), 1.0, 1e-15);
}

TEST(SceneSpatialBody, ABoxStandsOnItsCorners) {
  const std::string box =
      "[system]\nkind = 'spatial_body'\nmass = 12\nbox = [1, 2, 3]\n"
      "[start]\nvelocity = [0, 0, -1, 0, 0, 0]\n";
  const ProblemFile file = scene(box);
  EXPECT_EQ(file.contact_names.back(), "corner 4–floor");
  EXPECT_EQ(file.problem.mass(3, 3), 13.0);
  refused(box, "2, 3]", "0, 3]", {"s.toml:4: system.box", "0", "> 0"});
  refused(box, "mass = 12", "mass = 12\ninertia = [1, 1, 1]",
          {"s.toml:4: system.inertia", "'box'"});
}

TEST(SceneSpatialBody, MistakesAreNamedWhereTheyAre) {
  refused(kBody, "inertia = [0.5, 0.6, 0.7]", "inertia = [0.5, 0.6]",
          {"s.toml:4: system.inertia", "3 entries"});
  refused(kBody, "[0.5, 0.6, 0.7]", "[0.5, 0.6, 7]", {"s.toml:4: system.inertia", "no body"});
  refused(kBody, "[0.5, 0.6, 0.7]", "[0.5, 0.6, -1]", {"s.toml:4: system.inertia", "positive"});
  refused(kBody, "at = [1.0, 0.0, -0.5]", "at = [1.0, 0.0]",
          {"s.toml:6: system.points[0].at", "3 entries"});
  refused(kBody, "normal = [0, -3, 4]", "normal = [0, 0, 0]",
          {"s.toml:7: system.points[1].normal", "is zero"});
  refused(kBody, "\"ramp\"", "\"point 1\"", {"s.toml:7: system.points[1].name", "points[0]"});
  refused(kBody, "0.3, 0.4, 0.5]", "0.3]",
          {"s.toml:10: start.velocity", "6 entries", "[vx, vy, vz, wx, wy, wz]", "got 4"});
}

const std::string kSphere = R"([system]
kind = "sphere_on_plane"
mass = 2.0
radius = 0.5
[start]
velocity = [1.0, 0.0, -1.0]
spin = [0.0, 3.0, 0.0]
)";

TEST(SceneSphereOnPlane, ReadsMotionAndShape) {
  const ProblemFile file = scene(kSphere);
  EXPECT_EQ(file.contact_names, Names{"sphere–plane"});
  EXPECT_EQ(file.problem.velocity, Vector({{1, 0, -1, 0, 3, 0}}));
  EXPECT_NEAR(file.problem.mass(5, 5), 0.2, 1e-16);
  EXPECT_NEAR(scene(with(kSphere, "mass", "inertia_factor = 0.5\nmass")).problem.mass(3, 3), 0.25,
              1e-16);
  const ProblemFile wall = scene(with(kSphere, "mass", "normal = [-2, 0, 0]\nmass"));
  EXPECT_EQ(Vector(wall.problem.gradients.col(0)), Vector({{-1, 0, 0, 0, 0, 0}}));
  EXPECT_EQ(scene(with(kSphere, "spin = [0.0, 3.0, 0.0]\n", "")).problem.velocity[4], 0.0);
  refused(kSphere, "radius = 0.5", "radius = 0", {"s.toml:4: system.radius", "0", "> 0"});
  refused(kSphere, "mass = 2.0", "mass = -2", {"s.toml:3: system.mass", "-2", "> 0"});
  refused(kSphere, "mass = 2.0", "mass = 2\ninertia_factor = 1.5",
          {"s.toml:4: system.inertia_factor", "1.5", "(0, 1]"});
  refused(kSphere, "mass = 2.0", "mass = 2\nnormal = [0, 0, 0]",
          {"s.toml:4: system.normal", "is zero"});
  refused(kSphere, "spin = [0.0, 3.0, 0.0]", "spin = 3", {"s.toml:7: start.spin", "3"});
}

const std::string kTwo = R"([system]
kind = "two_spheres"
mass = 2.0
radii = [0.5, 1.0]
centres = [[0, 0, 0], [0, 1.5, 0]]
[start]
velocity = [[0, 1, 0], [0, 0, 0]]
)";

TEST(SceneTwoSpheres, ReadsCentresOrTheirDirection) {
  const ProblemFile file = scene(kTwo);
  EXPECT_EQ(file.problem.gradients.coeff(1, 0), -1.0);
  EXPECT_EQ(file.problem.gradients.coeff(7, 0), 1.0);
  EXPECT_EQ(file.problem.velocity[1], 1.0);
  const ProblemFile along =
      scene(with(kTwo, "centres = [[0, 0, 0], [0, 1.5, 0]]", "normal = [0, 0, 7]"));
  EXPECT_EQ(along.problem.gradients.coeff(8, 0), 1.0);
  const ProblemFile spinning = scene(kTwo + "spin = [[1, 2, 3], [4, 5, 6]]\n");
  EXPECT_EQ(spinning.problem.velocity.tail<3>(), Vector({{4, 5, 6}}));
  refused(kTwo, "1.5, 0]]", "1.6, 0]]", {"s.toml:5: system.centres", "1.6 m apart", "1.5 m"});
  refused(kTwo, "centres", "normal = [1, 0, 0]\ncentres", {"s.toml:5: system.normal", "'centres'"});
  refused(kTwo, "radii = [0.5, 1.0]", "radii = [0.5, 1.0, 2]", {"s.toml:4: system.radii", "got 3"});
  refused(kTwo, "mass = 2.0", "masses = [2, 0]", {"s.toml:3: system.masses[1]", "> 0"});
  refused(kTwo, "mass = 2.0", "mass = 2\ninertia_factor = 0",
          {"s.toml:4: system.inertia_factor", "(0, 1]"});
  refused(kTwo, "[[0, 1, 0], [0, 0, 0]]", "[[0, 1, 0]]",
          {"s.toml:7: start.velocity", "2 entries", "sphere"});
}

const std::string kChain = R"([system]
kind = "rotating_chain"
balls = 3
mass = 0.1
radius = 0.5
[start]
velocity = [1.0, 0.0, 4.0]
)";

TEST(SceneRotatingChain, ReadsTheStrikerOrAllBalls) {
  const ProblemFile file = scene(kChain);
  EXPECT_EQ(file.contact_names, (Names{"1–2", "2–3"}));
  EXPECT_EQ(file.problem.velocity, Vector({{1, 0, 4, 0, 0, 0, 0, 0, 0}}));
  EXPECT_EQ(file.problem.contacts[0].directions, 1);
  const ProblemFile all =
      scene(with(kChain, "[1.0, 0.0, 4.0]", "[[1, 0, 0], [0, 0, 5], [-1, 0, 0]]"));
  EXPECT_EQ(all.problem.velocity[5], 5.0);
  const ProblemFile spatial = scene(with(with(kChain, "mass", "spatial = true\nwall = true\nmass"),
                                         "[1.0, 0.0, 4.0]", "[1, 0, 0, 0, 0, 4]"));
  EXPECT_EQ(spatial.contact_names.back(), "3–wall");
  EXPECT_EQ(spatial.problem.contacts[0].directions, 2);
  refused(kChain, "balls = 3", "balls = 2000", {"s.toml:3: system.balls", "1000"});
  refused(kChain, "radius = 0.5\n", "", {"s.toml:1: system", "'radius'"});
  refused(kChain, "mass = 0.1", "mass = 0", {"s.toml:4: system.mass", "> 0"});
  refused(kChain, "[1.0, 0.0, 4.0]", "[1.0, 0.0]",
          {"s.toml:7: start.velocity", "3 entries", "[vx, vy, omega]", "got 2"});
  refused(kChain, "[1.0, 0.0, 4.0]", "[[1, 0, 0], [0, 0, 0]]",
          {"s.toml:7: start.velocity", "3 entries", "per ball", "got 2"});
}

const std::string kDimer = R"([system]
kind = "dimer"
length = 0.2
mass = 0.1
radius = 0.01
[start]
velocity = [0.0, -1.0, 0.0]
)";

TEST(SceneDimer, LiesOrStandsOnOneBall) {
  EXPECT_EQ(scene(kDimer).contact_names, (Names{"ball 1–floor", "ball 2–floor"}));
  EXPECT_EQ(scene(kDimer).bodies[0].coordinate_name(0), "dimer x");
  EXPECT_EQ(scene(with(kDimer, "mass", "angle_deg = 10\nmass")).contact_names,
            Names{"ball 1–floor"});
  EXPECT_EQ(scene(with(kDimer, "mass", "inertia = 0.7\nmass")).problem.mass(2, 2), 0.7);
  refused(kDimer, "length = 0.2", "length = 0", {"s.toml:3: system.length", "> 0"});
  refused(kDimer, "length = 0.2\n", "", {"s.toml:1: system", "'length'"});
  refused(kDimer, "radius = 0.01", "radii = [0.01, 0.5]", {"s.toml:5: system.radii", "too short"});
  refused(kDimer, "mass = 0.1", "masses = [0.1, -1]", {"s.toml:4: system.masses[1]", "-1"});
  refused(kDimer, "length", "lenght", {"s.toml:3: system.lenght", "did you mean 'length'?"});
  refused(kDimer, "[0.0, -1.0, 0.0]", "[0.0]", {"s.toml:7: start.velocity", "[vx, vy, omega]"});
}

TEST(SceneThreeBallRod, ReadsPlacesAlongTheRod) {
  const std::string rod = with(kDimer, "dimer", "three_ball_rod");
  EXPECT_EQ(scene(rod).contact_names.size(), 3U);
  const ProblemFile file = scene(with(rod, "length = 0.2", "places = [0, 0.05, 0.2]"));
  // Places from the centre of mass, 0.25/3 along the rod.
  EXPECT_NEAR(file.problem.gradients.coeff(2, 1), 0.05 - 0.25 / 3.0, 1e-16);
  refused(rod, "length = 0.2", "places = [0, 0.3, 0.2]", {"s.toml:3: system.places[2]", "greater"});
  refused(rod, "length = 0.2", "length = 0.2\nplaces = [0, 0.1, 0.2]",
          {"s.toml:4: system.places", "either"});
  refused(rod, "radius = 0.01", "radii = [0.01, 0.02, 0.01]",
          {"s.toml:5: system.radii[1]", "angle"});
}

const std::string kStack = R"([system]
kind = "block_stack"
widths = [1.0, 0.5]
height = 0.2
mass = 3.0
[start]
speed = 2.0
)";

TEST(SceneBlockStack, ReadsBlocksFromBelow) {
  const ProblemFile file = scene(kStack);
  EXPECT_EQ(file.contact_names, (Names{"1 left–floor", "1 right–floor", "2 left–1", "2 right–1"}));
  EXPECT_EQ(file.problem.velocity, Vector({{0, -2, 0, 0, -2, 0}}));
  const ProblemFile moved =
      scene(with(with(kStack, "speed = 2.0", "velocity = [[1, 0, 0], [0, -1, 2]]"), "mass",
                 "names = ['a', 'b']\nmass"));
  EXPECT_EQ(moved.problem.velocity[5], 2.0);
  EXPECT_EQ(moved.contact_names[2], "b left–a");
  refused(kStack, "widths = [1.0, 0.5]", "widths = [1.0, 0]",
          {"s.toml:3: system.widths[1]", "> 0"});
  refused(kStack, "height = 0.2", "height = 0", {"s.toml:4: system.height", "> 0"});
  refused(kStack, "mass = 3.0", "mass = 3\noffsets = [0, 0.9]",
          {"s.toml:6: system.offsets[1]", "beside"});
  refused(kStack, "mass = 3.0", "mass = 3\nmasses = [1, 1]", {"s.toml:6: system.masses", "either"});
  refused(kStack, "widths = [1.0, 0.5]", "width = 1.0",
          {"s.toml:1: system", "'blocks' is missing"});
  refused(kStack, "speed = 2.0", "speed = 2.0\nvelocity = [[0, 0, 0], [0, 0, 0]]",
          {"s.toml:8: start.velocity", "either 'velocity'"});
}

}  // namespace
}  // namespace percute::io

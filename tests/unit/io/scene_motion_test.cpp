// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/scene_reader.hpp"
#include "io_testing.hpp"

#include <cmath>
#include <filesystem>
#include <numbers>

namespace percute::io {
namespace {

using testing::expect_error;
using testing::with;

SceneSystem moving(const Document& document) {
  const Table scene(Value(document), {"name", "system", "material", "contact", "start", "law",
                                      "impact", "simulation"});
  try {
    return read_in_motion(scene, read_law(scene.find("law")));
  } catch (const FileError&) {
    throw;
  } catch (const InvalidInput& error) {
    throw located(error, document, {});
  }
}

SceneSystem moving(const std::string& text) {
  return moving(parse_toml(text, "s.toml"));
}

Vector gaps(const SceneSystem& scene) {
  Vector h(scene.system.contacts());
  scene.system.gaps(scene.start.position, h);
  return h;
}

double weight_on(const SceneSystem& scene, int coordinate, double time = 0.0) {
  Vector f(scene.system.coordinates());
  scene.system.force(time, scene.start.position, Vector::Zero(f.size()), f);
  return f[coordinate];
}

using Names = std::vector<std::string>;

const std::string kChain = R"([system]
kind = "ball_chain"
balls = 3
mass = 2.0
wall = "right"
gravity = 3.0
[material]
restitution = [1.0, 0.5, 0.25]
[start]
velocity = [1.0, 0.0, 0.0]
gaps = [0.5, 0.0, 0.25]
)";

TEST(SceneMotion, ChainsHaveAllTheirContactsAndGaps) {
  const SceneSystem scene = moving(kChain);
  EXPECT_EQ(scene.system.contact_names(), (Names{"1–2", "2–3", "3–wall"}));
  EXPECT_LE((gaps(scene) - Vector{{0.5, 0.0, 0.25}}).cwiseAbs().maxCoeff(), 1e-15);
  EXPECT_EQ(scene.system.contact(2, scene.start.position).material.restitution, 0.25);
  EXPECT_EQ(scene.start.velocity, Vector({{1.0, 0.0, 0.0}}));
  EXPECT_EQ(weight_on(scene, 0), -6.0);
  EXPECT_TRUE(scene.system.conservative());
}

TEST(SceneMotion, GravityIsExplicit) {
  expect_error([] { moving(with(kChain, "gravity = 3.0\n", "")); },
               {"s.toml:1: system", "'gravity' is missing"});
}

TEST(SceneMotion, MistakesOfChainsAreNamedWhereTheyAre) {
  const auto refused = [](const char* part, const char* other,
                          std::initializer_list<std::string> fragments) {
    expect_error([&] { moving(with(kChain, part, other)); }, fragments);
  };
  refused("\"right\"", "\"both\"", {"s.toml:5: system.wall", "no room for motion"});
  refused("[0.5, 0.0, 0.25]", "[0.5, 0.0]", {"s.toml:11: start.gaps", "3 entries", "got 2"});
  refused("[0.5, 0.0, 0.25]", "[-0.5, 0.0, 1]", {"s.toml:11: start.gaps", "-0.5", ">= 0"});
  refused("[1.0, 0.5, 0.25]", "[1.0, 0.5, 7]", {"s.toml:8: material.restitution[2]", "7"});
  refused("balls = 3", "balls = 2000", {"s.toml:1: system", "2000 balls", "up to 1000"});
  refused("gravity = 3.0", "gravity = 3.0\nbase = {acceleration = 1}",
          {"system.base", "'frequency' is missing"});
  refused("gravity = 3.0", "gravity = 3.0\nbase = {acceleration = 1, frequency = 0}",
          {"system.base.frequency", "0", "> 0"});
  refused("gravity = 3.0", "gravity = 3.0\nbase = {amplitude = 1}",
          {"system.base.amplitude", "acceleration"});
  refused("ball_chain", "bal_chain", {"s.toml:2: system.kind", "did you mean 'ball_chain'?"});
}

TEST(SceneMotion, AContactOfItsOwnIsBlamedByName) {
  expect_error(
      [] {
        moving(with(kChain, "[start]", "[[contact]]\nname = \"2-3\"\nfriction = -1\n[start]"));
      },
      {"s.toml:11: contact[0].friction", "-1"});
}

TEST(SceneMotion, ColumnsStartAboveTheirWall) {
  const std::string text = R"([system]
kind = "bead_column"
beads = 3
mass = 0.5
radius = 0.01
gravity = 9.81
base = {acceleration = 5, frequency = 2, phase_deg = 90, cycles = 0.5}
[start]
height = 0.25
gaps = [0.0, 0.125]
speed = 2.0
)";
  const SceneSystem scene = moving(text);
  EXPECT_EQ(scene.system.contact_names(), (Names{"wall–1", "1–2", "2–3"}));
  EXPECT_EQ(scene.system.bodies()[2].name, "bead 3");
  EXPECT_LE((gaps(scene) - Vector{{0.25, 0.0, 0.125}}).cwiseAbs().maxCoeff(), 1e-15);
  EXPECT_EQ(scene.start.velocity, Vector::Constant(3, -2.0));
  EXPECT_DOUBLE_EQ(scene.start.position[0], 0.26);
  EXPECT_DOUBLE_EQ(weight_on(scene, 1), -0.5 * (9.81 + 5.0));
  EXPECT_DOUBLE_EQ(weight_on(scene, 1, 1.0), -0.5 * 9.81);  // after the pulse
  EXPECT_FALSE(scene.system.conservative());

  const auto refused = [&](const char* part, const char* other,
                           std::initializer_list<std::string> fragments) {
    expect_error([&] { moving(with(text, part, other)); }, fragments);
  };
  refused("height = 0.25", "height = -0.25", {"s.toml:9: start.height", ">= 0"});
  refused("[0.0, 0.125]", "[0.0, -0.125]", {"s.toml:10: start.gaps[1]", ">= 0"});
  refused("speed = 2.0", "speed = 2.0\nvelocity = [0, 0, 0]",
          {"start.velocity", "either 'velocity'"});
  refused("height = 0.25\n", "", {"s.toml:8: start", "'height' is missing"});
  refused("cycles = 0.5", "cycles = -1", {"s.toml:7: system.base.cycles", "-1", "> 0"});
}

TEST(SceneMotion, StiffnessOfColumnsComesFromTheBeads) {
  const std::string text = R"([system]
kind = "bead_column"
beads = 2
radius = 0.004
made_of = "steel"
gravity = 9.81
[material]
restitution = 0.9
[start]
height = 0.0
)";
  const SceneSystem scene = moving(text);
  const auto stiffness = [&](int i) {
    return scene.system.contact(i, scene.start.position).material.stiffness;
  };
  EXPECT_NEAR(stiffness(0) / stiffness(1), std::numbers::sqrt2,
              1e-14);  // a plane is half as curved
  expect_error([&] { moving(with(text, "restitution = 0.9", "stiffness = 1")); },
               {"s.toml:8: material.stiffness", "follows from system.made_of"});
}

TEST(SceneMotion, BlocksStartTiltedOrAnywhere) {
  const std::string text = R"([system]
kind = "rocking_block"
width = 0.2
height = 0.8
mass = 4.0
gravity = 9.81
base = {horizontal = {acceleration = 3, frequency = 1, phase_deg = 90}}
[start]
angle_deg = -30
angular_velocity = 2.0
)";
  const SceneSystem scene = moving(text);
  EXPECT_EQ(scene.system.contact_names(), (Names{"left–floor", "right–floor"}));
  EXPECT_LE((gaps(scene) - Vector{{0.1, 0.0}}).cwiseAbs().maxCoeff(), 1e-15);
  EXPECT_DOUBLE_EQ(weight_on(scene, 0), -12.0);
  EXPECT_DOUBLE_EQ(weight_on(scene, 1), -4.0 * 9.81);
  const SceneSystem free = moving(with(text, "angular_velocity = 2.0", "position = [0, 2]"));
  EXPECT_EQ(free.start.position.head<2>(), Vector({{0.0, 2.0}}));
  EXPECT_DOUBLE_EQ(free.start.position[2], -std::numbers::pi / 6.0);

  const auto refused = [&](const char* part, const char* other,
                           std::initializer_list<std::string> fragments) {
    expect_error([&] { moving(with(text, part, other)); }, fragments);
  };
  refused("angular_velocity = 2.0", "velocity = [0, 0, 0]", {"start.velocity", "'position'"});
  refused("angle_deg = -30", "position = [0, 2]", {"start.angular_velocity", "'velocity'"});
  refused("{horizontal = {acceleration = 3, frequency = 1, phase_deg = 90}}", "{}",
          {"s.toml:7: system.base", "'horizontal' or 'vertical'"});
  refused("gravity = 9.81", "gravity = -9.81", {"s.toml:6: system.gravity", "-9.81", ">= 0"});
}

TEST(SceneMotion, DimersStartAboveTheFloor) {
  const std::string text = R"([system]
kind = "dimer"
length = 0.2
radius = 0.01
mass = 1.0
gravity = 9.81
[start]
height = 0.5
angle_deg = 30
)";
  const SceneSystem scene = moving(text);
  EXPECT_LE((gaps(scene) - Vector{{0.5, 0.6}}).cwiseAbs().maxCoeff(), 1e-15);
  EXPECT_EQ(scene.system.contact_names(), (Names{"ball 1–floor", "ball 2–floor"}));
  expect_error([&] { moving(with(text, "height = 0.5", "height = -1")); },
               {"s.toml:8: start.height", "-1", ">= 0"});
  expect_error([&] { moving(with(text, "gravity = 9.81\n", "")); }, {"'gravity' is missing"});
  const SceneSystem three = moving(with(text, "dimer", "three_ball_rod"));
  EXPECT_EQ(three.system.contacts(), 3);
}

TEST(SceneMotion, PendulaHaveAFloorAndAStart) {
  const std::string text = R"([system]
kind = "double_pendulum"
masses = [1.0, 1.0]
lengths = [1.0, 1.0]
angles_deg = [60, 60]
gravity = 9.81
[start]
angles_deg = [90, 90]
)";
  const SceneSystem scene = moving(text);
  EXPECT_NEAR(gaps(scene)[0], 1.0, 1e-15);  // the tip at the height of the hinge, 2 cos 60° above
  EXPECT_EQ(scene.start.velocity, Vector::Zero(2));
  expect_error([&] { moving(with(text, "angles_deg = [90, 90]", "rates = [1, 1]")); },
               {"s.toml:7: start", "'angles_deg' is missing"});
  expect_error([&] { moving(with(text, "[90, 90]", "[90]")); },
               {"s.toml:8: start.angles_deg", "2 entries", "got 1"});
}

TEST(SceneMotion, ManyRodsHaveObstacles) {
  const std::string text = R"([system]
kind = "multiple_pendulum"
masses = [1, 1, 1]
lengths = [0.5, 0.5, 0.5]
gravity = 9.81
obstacles = [{normal = [0, 2], through = [0, -2]}, {rod = 1, normal = [1, 0], through = [-1, 0]}]
[start]
angles_deg = [0, 0, 90]
)";
  const SceneSystem scene = moving(text);
  EXPECT_EQ(scene.system.contact_names(), (Names{"rod 3–obstacle 1", "rod 1–obstacle 2"}));
  EXPECT_LE((gaps(scene) - Vector{{1.0, 1.0}}).cwiseAbs().maxCoeff(), 1e-15);
  const auto refused = [&](const char* part, const char* other,
                           std::initializer_list<std::string> fragments) {
    expect_error([&] { moving(with(text, part, other)); }, fragments);
  };
  refused("rod = 1", "rod = 4", {"s.toml:6: system.obstacles[1].rod", "4", "3"});
  refused("[1, 0]", "[0, 0]", {"system.obstacles[1].normal", "zero"});
  refused("masses = [1, 1, 1]", "masses = [1]",
          {"s.toml:3: system.masses", "has 1 entries", "needs 3"});
  refused("lengths = [0.5", "lengths = [-0.5", {"s.toml:4: system.lengths[0]", "-0.5", "> 0"});
}

TEST(SceneMotion, ParticlesAndBodiesStartAnywhere) {
  const SceneSystem groove = moving(R"([system]
kind = "v_groove"
mass = 1.0
opening_deg = 90
gravity = 9.81
[start]
position = [0.0, 2.0]
)");
  EXPECT_LE((gaps(groove).array() - std::numbers::sqrt2).abs().maxCoeff(), 1e-15);
  const SceneSystem body = moving(R"([system]
kind = "planar_body"
mass = 1.0
inertia = 1.0
position = [0.0, 0.5]
points = [{at = [0.0, -0.5]}]
gravity = 9.81
[start]
position = [3.0, 2.0]
velocity = [1, 2, 3]
)");
  EXPECT_LE(std::abs(gaps(body)[0] - 1.5), 1e-15);
  EXPECT_EQ(body.start.velocity, Vector({{1.0, 2.0, 3.0}}));
}

TEST(SceneMotion, ExamplesAreReadAndStartWithoutOverlap) {
  int count = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(PERCUTE_SOURCE_DIR "/examples/motion")) {
    const Document document = read_document(entry.path());
    const Node* kind = document.root.find("system")->find("kind");
    if (*kind->as<std::string>() == "impacting_bar") continue;  // has tables of its own
    const SceneSystem scene = moving(document);
    // Rounding of positions of the order of 1 m.
    EXPECT_GE(gaps(scene).minCoeff(), -1e-15) << entry.path();
    ++count;
  }
  EXPECT_GE(count, 11);
}

}  // namespace
}  // namespace percute::io

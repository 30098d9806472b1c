// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io_testing.hpp"

#include <percute/io/motion_file.hpp>

namespace percute::io {
namespace {

using testing::expect_error;
using testing::with;

const std::string kBar = R"([system]
kind = "impacting_bar"
model = 1
segments = 4
angle_deg = 90.0
gravity = 9.81
excitation = {energy_fraction = 0.001, phase_deg = 90.0}
[impact]
restitution = 0.25
[simulation]
method = "paoli_schatzman"
step = 1e-7
duration = 1e-5
)";

MotionFile motion(const std::string& text) {
  return read_motion(parse_toml(text, "s.toml"));
}

TEST(SceneImpactingBar, ReadsAndFillsIn) {
  const MotionFile file = motion(kBar);
  EXPECT_EQ(file.system.coordinates(), 10);
  EXPECT_EQ(file.system.contact(0, file.start.state.position).material.restitution, 0.25);
  EXPECT_EQ(file.start.state.velocity[1], -1.0);
  // Phase 90°: bent, and not yet moving.
  EXPECT_NE(file.start.state.position[2], file.start.state.position[5]);
  const Node* inertia = file.system_keys.find("hemisphere_inertia");
  ASSERT_NE(inertia, nullptr);
  EXPECT_EQ(*inertia->as<std::string>(), "as_printed");
  EXPECT_EQ(*file.impact_keys.find("law")->as<std::string>(), "newton");
  const Node run = to_node(simulation::Run{}, file);
  const Node& limit = *run.find("stability");
  EXPECT_NEAR(*limit.find("omega_max")->as<double>(), 1335660.0, 10.0);  // six digits are known
  EXPECT_NEAR(*limit.find("first_bending_hz")->as<double>(), 1157.8879, 1e-3);
}

TEST(SceneImpactingBar, MistakesAreNamedWhereTheyAre) {
  const auto refused = [](const char* part, const char* other,
                          std::initializer_list<std::string> fragments) {
    expect_error([&] { motion(with(kBar, part, other)); }, fragments);
  };
  refused("model = 1", "model = 3", {"s.toml:3: system.model", "3", "1", "2"});
  refused("segments = 4", "segments = 1", {"s.toml:4: system.segments", "1"});
  refused("angle_deg = 90.0", "angle_deg = 91.0", {"s.toml:5: system.angle_deg", "[0, 90]", "91"});
  refused("angle_deg = 90.0\n", "", {"s.toml:1: system", "angle_deg"});
  refused("gravity = 9.81\n", "", {"s.toml:1: system", "'gravity' is missing"});
  refused("segments = 4", "tip_height = 0.001",
          {"s.toml:4: system.tip_height: 0.001 is", "radius"});
  refused("segments = 4", "segmens = 4", {"s.toml:4", "segmens", "segments"});
  refused("energy_fraction = 0.001", "energy_fraction = -1.0", {"energy_fraction", "[0, 1]"});
  refused("restitution = 0.25", "restitution = 1.5", {"s.toml:9: impact.restitution", "[0, 1]"});
  refused("restitution = 0.25", "bounce = 0.5", {"s.toml:9", "bounce"});
  refused("[impact]", "[material]", {"s.toml:8: material", "[impact]"});
  refused("step = 1e-7", "step = 1e-7\ntolerance = 1e-9", {"tolerance", "paoli_schatzman"});
}

TEST(SceneImpactingBar, TheCommandLineNamesTheLawBeforeTheFile) {
  using Settings = std::vector<std::pair<std::string, std::string>>;
  const auto changed = [](const std::string& text, const Settings& settings) {
    Document document = parse_toml(text, "s.toml");
    for (const auto& [key, value] : settings) {
      override_value(document, key, value, "--set " + key + "=" + value);
    }
    return read_motion(document);
  };
  const auto law = [&](const std::string& text, const Settings& settings) {
    return std::string(changed(text, settings).law.kind());
  };
  const std::string lzb = with(kBar, "[impact]", "[impact]\nlaw = \"lzb\"");
  EXPECT_EQ(law(kBar, {}), "newton");
  EXPECT_EQ(law(lzb, {}), "lzb");
  EXPECT_EQ(law(lzb, {{"law.kind", "poisson"}}), "poisson");
  // Options are those of the law that the file names.
  const MotionFile fine = changed(lzb, {{"law.tolerance", "1e-12"}});
  EXPECT_EQ(fine.law.as<laws::Lzb>()->tolerance, 1e-12);
  expect_error([&] { law(kBar, {{"law.tolerance", "1e-12"}}); }, {"law.tolerance", "unknown key"});

  expect_error([&] { law(kBar, {{"law.kind", "lzb"}, {"impact.law", "newton"}}); },
               {"--set impact.law=newton: impact.law", "contradicts --set law.kind=lzb"});
  expect_error([&] { law(kBar, {{"law.kind", "moreau"}, {"law.restitution", "0.5"}}); },
               {"law.restitution", "set impact.restitution"});
  expect_error([&] { law(with(kBar, "[impact]", "[law]\nkind = \"lzb\"\n[impact]"), {}); },
               {"s.toml:8: law", "[impact]"});
  expect_error([&] { law(with(lzb, "lzb", "lzp"), {}); },
               {"s.toml:9: impact.law: unknown law \"lzp\"", "did you mean 'lzb'?"});
}

TEST(SceneImpactingBar, ARigidTipHasNoCompliantLaw) {
  expect_error([] { motion(with(kBar, "[impact]", "[impact]\nlaw = \"compliant\"")); },
               {"s.toml:9: impact.law", "'compliant' needs a stiffness"});
}

TEST(SceneImpactingBar, AStepBeyondTheLimitIsRefusedInTheScene) {
  const Document document = parse_toml(with(kBar, "step = 1e-7", "step = 2e-6"), "s.toml");
  const MotionFile file = read_motion(document);
  expect_error([&] { (void)simulate(file, document); }, {"simulation.step", "2e-06", "1.497"});
}

}  // namespace
}  // namespace percute::io

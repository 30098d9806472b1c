// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io_testing.hpp"

#include <percute/io/motion_file.hpp>

namespace percute::io {
namespace {

using testing::expect_error;
using ::testing::HasSubstr;
using testing::with;

const std::string kBall = R"([system]
kind = "bouncing_ball"
mass = 2.0
gravity = 9.81
[material]
restitution = 0.8
[start]
height = 1.0
[law]
kind = "newton"
[simulation]
method = "event_driven_adaptive"
duration = 1.5
)";

const std::string kChain = R"([system]
kind = "ball_chain"
balls = 3
mass = 0.1
radius = 0.01
gravity = 0.0
[material]
restitution = [1.0, 0.5]
[start]
gaps = [0.1, 0.1]
speed = 1.0
[law]
kind = "newton"
[simulation]
method = "moreau_jean"
step = 1e-3
duration = 0.5
)";

MotionFile motion(const std::string& text) {
  return read_motion(parse_toml(text, "s.toml"));
}

/// The ball with another [simulation].
std::string by(const std::string& simulation) {
  return kBall.substr(0, kBall.find("method =")) + simulation;
}

void refused(const std::string& text, std::initializer_list<std::string> fragments) {
  expect_error([&] { motion(text); }, fragments);
}

TEST(MotionFile, ReadsASceneThatMoves) {
  const MotionFile file = motion(kBall);
  EXPECT_EQ(file.name, "s");
  EXPECT_EQ(file.start.state.position[0], 1.0);
  EXPECT_EQ(file.start.state.velocity[0], 0.0);
  EXPECT_EQ(file.system.potential_energy(file.start.state.position), 2.0 * 9.81);
  EXPECT_EQ(file.contact_names, std::vector<std::string>{"ball–floor"});
  EXPECT_EQ(file.system.contact(0, file.start.state.position).material.restitution, 0.8);
  EXPECT_EQ(file.law.kind(), "newton");
  ASSERT_TRUE(std::holds_alternative<simulation::EventDriven>(file.method));
  EXPECT_EQ(*run_options(file.method).duration, 1.5);
  // Defaults are told.
  EXPECT_EQ(*file.system_keys.find("radius")->as<double>(), 0.0);
  EXPECT_EQ(*file.simulation_keys.find("tolerance")->as<double>(), 1e-10);
}

TEST(MotionFile, ReadsEveryMethodWithItsKeys) {
  const auto newmark =
      motion(by("method = \"event_driven\"\nstep = 1e-5\nduration = 1\n"
                "newmark_event = \"literal\"\nallow_unstable_step = false\n"));
  const auto& event_driven = std::get<simulation::Newmark>(newmark.method);
  EXPECT_EQ(event_driven.step, 1e-5);
  EXPECT_EQ(event_driven.event, simulation::Newmark::Event::Literal);

  const auto stepping =
      motion(by("method = \"paoli_schatzman\"\nstep = 1e-5\nduration = 1\n"
                "allow_unstable_step = true\n"));
  const auto& paoli_schatzman = std::get<simulation::PaoliSchatzman>(stepping.method);
  EXPECT_TRUE(paoli_schatzman.allow_unstable_step);

  const auto theta = motion(by("method = \"moreau_jean\"\nstep = 1e-4\nduration = 1\ntheta = 1\n"));
  EXPECT_EQ(std::get<simulation::MoreauJean>(theta.method).theta, 1.0);

  // Without a method the adaptive one; compliant contacts have their own.
  const auto quiet = motion(by("stop_after_quiet = 0.1\n"));
  EXPECT_FALSE(run_options(quiet.method).duration);
  EXPECT_EQ(kind(quiet.method), "event_driven_adaptive");
  const auto springs =
      motion(with(with(kBall, "\"newton\"", "\"compliant\""), "0.8", "1.0\nstiffness = 1e9"));
  EXPECT_TRUE(std::holds_alternative<simulation::CompliantMotion>(springs.method));
  EXPECT_EQ(kind(springs.method), "event_driven_adaptive");
}

TEST(MotionFile, CompliantContactsHaveAStiffnessThatSomeoneWrote) {
  const std::string ball = with(kBall, "\"newton\"", "\"compliant\"");
  refused(ball, {"s.toml:5: material", "'compliant'", "'stiffness'", "ball–floor"});
  refused(with(ball, "[material]\nrestitution = 0.8\n", ""), {"s.toml: material", "'stiffness'"});
  // Also as impacts: by any method.
  const std::string chain = with(kChain, "\"newton\"", "\"compliant\"");
  refused(chain, {"material", "'stiffness'", "contact 1–2"});
  const std::string half =
      with(chain, "[start]", "[[contact]]\nname = \"1-2\"\nstiffness = 1e9\n[start]");
  refused(half, {"material", "'stiffness'", "contact 2–3"});
  EXPECT_NO_THROW(motion(with(chain, "[start]", "stiffness = [1e9, 2e9]\n[start]")));
  // What balls are made of says it too, and so does a force that has no stiffness.
  EXPECT_NO_THROW(motion(with(chain, "mass = 0.1", "made_of = \"steel\"")));
  EXPECT_NO_THROW(
      motion(with(with(ball, "restitution = 0.8",
                       "effective_modulus = 1e11\neffective_radius = 0.01\nyield_pressure = 1e9"),
                  "\"compliant\"", "\"compliant\"\nforce = \"elastoplastic\"")));
}

TEST(MotionFile, RefusesKeysOfOtherMethods) {
  refused(with(kBall, "duration", "step = 1e-3\nduration"),
          {"s.toml:13: simulation.step", "not for method 'event_driven_adaptive'", "event_driven"});
  refused(by("method = \"moreau_jean\"\nstep = 1e-3\nduration = 1\nnewmark_event = \"literal\"\n"),
          {"simulation.newmark_event", "for event_driven;", "step, theta"});
  refused(with(kBall, "duration", "durration"), {"simulation.durration", "'duration'"});
  refused(with(kBall, "event_driven_adaptive", "event_drive"),
          {"simulation.method", "did you mean 'event_driven'?"});
}

TEST(MotionFile, RefusesWhatCannotBeMoved) {
  refused(with(kBall, "duration = 1.5", ""), {"simulation", "duration", "stop_after_quiet"});
  refused(with(kBall, "duration = 1.5", "duration = -1"),
          {"simulation.duration", "-1 is not a finite number > 0"});
  refused(by("method = \"moreau_jean\"\nduration = 1\n"), {"simulation", "'step' is missing"});
  refused(with(kBall, "gravity = 9.81", ""), {"system", "'gravity' is missing"});
  refused(with(kBall, "gravity", "gravty"), {"system.gravty", "did you mean 'gravity'?"});
  refused(with(kBall, "height = 1.0", "height = -0.5"), {"start.height", "-0.5"});
  refused(kBall.substr(0, kBall.find("[simulation]")), {"[simulation] is missing"});
  refused(with(kBall, "[law]", "[impact]\nrestitution = 1\n[law]"), {"impact", "impacting_bar"});
  expect_error([] { read_motion(parse_json(testing::kThreeBalls, "p.json")); },
               {"is a problem, which describes one instant"});
}

TEST(MotionFile, PaoliSchatzmanTakesTheRestitutionOfEachContact) {
  const std::string text = with(kChain, "moreau_jean", "paoli_schatzman");
  const simulation::Run run = simulate(motion(text), parse_toml(text, "s.toml"));
  // The first ball stops; the second goes on with (1 − e)/2, the third with (1 + e)/2.
  EXPECT_NEAR(run.end.state.velocity[0], 0.0, 1e-12);
  EXPECT_NEAR(run.end.state.velocity[1], 0.25, 1e-12);
  EXPECT_NEAR(run.end.state.velocity[2], 0.75, 1e-12);
  const std::string wrong = with(with(text, "1.0, 0.5", "1.0, 1.5"), "newton", "poisson");
  expect_error([&] { simulate(motion(wrong), parse_toml(wrong, "s.toml")); },
               {"s.toml:8: material.restitution", "1.5 is not in [0, 1]"});
}

TEST(MotionFile, OverlapIsToldWhereTheStartIs) {
  const std::string cradle = R"([system]
kind = "cradle"
balls = 3
mass = 0.1
radius = 0.02
length = 0.5
gravity = 9.81
[start]
angles_deg = [3, 0, 0]
[simulation]
duration = 1
)";
  const Document document = parse_toml(cradle, "s.toml");
  expect_error([&] { (void)simulate(read_motion(document), document); },
               {"s.toml:9: start.angles_deg: contact 1–2 has gap", "must not overlap"});
  // Through its neighbour and out again: no overlap, and still impossible.
  const Document beyond = parse_toml(with(cradle, "[3, 0, 0]", "[10, 0, 0]"), "s.toml");
  expect_error([&] { (void)read_motion(beyond); },
               {"s.toml:9: start.angles_deg: ball 1 hangs beyond ball 2"});
}

TEST(MotionFile, SummaryTellsRestitutionPerContactWhereTheyDiffer) {
  const MotionFile file = motion(kChain);
  const auto* list = file.impact_keys.find("restitution")->as<Node::Array>();
  ASSERT_NE(list, nullptr);
  EXPECT_EQ(list->size(), 2U);
  const Document document = parse_toml(kChain, "s.toml");
  const Node summary = to_node(simulate(file, document), file);
  EXPECT_EQ(*summary.find("status")->as<std::string>(), "ok");
  // Three balls have no elastic forces that a step must resolve.
  EXPECT_TRUE(summary.find("stability")->find("omega_max")->is_null());
  // Reading the summary's own tables gives the same run.
  const Node again = *file.simulation_keys.find("step");
  EXPECT_EQ(*again.as<double>(), 1e-3);
}

}  // namespace
}  // namespace percute::io

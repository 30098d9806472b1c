// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io_testing.hpp"

#include <percute/io/motion_file.hpp>

#include <cmath>
#include <limits>

namespace percute::io {
namespace {

using testing::expect_error;
using testing::TemporaryFolder;

std::string ball(const std::string& law, const std::string& simulation) {
  return "[system]\nkind = \"bouncing_ball\"\nmass = 1\ngravity = 9.81\n[material]\n"
         "restitution = 0.6\nstiffness = 1e6\n[start]\nheight = 0.1\n[law]\n" +
         law + "[simulation]\nduration = 0.8\n" + simulation;
}

simulation::Run after_steps(const MotionFile& file, const Document& document, int steps) {
  int count = 0;
  simulation::Observer observer;
  observer.step = [&](double, const Vector&, const Vector&) { return ++count < steps; };
  return simulate(file, document, observer);
}

/// A run that is stopped after every few steps, kept in a file and carried on from there.
simulation::Run in_parts(const std::string& text, int steps, const std::filesystem::path& path) {
  const Document document = parse_toml(text, "s.toml");
  const MotionFile file = read_motion(document);
  simulation::Moment from = file.start;
  while (true) {
    int count = 0;
    simulation::Observer observer;
    observer.step = [&](double, const Vector&, const Vector&) { return ++count < steps; };
    const simulation::Run run = simulate(file, document, from, observer);
    if (run.status != simulation::RunStatus::Interrupted) return run;
    write_checkpoint(path, {.moment = run.end}, file, document);
    from = read_checkpoint(path, file, document).moment;
  }
}

TEST(CheckpointFile, ARunInPartsHasTheBitsOfOneRun) {
  const TemporaryFolder folder;
  const std::string newton = "kind = \"newton\"\n";
  struct Case {
    std::string law;
    std::string simulation;
    int steps;
  };
  for (const Case& c :
       {Case{newton, "", 7}, Case{newton, "cluster_gap = 0.3\nrestitution_window = 0.05\n", 7},
        Case{newton, "method = \"event_driven\"\nstep = 1e-4\n", 500},
        Case{newton, "method = \"paoli_schatzman\"\nstep = 1e-4\n", 500},
        Case{newton, "method = \"moreau_jean\"\nstep = 1e-4\n", 500},
        Case{"kind = \"compliant\"\nforce = \"exact_restitution\"\n", "", 11}}) {
    SCOPED_TRACE(c.law + c.simulation);
    const std::string text = ball(c.law, c.simulation);
    const Document document = parse_toml(text, "s.toml");
    const MotionFile file = read_motion(document);
    const simulation::Run whole = simulate(file, document);
    const simulation::Run parts = in_parts(text, c.steps, folder / "run.ckpt");
    EXPECT_EQ(parts.end.time, whole.end.time);
    EXPECT_EQ(parts.end.state.position[0], whole.end.state.position[0]);
    EXPECT_EQ(parts.end.state.velocity[0], whole.end.state.velocity[0]);
    EXPECT_EQ(parts.steps, whole.steps);
    EXPECT_EQ(parts.impacts, whole.impacts);
    EXPECT_EQ(parts.last_contact, whole.last_contact);
    ASSERT_EQ(parts.bounce.has_value(), whole.bounce.has_value());
    if (whole.bounce) {
      EXPECT_TRUE(whole.bounce->measured);
      EXPECT_EQ(parts.bounce->end, whole.bounce->end);
      EXPECT_EQ(parts.bounce->clusters.size(), whole.bounce->clusters.size());
      EXPECT_EQ(parts.bounce->apparent_restitution, whole.bounce->apparent_restitution);
    }
    EXPECT_EQ(parts.first_impact_time, whole.first_impact_time);
    EXPECT_EQ(parts.energy.mean, whole.energy.mean);
    EXPECT_EQ(parts.energy.deviation, whole.energy.deviation);
    EXPECT_EQ(parts.energy.samples, whole.energy.samples);
    EXPECT_EQ(parts.energy.dissipated, whole.energy.dissipated);
  }
}

TEST(CheckpointFile, KeepsEveryBitOfAMoment) {
  const Document document = parse_toml(ball("kind = \"newton\"\n", ""), "s.toml");
  const MotionFile file = read_motion(document);
  simulation::Moment moment = file.start;
  moment.time = 0.1 + 0.2;
  moment.state.velocity[0] = -0.0;
  moment.step = std::nextafter(1e-5, 1.0);
  moment.held = {0};
  simulation::EventDrivenMemory memory{.energy = 5e-324,
                                       .law_has_friction = true,
                                       .origin = Vector::Constant(1, 1.0 / 3.0),
                                       .reach = Vector::Constant(1, -1e308)};
  memory.accumulation.impacts = {{.time = 0.1, .contacts = {0}, .flight = 1.0 / 3.0}};
  memory.accumulation.followed = -std::numeric_limits<double>::infinity();
  moment.memory = memory;
  moment.totals.emplace();
  moment.totals->record.energy.min = std::numeric_limits<double>::infinity();
  moment.totals->record.energy.max = -std::numeric_limits<double>::infinity();
  moment.totals->record.bounce = {
      .clusters = {{.start = 0.1, .end = 0.3, .impacts = 3}}, .end = 0.3, .gap = 5e-324};
  moment.totals->record.warnings = {"a \"quoted\" µ"};
  moment.totals->reaches = {{.gap = 0.1, .way = 5e-324, .overlap = 1.0 / 3.0}};
  const TemporaryFolder folder;
  write_checkpoint(folder / "c", {.moment = moment}, file, document);
  const simulation::Moment read = read_checkpoint(folder / "c", file, document).moment;
  EXPECT_EQ(read.time, moment.time);
  EXPECT_TRUE(std::signbit(read.state.velocity[0]));
  EXPECT_EQ(read.step, moment.step);
  EXPECT_EQ(read.held, moment.held);
  const auto& known = std::get<simulation::EventDrivenMemory>(read.memory);
  EXPECT_EQ(known.energy, 5e-324);
  EXPECT_TRUE(known.law_has_friction);
  EXPECT_EQ(known.origin, memory.origin);
  EXPECT_EQ(known.reach, memory.reach);
  EXPECT_EQ(known.widest.size(), 0);
  ASSERT_EQ(known.accumulation.impacts.size(), 1U);
  EXPECT_EQ(known.accumulation.impacts[0].contacts, std::vector{0});
  EXPECT_EQ(known.accumulation.impacts[0].flight, 1.0 / 3.0);
  EXPECT_EQ(known.accumulation.in_turns, std::numeric_limits<double>::infinity());
  EXPECT_EQ(known.accumulation.followed, -std::numeric_limits<double>::infinity());
  EXPECT_EQ(read.totals->reaches[0].way, 5e-324);
  EXPECT_EQ(read.totals->reaches[0].overlap, 1.0 / 3.0);
  const auto& record = read.totals->record;
  EXPECT_TRUE(std::isinf(record.energy.min));
  EXPECT_EQ(record.bounce->clusters.front().end, 0.3);
  EXPECT_EQ(record.bounce->gap, 5e-324);
  EXPECT_EQ(record.warnings, moment.totals->record.warnings);
}

TEST(CheckpointFile, SaysWhatIsOfAnotherRun) {
  const TemporaryFolder folder;
  const std::string text = ball("kind = \"newton\"\n", "");
  const Document document = parse_toml(text, "s.toml");
  const MotionFile file = read_motion(document);
  const std::string trajectory = "/tmp/a \"b\".h5";
  const simulation::Moment end = after_steps(file, document, 5).end;
  write_checkpoint(folder / "c", {.moment = end, .trajectory = trajectory}, file, document);
  EXPECT_EQ(read_checkpoint(folder / "c", file, document).trajectory, trajectory);
  const auto refused = [&](const std::string& other, std::initializer_list<std::string> fragments) {
    const Document changed = parse_toml(other, "s.toml");
    const MotionFile motion = read_motion(changed);
    expect_error([&] { read_checkpoint(folder / "c", motion, changed); }, fragments);
  };
  refused(testing::with(text, "0.6", "0.7"), {"material.restitution", "0.6", "0.7"});
  refused(testing::with(text, "newton", "moreau"), {"law.kind", "\"newton\"", "\"moreau\""});
  refused(testing::with(text, "mass = 1", "mass = 1\nradius = 0.1"), {"system.radius", "missing"});
  refused(text + "tolerance = 1e-8\n", {"simulation.tolerance"});
  // 1 and 1.0 are the same mass, and a run may be made longer.
  const Document longer = parse_toml(
      testing::with(testing::with(text, "mass = 1", "mass = 1.0"), "0.8", "1.8"), "s.toml");
  EXPECT_NO_THROW(read_checkpoint(folder / "c", read_motion(longer), longer));
}

TEST(CheckpointFile, EveryChangeSinceItWasWrittenIsRefused) {
  const TemporaryFolder folder;
  const Document document = parse_toml(ball("kind = \"newton\"\n", ""), "s.toml");
  const MotionFile file = read_motion(document);
  write_checkpoint(folder / "c", {.moment = after_steps(file, document, 5).end}, file, document);
  EXPECT_NO_THROW(read_checkpoint(folder / "c", file, document));
  for (const std::string change :
       {"moment.position=[-0.5]", "moment.position=[null]", "moment.time=-0.1", "moment.held=[0]",
        "moment.memory={}", "moment.memory.energy=1e300", "moment.memory.accumulation.alone=[]",
        "moment.totals.impacts=100000", "status=unstable", "more=1"}) {
    SCOPED_TRACE(change);
    const auto equals = change.find('=');
    Document edited = read_document(folder / "c");
    override_value(edited, change.substr(0, equals), change.substr(equals + 1), "by hand");
    folder.write("edited", to_json(edited.root));
    expect_error([&] { read_checkpoint(folder / "edited", file, document); }, {"edited"});
  }
  // The same file with other blanks is the same.
  folder.write("line", to_json(read_document(folder / "c").root, JsonLayout::Line));
  EXPECT_NO_THROW(read_checkpoint(folder / "line", file, document));
}

}  // namespace
}  // namespace percute::io

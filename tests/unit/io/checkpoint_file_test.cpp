// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io_testing.hpp"

#include <percute/io/checkpoint_file.hpp>

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
       {Case{newton, "", 7}, Case{newton, "method = \"event_driven\"\nstep = 1e-4\n", 500},
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
    EXPECT_EQ(parts.clusters.size(), whole.clusters.size());
    EXPECT_EQ(parts.first_impact_time, whole.first_impact_time);
    EXPECT_EQ(parts.apparent_restitution, whole.apparent_restitution);
    EXPECT_EQ(parts.energy.mean, whole.energy.mean);
    EXPECT_EQ(parts.energy.deviation, whole.energy.deviation);
    EXPECT_EQ(parts.energy.samples, whole.energy.samples);
    EXPECT_EQ(parts.energy.dissipated, whole.energy.dissipated);
  }
}

TEST(CheckpointFile, KeepsEveryBitOfAMoment) {
  const TemporaryFolder folder;
  const Document document = parse_toml(ball("kind = \"newton\"\n", ""), "s.toml");
  const MotionFile file = read_motion(document);
  Checkpoint checkpoint{.moment = file.start, .trajectory = "/tmp/a \"b\".h5"};
  simulation::Moment& moment = checkpoint.moment;
  moment.time = 0.1 + 0.2;
  moment.state.velocity[0] = -0.0;
  moment.step = std::nextafter(1e-5, 1.0);
  moment.previous_position = Vector::Constant(1, 1.0 / 3.0);
  moment.held = {0};
  moment.memory = {std::numeric_limits<double>::infinity(), 5e-324, -1e308,
                   -std::numeric_limits<double>::infinity()};
  moment.books.emplace();
  moment.books->record.energy.min = std::numeric_limits<double>::infinity();
  moment.books->record.energy.max = -std::numeric_limits<double>::infinity();
  moment.books->record.clusters = {{.start = 0.1, .end = 0.3, .impacts = 3}};
  moment.books->record.warnings = {"a \"quoted\" µ"};
  write_checkpoint(folder / "c", checkpoint, file, document);
  const Checkpoint read = read_checkpoint(folder / "c", file, document);
  EXPECT_EQ(read.trajectory, checkpoint.trajectory);
  EXPECT_EQ(read.moment.time, moment.time);
  EXPECT_TRUE(std::signbit(read.moment.state.velocity[0]));
  EXPECT_EQ(read.moment.step, moment.step);
  EXPECT_EQ(read.moment.previous_position[0], 1.0 / 3.0);
  EXPECT_EQ(read.moment.held, moment.held);
  EXPECT_EQ(read.moment.memory, moment.memory);
  const auto& record = read.moment.books->record;
  EXPECT_TRUE(std::isinf(record.energy.min));
  EXPECT_EQ(record.clusters.front().end, 0.3);
  EXPECT_EQ(record.warnings, moment.books->record.warnings);
}

TEST(CheckpointFile, SaysWhatIsOfAnotherRun) {
  const TemporaryFolder folder;
  const std::string text = ball("kind = \"newton\"\n", "");
  const Document document = parse_toml(text, "s.toml");
  const MotionFile file = read_motion(document);
  simulation::Moment start = file.start;
  start.books.emplace();
  write_checkpoint(folder / "c", {.moment = start}, file, document);
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

}  // namespace
}  // namespace percute::io

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io/moment_node.hpp"
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
  const Document written = parse_json(to_json(moment_node(moment)), "c");
  const simulation::Moment read = read_moment(Value(written), file);
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

/// A checkpoint of a ball that has bounced, in which values can be changed as by hand.
class Edited {
 public:
  Edited(const std::string& law, const std::string& simulation, int steps)
      : document_(parse_toml(ball(law, simulation), "s.toml")), file_(read_motion(document_)) {
    const simulation::Run run = after_steps(file_, document_, steps);
    EXPECT_EQ(run.status, simulation::RunStatus::Interrupted);
    EXPECT_GT(run.impacts, 0);
    write_checkpoint(folder_ / "c.ckpt", {.moment = run.end}, file_, document_);
    EXPECT_NO_THROW(read_checkpoint(folder_ / "c.ckpt", file_, document_));
  }

  void refuses(const std::string& key, const std::string& value,
               std::initializer_list<std::string> fragments) const {
    SCOPED_TRACE(key + " = " + value);
    Document edited = read_document(folder_ / "c.ckpt");
    override_value(edited, "moment." + key, value, "by hand");
    folder_.write("edited.ckpt", to_json(edited.root));
    expect_error([&] { read_checkpoint(folder_ / "edited.ckpt", file_, document_); }, fragments);
    expect_error([&] { read_checkpoint(folder_ / "edited.ckpt", file_, document_); },
                 {"edited.ckpt:", ": moment."});
  }

 private:
  TemporaryFolder folder_;
  Document document_;
  MotionFile file_;
};

const std::string kNewton = "kind = \"newton\"\n";

TEST(CheckpointFile, ANumberThatNoRunHasWrittenIsRefused) {
  const Edited c(kNewton, "method = \"moreau_jean\"\nstep = 1e-3\ncluster_gap = 0.0\n", 300);
  c.refuses("position", "[-0.5]",
            {"moment.position: contact", "has gap -0.5 m", "must not overlap"});
  c.refuses("position", "[0.01, 0.02]", {"must have 1 entry", "got 2"});
  c.refuses("position", "[null]", {"must be a number", "null"});
  c.refuses("time", "-0.1", {"-0.1 s is before the start, 0 s"});
  c.refuses("step", "-1", {"must be 0 or above, got -1"});
  c.refuses("memory.restitution", "[0.6, 0.6]",
            {"moment.memory.restitution: must have 1 entry, one per contact, got 2"});
  c.refuses("memory", "[]", {"moment.memory"});
  c.refuses("memory", "{}", {"restitution", "missing"});
  c.refuses("memory.restitution[0]", "7", {"must be from 0 to 1, or -1, got 7"});
  c.refuses("memory.restitution[0]", "null", {"must be a number", "null"});
  c.refuses("memory.previous_position", "[0.1]", {"memory.previous_position", "unknown"});
  c.refuses("sticking", "[0]", {"not among those that are held"});
  c.refuses("books.reaches", "[]", {"must have 1 entry, one per contact, got 0"});
  c.refuses("books.start_time", "0.1", {"not where the scene starts"});
  c.refuses("books.first_impact_time", "5", {"5 s is not between the start"});
  c.refuses("books.impacts", "0", {"is 0, and the first impact is known"});
  c.refuses("books.impacts", "100000", {"100000 is above events"});
  c.refuses("books.energy.final", "3", {"3 J is not the energy of the position and velocity"});
  c.refuses("books.energy_sum", "1e3", {"1000 J over", "not between min and max"});
  c.refuses("books.energy_squares", "0", {"does not agree"});
  c.refuses("books.bounce.clusters[0].end", "0", {"order of time"});
  c.refuses("books.bounce", "null", {"asks about the first bounce"});
}

TEST(CheckpointFile, BouncesThatNoRunRemembersAreRefused) {
  const Edited c(kNewton, "method = \"event_driven_adaptive\"\n", 5);
  const std::string impact = R"({"time": 0.2, "contacts": [0], "flight": 0.1})";
  const std::string ending = R"({"time": 0.9, "contacts": [0], "lost": 0.0})";
  c.refuses("memory.accumulation.endings", "[" + ending + ", " + ending + "]",
            {"more than there are contacts"});
  std::string many = impact;
  for (int k = 0; k < 16; ++k) many += ", " + impact;
  c.refuses("memory.accumulation.impacts", "[" + many + "]", {"more than the last 16"});
  c.refuses("memory.accumulation.impacts",
            "[" + impact + R"(, {"time": 0.1, "contacts": [0], "flight": 0.1}])",
            {"impacts[1].time", "is before the one above"});
  c.refuses("memory.accumulation.impacts", R"([{"time": 0.2, "contacts": [0, 0], "flight": 0.1}])",
            {"has contact 0 twice"});
}

TEST(CheckpointFile, EveryMethodKnowsItsMemory) {
  {
    SCOPED_TRACE("event_driven_adaptive");
    const Edited c(kNewton, "", 12);
    c.refuses("position", "[-1e-6]", {"has gap -1e-06 m: bodies must not overlap"});
    c.refuses("held", "[0]", {"is open by", "cannot be held"});
    c.refuses("memory.reach", "[1, 2, 3]", {"must have 1 entry, one per coordinate, got 3"});
    c.refuses("memory.energy", "-1", {"must be 0 or above, got -1"});
    c.refuses("memory.law_has_friction", "0.5", {"must be true or false"});
    c.refuses("memory.accumulation.alone", "[]", {"must have 1 entry, one per contact, got 0"});
    c.refuses("memory.accumulation.impacts[0].contacts", "[1]", {"1 is not a contact"});
    c.refuses("memory.accumulation.followed", "null", {"must be a number"});
    c.refuses("velocity[0]", "3", {"moment.books.energy.final", "not the energy of the position"});
  }
  {
    SCOPED_TRACE("event_driven");
    const Edited c(kNewton, "method = \"event_driven\"\nstep = 1e-3\n", 300);
    c.refuses("memory.force", "[1, 2, 3]", {"must have 0 entries, one per held contact, got 3"});
    c.refuses("memory.acceleration", "[]", {"must have 1 entry, one per coordinate, got 0"});
    c.refuses("memory.acceleration[0]", "\"inf\"", {"must be a number"});
  }
  {
    SCOPED_TRACE("paoli_schatzman");
    const Edited c(kNewton, "method = \"paoli_schatzman\"\nstep = 1e-3\n", 300);
    c.refuses("memory.active", "[3]", {"3 is not a contact; there are 1"});
    c.refuses("memory.previous_position", "[]", {"must have 1 entry, one per coordinate, got 0"});
    c.refuses("memory.previous_position[0]", "1", {"not a step of 0.001 s before"});
  }
  {
    SCOPED_TRACE("compliant");
    const Edited c("kind = \"compliant\"\nforce = \"exact_restitution\"\n", "", 60);
    c.refuses("memory.forces", "[]", {"must have 1 entry, one per contact, got 0"});
    c.refuses("memory.forces[0].mode", "3", {"must be 0, 1 or 2, got 3"});
    c.refuses("memory.frictions[0].place[0]", "1", {"is none of the tangential rows"});
    c.refuses("memory.phases[0].start", "null", {"must be a number"});
    c.refuses("books.energy.final", "0", {"0 J is not the energy of the position"});
    c.refuses("books.contacts", "[]", {"must have 1 entry, one per contact, got 0"});
  }
}

}  // namespace
}  // namespace percute::io

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "unit/simulation/small_systems.hpp"

#include <percute/laws/complementarity.hpp>
#include <percute/simulation/event_driven.hpp>
#include <percute/systems/ball_chain.hpp>
#include <percute/systems/cradle.hpp>
#include <percute/systems/planar_body.hpp>

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <ostream>
#include <string>
#include <vector>

namespace percute::simulation {
namespace {

using systems::BallChain;
using systems::BouncingBall;
using systems::Cradle;
using systems::RockingBlock;
using testing::EventLog;

constexpr double kGravity = 9.81;

/// Units in which a scene is written: so many of them make a metre and a second.
struct Units {
  double length = 1.0;
  double time = 1.0;
  double speed() const { return length / time; }
  double acceleration() const { return length / (time * time); }
};

/// A scene in some units: the same motion in all.
struct Scene {
  std::string name;
  double duration = 1.0;
  /// Of each coordinate: whether it is an angle.
  std::vector<bool> angles;
  std::function<systems::AnySystem(const Units&)> system;
  std::function<State(const Units&)> start;
  AnyLaw law = laws::Newton{};
};

std::ostream& operator<<(std::ostream& out, const Scene& scene) {
  return out << scene.name;
}

BallChain chain(const Units& units, double restitution) {
  return {.balls = 3, .radius = 0.01 * units.length, .material = {.restitution = restitution}};
}

RockingBlock block(const Units& units, double restitution, double friction) {
  return {.width = 0.3 * units.length,
          .height = units.length,
          .material = {.restitution = restitution, .friction = friction},
          .gravity = kGravity * units.acceleration()};
}

Scene bouncing_ball(double height) {
  const auto ball = [](const Units& u) {
    return BouncingBall{.gravity = kGravity * u.acceleration(), .material = {.restitution = 0.8}};
  };
  return {.name = "bouncing ball",
          .duration = 5.0 * std::sqrt(height),
          .angles = {false},
          .system = ball,
          .start = [=](const Units& u) { return ball(u).at(height * u.length); }};
}

std::vector<Scene> scenes() {
  std::vector<Scene> all{bouncing_ball(1.0), bouncing_ball(1e-9)};
  for (const double e : {0.15, 0.05}) {
    all.push_back({.name = e > 0.1 ? "three balls" : "three balls that collapse",
                   .duration = 0.3,
                   .angles = {false, false, false},
                   .system = [e](const Units& u) { return chain(u, e); },
                   .start =
                       [e](const Units& u) {
                         return chain(u, e).apart(Vector{{0.01, 0.03}} * u.length,
                                                  Vector{{1.0, 0.0, 0.0}} * u.speed());
                       }});
  }
  all.push_back({.name = "cradle",
                 .duration = 3.0,
                 .angles = {true, true, true, true},
                 .system =
                     [](const Units& u) {
                       return Cradle{.balls = 4,
                                     .radius = 0.02 * u.length,
                                     .length = 0.5 * u.length,
                                     .gravity = kGravity * u.acceleration(),
                                     .material = {.restitution = 0.9}};
                     },
                 .start =
                     [](const Units&) {
                       return State{.position = Vector{{-0.4, -0.1, 0.0, 0.0}},
                                    .velocity = Vector::Zero(4)};
                     }});
  // Corners that friction holds, from side to side until it stands; and bounces of each corner that
  // accumulate again and again while it rocks (until rounding decides who comes next).
  all.push_back({.name = "rocking block",
                 .duration = 4.0,
                 .angles = {false, false, true},
                 .system = [](const Units& u) { return block(u, 0.0, 1.0); },
                 .start = [](const Units& u) { return block(u, 0.0, 1.0).tilted(0.1); },
                 .law = laws::Coulomb{}});
  all.push_back({.name = "bouncing block",
                 .duration = 0.33,
                 .angles = {false, false, true},
                 .system = [](const Units& u) { return block(u, 0.5, 0.0); },
                 .start = [](const Units& u) { return block(u, 0.5, 0.0).tilted(0.05); }});
  return all;
}

struct Told {
  Run run;
  std::vector<Event> events;
};

Told told(const Scene& scene, const Units& units) {
  Told out;
  EventLog log;
  const EventDriven method{.run = {.duration = scene.duration * units.time}};
  out.run = method(scene.system(units), {.state = scene.start(units)}, scene.law, log.observer());
  out.events = log.events;
  return out;
}

class EventDrivenUnits : public ::testing::TestWithParam<Scene> {};

// What happens does not depend on the units it is written in: micrometres and milliseconds,
// kilometres, or powers of two, which change no digit of any number.
TEST_P(EventDrivenUnits, AreOfNoConsequence) {
  const Scene& scene = GetParam();
  const Told metres = told(scene, {});
  ASSERT_EQ(metres.run.status, RunStatus::Ok) << metres.run.reason;
  ASSERT_GT(metres.events.size(), 2U);
  // Rounding makes other steps, each with an error up to the tolerance of the motion, 1e-10; the
  // block takes some hundred.
  const std::vector<std::pair<Units, double>> others{{{.length = 0x1p-20, .time = 0x1p-10}, 0.0},
                                                     {{.length = 0x1p10, .time = 0x1p5}, 0.0},
                                                     {{.length = 1e-6, .time = 1e-3}, 1e-8},
                                                     {{.length = 1e-6, .time = 1.0}, 1e-8},
                                                     {{.length = 1e3, .time = 30.0}, 1e-8}};
  for (const auto& entry : others) {
    // A lambda of clang 14 captures no structured binding.
    const auto& units = entry.first;
    const double difference = entry.second;
    const Told other = told(scene, units);
    ASSERT_EQ(other.run.status, RunStatus::Ok) << other.run.reason;
    ASSERT_EQ(other.events.size(), metres.events.size()) << units.length;
    const auto compare = [&](const Vector& there, const Vector& here, double unit) {
      for (Eigen::Index k = 0; k < here.size(); ++k) {
        const bool angle = scene.angles[static_cast<std::size_t>(k)];
        EXPECT_NEAR(there[k] / (angle ? unit / units.length : unit), here[k], difference);
      }
    };
    for (std::size_t k = 0; k < metres.events.size(); ++k) {
      const Event& a = metres.events[k];
      const Event& b = other.events[k];
      EXPECT_EQ(b.kind, a.kind) << units.length << ", event " << k;
      EXPECT_EQ(b.contacts, a.contacts) << units.length << ", event " << k;
      EXPECT_NEAR(b.time / units.time, a.time, difference) << units.length << ", event " << k;
      compare(b.position, a.position, units.length);
      compare(b.velocity_after, a.velocity_after, units.speed());
    }
    compare(other.run.end.state.position, metres.run.end.state.position, units.length);
    compare(other.run.end.state.velocity, metres.run.end.state.velocity, units.speed());
  }
}

INSTANTIATE_TEST_SUITE_P(Scenes, EventDrivenUnits, ::testing::ValuesIn(scenes()));

// Impacts of three equal balls without forces, one pair at a time, in gaps and gap rates, which
// shrink together and keep their digits: when they end, and after how many where there is an end.
struct Collapse {
  double time = 0.0;
  int impacts = 0;
};

Collapse collapse(double restitution, double gap_1, double gap_2, const Vector& velocity) {
  std::array<long double, 2> gap{gap_1, gap_2};
  std::array<long double, 2> rate{velocity[1] - velocity[0], velocity[2] - velocity[1]};
  Collapse out;
  long double time = 0.0L;
  for (; out.impacts < 2000; ++out.impacts) {
    const long double first = rate[0] < 0.0L ? gap[0] / -rate[0] : HUGE_VALL;
    const long double second = rate[1] < 0.0L ? gap[1] / -rate[1] : HUGE_VALL;
    const std::size_t c = first < second ? 0 : 1;
    const long double after = std::min(first, second);
    if (!(after < HUGE_VALL)) break;
    time += after;
    for (std::size_t i = 0; i < 2; ++i) gap[i] += after * rate[i];
    gap[c] = 0.0L;
    // The ball between them takes half of the change of the gap rate.
    const long double change = -(1.0L + restitution) * rate[c];
    rate[c] += change;
    rate[1 - c] -= 0.5L * change;
  }
  out.time = static_cast<double>(time);
  return out;
}

// Three equal balls collapse below e = 7 − 4√3 = 0.0718 (McNamara & Young 1994). Between impacts
// they fly straight on: the instant is a sum that shrinks by a factor of its own, not that of
// speeds.
TEST(EventDrivenCollapse, EndsWhenAndWhereItShould) {
  struct Case {
    double restitution;
    double gap_1;
    double gap_2;
    Vector velocity;
  };
  const std::vector<Case> cases{{0.05, 0.01, 0.03, Vector{{1.0, 0.0, 0.0}}},
                                {0.02, 0.01, 0.03, Vector{{1.0, 0.0, 0.0}}},
                                {0.06, 0.05, 0.02, Vector{{1.0, 0.2, -0.3}}},
                                {0.07, 0.02, 0.03, Vector{{1.0, 0.0, -0.5}}},
                                {0.0717, 0.02, 0.03, Vector{{1.0, 0.0, -0.5}}},
                                {0.018, 0.13, 0.55, Vector{{1.0, 0.0, -1.0}}},
                                {0.012, 0.08, 0.02, Vector{{0.6, -0.4, -0.7}}},
                                {0.004, 0.07, 0.02, Vector{{1.0, 0.0, -1.0}}}};
  // Steps may begin as long as a hundredth of the duration: that must not be seen in what happens.
  for (const double duration : {1.0, 1e3, 1e6}) {
    for (const Case& c : cases) {
      const BallChain balls{.balls = 3, .radius = 0.01, .material = {.restitution = c.restitution}};
      const State start = balls.apart(Vector{{c.gap_1, c.gap_2}}, c.velocity);
      EventLog log;
      const simulation::Run run = EventDriven{.run = {.duration = duration}}(
          balls, {.state = start}, laws::Newton{}, log.observer());
      ASSERT_EQ(run.status, RunStatus::Ok) << run.reason;
      const auto ends = log.of(EventKind::Accumulation);
      ASSERT_EQ(ends.size(), 1U) << c.restitution << ", " << duration;
      EXPECT_THAT(ends[0].contacts, ::testing::ElementsAre(0, 1));
      const Collapse exact = collapse(c.restitution, c.gap_1, c.gap_2, c.velocity);
      const double time = exact.time;
      // The tolerance of the method, 1e-10 of the time it took.
      EXPECT_NEAR(ends[0].time, time, 1e-10 * time) << c.restitution << ", " << duration;
      // There the balls touch, around a centre that has moved on as it did before.
      const double centre = start.position.mean() + c.velocity.mean() * time;
      const Vector& q = ends[0].position;
      for (int i = 0; i < 3; ++i) {
        EXPECT_NEAR(q[i], centre + 0.02 * (i - 1), 1e-10 * (c.gap_1 + c.gap_2)) << c.restitution;
      }
      EXPECT_EQ(run.impacts + 1, static_cast<std::int64_t>(log.events.size()));
      EXPECT_NEAR((run.end.state.velocity.array() - c.velocity.mean()).abs().maxCoeff(), 0.0,
                  1e-14);
    }
  }
}

// Bounces that are cut off early, by a speed that was asked for, end when they would have.
TEST(EventDrivenCollapse, EndsWhenItShouldWhereverItIsCutOff) {
  for (const double e : {0.01, 0.03, 0.05, 0.07}) {
    const BallChain balls{.balls = 3, .radius = 0.01, .material = {.restitution = e}};
    const Vector velocity{{0.6, -0.4, -0.7}};
    const State start = balls.apart(Vector{{0.08, 0.02}}, velocity);
    const double time = collapse(e, 0.08, 0.02, velocity).time;
    for (const double slow : {1e-4, 1e-3, 1e-2, 5e-2}) {
      EventLog log;
      const simulation::Run run =
          EventDriven{.run = {.duration = 1.0, .micro_bounce_velocity = slow}}(
              balls, {.state = start}, laws::Newton{}, log.observer());
      ASSERT_EQ(run.status, RunStatus::Ok) << run.reason;
      const auto ends = log.of(EventKind::Accumulation);
      ASSERT_EQ(ends.size(), 1U) << e << ", " << slow;
      EXPECT_NEAR(ends[0].time, time, 1e-10 * time) << e << ", " << slow;
    }
  }
}

// Above the threshold they part after a last impact.
TEST(EventDrivenCollapse, IsNotFoundWhereThereIsNone) {
  for (const double e : {0.08, 0.1, 0.3, 0.9}) {
    const BallChain balls{.balls = 3, .radius = 0.01, .material = {.restitution = e}};
    const State start = balls.apart(Vector{{0.02, 0.03}}, Vector{{1.0, 0.0, -0.5}});
    EventLog log;
    const simulation::Run run = EventDriven{.run = {.duration = 1.0}}(
        balls, {.state = start}, laws::Newton{}, log.observer());
    ASSERT_EQ(run.status, RunStatus::Ok) << run.reason;
    EXPECT_EQ(log.of(EventKind::Impact).size(), log.events.size()) << e;
    EXPECT_EQ(run.impacts, collapse(e, 0.02, 0.03, Vector{{1.0, 0.0, -0.5}}).impacts) << e;
  }
}

// Balls on two floors, one after the other at rest: the end of the bounces of one is told when it
// is due, whatever the other does before.
TEST(EventDrivenCollapse, OneEndDoesNotComeEarlyBecauseOfAnother) {
  // Two particles side by side, as the coordinates of one in a corner.
  const testing::Particle particle{
      .gravity = kGravity,
      .walls = {{.nx = 1.0, .ny = 0.0, .restitution = 0.5}, {.restitution = 0.5}},
      .drive = [](double) { return Vector{{-kGravity, 0.0}}; }};
  EventLog log;
  const double low = 0.99;
  const simulation::Run run = EventDriven{.run = {.duration = 3.0}}(
      particle, testing::start_at(Vector{{1.0, low}}, Vector::Zero(2)), laws::Newton{},
      log.observer());
  ASSERT_EQ(run.status, RunStatus::Ok) << run.reason;
  const auto ends = log.of(EventKind::Accumulation);
  ASSERT_EQ(ends.size(), 2U);
  EXPECT_NEAR(ends[0].time, 3.0 * std::sqrt(2.0 * low / kGravity), 1e-10);
  EXPECT_NEAR(ends[1].time, 3.0 * std::sqrt(2.0 / kGravity), 1e-10);
}

// Beads that bounce on each other without order come to rest: not all ends can be foreseen.
TEST(EventDrivenCollapse, AColumnComesToRest) {
  for (const double metre : {1.0, 0x1p-20}) {
    const systems::AnySystem column = BallChain{.balls = 5,
                                                .radius = 0.004 * metre,
                                                .material = {.restitution = 0.8},
                                                .wall = BallChain::Wall::Left,
                                                .gravity = kGravity};
    const BallChain at{.balls = 5, .radius = 0.004 * metre, .wall = BallChain::Wall::Left};
    const State start = at.apart(Vector{{0.005, 0.0, 0.0, 0.0, 0.0}} * metre, Vector::Zero(5));
    const simulation::Run run = EventDriven{.run = {.duration = 1.0 * std::sqrt(metre)}}(
        column, {.state = start}, laws::Newton{});
    ASSERT_EQ(run.status, RunStatus::Ok) << run.reason;
    EXPECT_EQ(run.end.held.size(), 5U);
    EXPECT_LT(run.end.state.velocity.norm(), 1e-30);  // rounding of forces that balance
    EXPECT_LT(run.impacts, 5000);
  }
}

// A speed or a length that is given is taken as it is.
TEST(EventDrivenUnitsGiven, AreKept) {
  const BouncingBall ball{.gravity = kGravity, .material = {.restitution = 0.5}};
  const auto impacts = [&](const RunOptions& options) {
    return EventDriven{.run = options}(ball, {.state = ball.at(1e-9)}, laws::Newton{}).impacts;
  };
  EXPECT_EQ(impacts({.duration = 1.0, .micro_bounce_velocity = 1e-3}), 1);  // falls at 1.4e-4 m/s
  EXPECT_GT(impacts({.duration = 1.0}), 15);
}

// Gaps that only who wrote them knows to be none are told.
TEST(EventDrivenUnitsGiven, ASmallGapThatIsLeftOutIsTold) {
  const BallChain balls{.balls = 3, .radius = 0.01, .material = {.restitution = 1.0}};
  const State start = balls.apart(Vector{{0.01, 5e-9}}, Vector{{1.0, 0.0, 0.0}});
  const simulation::Run left_out =
      EventDriven{.run = {.duration = 0.1}}(balls, {.state = start}, laws::Newton{});
  ASSERT_EQ(left_out.warnings.size(), 1U);
  EXPECT_THAT(left_out.warnings[0], ::testing::HasSubstr("simulation.grouping"));
  EXPECT_NEAR(left_out.end.state.velocity[2], 1.0, 1e-14);  // one ball after the other
  const simulation::Run given = EventDriven{.grouping = 1e-6, .run = {.duration = 0.1}}(
      balls, {.state = start}, laws::Newton{});
  EXPECT_TRUE(given.warnings.empty());
  EXPECT_NEAR(given.end.state.velocity[0], -1.0 / 3.0, 1e-12);  // Newton's law for both contacts
}

}  // namespace
}  // namespace percute::simulation

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "simulation/scene.hpp"
#include "unit/simulation/small_systems.hpp"

#include <percute/laws/complementarity.hpp>
#include <percute/laws/lzb.hpp>
#include <percute/model/invalid_input.hpp>
#include <percute/simulation/event_driven.hpp>
#include <percute/systems/ball_chain.hpp>
#include <percute/systems/cradle.hpp>
#include <percute/systems/planar_body.hpp>

#include <gmock/gmock.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

namespace percute::simulation {
namespace {

using systems::BouncingBall;
using systems::Cradle;
using ::testing::ElementsAre;
using testing::EventLog;
using ::testing::HasSubstr;
using testing::JointedPendulum;
using testing::Particle;
using testing::start_at;

constexpr double kGravity = 9.81;
constexpr double kDegree = std::numbers::pi / 180.0;

// A pull upwards that grows: the contact lets go when it has become the weight.
TEST(EventDrivenContact, LetsGoWhenItsForceWouldPull) {
  Particle block{.mass_of_it = 2.0, .walls = {{}}};
  const double c = 11.0;
  block.drive = [&](double t) -> Vector { return Vector{{0.0, c * t}}; };
  EventLog log;
  const auto run = EventDriven{.run = {.duration = 3.0}}(
      block, start_at(Vector::Zero(2), Vector{{0.5, 0.0}}), laws::Newton{}, log.observer());
  ASSERT_EQ(run.status, RunStatus::Ok) << run.reason;
  const auto ends = log.of(EventKind::ContactEnds);
  ASSERT_EQ(ends.size(), 1U);
  const double t = 2.0 * kGravity / c;
  // 1e-10 of the weight above, for the same reason.
  EXPECT_NEAR(ends[0].time, t, 1e-9);
  EXPECT_NEAR(run.end.state.position[1], c / 2.0 * std::pow(3.0 - t, 3) / 6.0, 1e-8);
  EXPECT_NEAR(run.end.state.position[0], 1.5, 1e-14);
  EXPECT_TRUE(run.end.held.empty());
}

// The same while it is pushed along the floor, with friction: where nothing presses any more, only
// the push is left to tell rounding by.
TEST(EventDrivenContact, LetsGoWhileItIsPushedAlong) {
  Particle block{.walls = {{.friction = 0.2}}};
  block.drive = [](double t) -> Vector { return Vector{{50.0, 2.0 * kGravity * t}}; };
  EventLog log;
  const auto run = EventDriven{.run = {.duration = 1.0}}(
      block, start_at(Vector::Zero(2), Vector{{0.5, 0.0}}), laws::Coulomb{}, log.observer());
  ASSERT_EQ(run.status, RunStatus::Ok) << run.reason;
  const auto ends = log.of(EventKind::ContactEnds);
  ASSERT_EQ(ends.size(), 1U);
  EXPECT_NEAR(ends[0].time, 0.5, 1e-9);  // 1e-10 of the push above the weight
  // y″ = g (2t − 1) from then on; x″ = 50 − μ g (1 − 2t) before.
  EXPECT_NEAR(run.end.state.position[1], kGravity / 24.0, 1e-8);
  EXPECT_NEAR(run.end.state.velocity[0], 50.5 - 0.2 * kGravity / 4.0, 1e-8);
}

/// A rigid block in the plane (x, y, θ) on feet at a distance from its centre, over a floor.
struct Table {
  std::vector<double> feet = {-1.0, 1.0};
  double height = 0.5;
  double inertia = 1.0 / 3.0;
  double friction = 0.0;
  std::function<double(double)> push = {};  ///< sideways, at the centre

  int coordinates() const { return 3; }
  int contacts() const { return static_cast<int>(feet.size()); }
  void mass(const Vector&, Matrix& M) const { M = Vector{{1.0, 1.0, inertia}}.asDiagonal(); }
  void force(double t, const Vector&, const Vector&, Vector& f) const {
    f << (push ? push(t) : 0.0), -kGravity, 0.0;
  }
  double foot(int i) const { return feet[static_cast<std::size_t>(i)]; }
  void gaps(const Vector& q, Vector& h) const {
    for (int i = 0; i < contacts(); ++i) {
      h[i] = q[1] + foot(i) * std::sin(q[2]) - height * std::cos(q[2]);
    }
  }
  void gradient(int i, const Vector& q, Vector& w) const {
    w << 0.0, 1.0, foot(i) * std::cos(q[2]) + height * std::sin(q[2]);
  }
  double gap_curvature(int i, const Vector& q, const Vector& v) const {
    return (-foot(i) * std::sin(q[2]) + height * std::cos(q[2])) * v[2] * v[2];
  }
  Contact contact(int /*i*/, const Vector& /*q*/) const {
    return {.material = {.restitution = 0.0, .friction = friction}, .directions = 1};
  }
  void tangents(int i, const Vector& q, Eigen::Ref<Matrix> T) const {
    T << 1.0, 0.0, -foot(i) * std::sin(q[2]) + height * std::cos(q[2]);
  }
  double potential_energy(const Vector& q) const { return kGravity * q[1]; }
};

// Three feet, of which two would do: dropped flat it lies, and what each foot carries is a matter
// of choice that must not show.
TEST(EventDrivenContact, RedundantFeetRest) {
  for (const double friction : {0.0, 0.6}) {
    const Table table{.feet = {-1.0, 0.2, 1.0}, .friction = friction};
    EventLog log;
    const auto run = EventDriven{.run = {.duration = 2.0}}(
        table, start_at(Vector{{0.0, 0.6, 0.0}}, Vector{{friction > 0.0 ? 0.1 : 0.0, 0.0, 0.0}}),
        friction > 0.0 ? AnyLaw(laws::Coulomb{}) : AnyLaw(laws::Moreau{}), log.observer());
    ASSERT_EQ(run.status, RunStatus::Ok) << run.reason;
    EXPECT_EQ(run.impacts, 1);
    EXPECT_EQ(run.end.held.size(), 3U);
    EXPECT_NEAR(run.end.state.position[1], 0.5, 1e-15);
    EXPECT_NEAR(run.end.state.position[2], 0.0, 1e-15);
    EXPECT_NEAR(run.end.state.velocity.norm(), 0.0, 1e-14);
  }
}

// Where nothing has moved yet, rounding must not be taken as sliding, or steps would never grow.
TEST(EventDrivenContact, ABlockStandsOnRoughGroundWithoutACut) {
  const systems::RockingBlock block{.height = 0.9125514,
                                    .material = {.restitution = 0.05, .friction = 0.294},
                                    .gravity = kGravity};
  int steps = 0;
  const Observer observer{
      .step = [&](double, const Vector&, const Vector&) { return ++steps < 1000; }};
  const auto run = EventDriven{.run = {.duration = 1.0, .micro_bounce_velocity = 0.0}}(
      block, {.state = block.tilted(0.0)}, laws::Coulomb{}, observer);
  EXPECT_EQ(run.status, RunStatus::Ok) << run.end.time;
  EXPECT_THAT(run.end.sticking, ElementsAre(0, 1));
  EXPECT_NEAR(run.end.state.velocity.norm(), 0.0, 1e-13);
}

// Rounding of friction, 1e-15 m/s², would move it by metres in a year.
TEST(EventDrivenContact, ABlockStandsForEver) {
  const systems::RockingBlock block{.width = 0.3,
                                    .height = 0.8,
                                    .material = {.restitution = 0.0, .friction = 0.6},
                                    .gravity = kGravity};
  for (const double duration : {10.0, 1e5, 1e9}) {
    const auto run = EventDriven{.run = {.duration = duration}}(
        block, {.state = block.tilted(0.05)}, laws::Coulomb{});
    EXPECT_EQ(run.status, RunStatus::Ok) << run.reason;
    EXPECT_NEAR(run.end.state.position[0], block.tilted(0.0).position[0], 1e-9) << duration;
    EXPECT_NEAR(run.end.state.position[1], 0.4, 1e-12) << duration;
    EXPECT_NEAR(run.end.state.position[2], 0.0, 1e-12) << duration;
    EXPECT_LE(run.end.state.velocity.norm(), 1e-15) << duration;
  }
}

// Pushed sideways with growing force, a table on rough ground tips about its front foot before it
// slides if μ is above half-width over height: F H = m g a at c t.
TEST(EventDrivenContact, ATableTipsAboutItsFoot) {
  Table table{.feet = {-0.2, 0.2}, .height = 0.5, .friction = 0.9};
  table.push = [](double t) { return 2.0 * t; };
  EventLog log;
  const auto run = EventDriven{.run = {.duration = 2.5}}(
      table, start_at(Vector{{0.0, 0.5, 0.0}}, Vector::Zero(3)), laws::Coulomb{}, log.observer());
  ASSERT_EQ(run.status, RunStatus::Ok) << run.reason;
  const auto ends = log.of(EventKind::ContactEnds);
  ASSERT_EQ(ends.size(), 1U);
  EXPECT_THAT(ends[0].contacts, ElementsAre(0));
  EXPECT_NEAR(ends[0].time, kGravity * 0.2 / 0.5 / 2.0, 1e-8);
  EXPECT_THAT(run.end.sticking, ElementsAre(1));
  EXPECT_LT(run.end.state.position[2], -0.01);
  // The foot has not moved: x + a cos θ + H sin θ, with the difference of tangents along the motion
  // (1e-12) and the projection of every step.
  const double theta = run.end.state.position[2];
  EXPECT_NEAR(run.end.state.position[0] + 0.2 * std::cos(theta) + 0.5 * std::sin(theta), 0.2, 1e-9);
}

// Balls and contacts in another order: the same motion.
struct Reordered {
  systems::AnySystem system;
  std::vector<int> ball;  ///< of the coordinate
  std::vector<int> pair;  ///< of the contact

  Vector theirs(const Vector& x) const {
    Vector y(x.size());
    for (Eigen::Index i = 0; i < x.size(); ++i) y[ball[static_cast<std::size_t>(i)]] = x[i];
    return y;
  }
  Vector ours(const Vector& y) const {
    Vector x(y.size());
    for (Eigen::Index i = 0; i < y.size(); ++i) x[i] = y[ball[static_cast<std::size_t>(i)]];
    return x;
  }
  int coordinates() const { return system.coordinates(); }
  int contacts() const { return system.contacts(); }
  void mass(const Vector& q, Matrix& M) const {
    Matrix N = M;
    system.mass(theirs(q), N);
    for (Eigen::Index i = 0; i < M.rows(); ++i) {
      for (Eigen::Index j = 0; j < M.cols(); ++j) {
        M(i, j) = N(ball[static_cast<std::size_t>(i)], ball[static_cast<std::size_t>(j)]);
      }
    }
  }
  void force(double t, const Vector& q, const Vector& v, Vector& f) const {
    Vector g = f;
    system.force(t, theirs(q), theirs(v), g);
    f = ours(g);
  }
  void gaps(const Vector& q, Vector& h) const {
    Vector g = h;
    system.gaps(theirs(q), g);
    for (Eigen::Index i = 0; i < h.size(); ++i) h[i] = g[pair[static_cast<std::size_t>(i)]];
  }
  void gradient(int i, const Vector& q, Vector& w) const {
    Vector g = w;
    system.gradient(pair[static_cast<std::size_t>(i)], theirs(q), g);
    w = ours(g);
  }
  double gap_curvature(int i, const Vector& q, const Vector& v) const {
    return system.gap_curvature(pair[static_cast<std::size_t>(i)], theirs(q), theirs(v));
  }
  Contact contact(int i, const Vector& q) const {
    return system.contact(pair[static_cast<std::size_t>(i)], theirs(q));
  }
  double potential_energy(const Vector& q) const { return system.potential_energy(theirs(q)); }
};

TEST(EventDrivenContact, TheOrderOfBodiesDoesNotMatter) {
  const Cradle cradle{.balls = 4, .gravity = kGravity};
  const Vector angles{{-0.5, 0.0, 0.0, 0.0}};
  const EventDriven method{.run = {.duration = 3.0}};
  const laws::Lzb law{.tolerance = 1e-11};
  const auto there = method(cradle, start_at(angles, Vector::Zero(4)), law);
  const Reordered other{.system = cradle, .ball = {2, 0, 3, 1}, .pair = {1, 2, 0}};
  const auto here = method(other, start_at(other.ours(angles), Vector::Zero(4)), law);
  ASSERT_EQ(there.status, RunStatus::Ok);
  EXPECT_GT(there.impacts, 10);
  EXPECT_EQ(there.impacts, here.impacts);
  // The tolerance of the law at each of some ten impacts.
  EXPECT_NEAR((other.theirs(here.end.state.position) - there.end.state.position).norm(), 0.0, 1e-9);
}

// Stopped at any step and carried on: not a bit differs.
TEST(EventDrivenContact, GoesOnFromWhereItStopped) {
  const Cradle cradle{.balls = 3, .gravity = kGravity, .material = {.restitution = 0.9}};
  const Moment start = start_at(Vector{{-0.4, 0.0, 0.0}}, Vector::Zero(3));
  EventDriven method{.run = {.duration = 3.0}};
  const auto whole = method(cradle, start, laws::Lzb{});
  ASSERT_EQ(whole.status, RunStatus::Ok) << whole.reason;
  ASSERT_GT(whole.steps, 20);
  for (std::int64_t stop = 1; stop < whole.steps; stop += 7) {
    std::int64_t count = 0;
    Observer observer;
    observer.step = [&](double, const Vector&, const Vector&) { return count++ < stop; };
    auto part = method(cradle, start, laws::Lzb{}, observer);
    EXPECT_EQ(part.status, RunStatus::Interrupted);
    method.run.resume = true;
    const auto rest = method(cradle, part.end, laws::Lzb{});
    method.run.resume = false;
    EXPECT_EQ(rest.end.state.position, whole.end.state.position) << stop;
    EXPECT_EQ(rest.end.state.velocity, whole.end.state.velocity) << stop;
    EXPECT_EQ(rest.impacts, whole.impacts) << stop;
    EXPECT_EQ(rest.steps, whole.steps) << stop;
    std::get<simulation::EventDrivenMemory>(part.end.memory).accumulation.alone.pop_back();
    EXPECT_THROW(method(cradle, part.end, laws::Lzb{}), InvalidInput);
    part.end.memory = simulation::NewmarkMemory{.acceleration = Vector::Zero(3)};
    EXPECT_THROW(method(cradle, part.end, laws::Lzb{}), InvalidInput);
  }
}

template <class Act>
std::string error_of(Act&& act) {
  try {
    act();
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "";
}

TEST(EventDrivenContact, RefusesWhatCannotBe) {
  const BouncingBall ball{.gravity = kGravity};
  const Moment start = start_at(Vector{{1.0}}, Vector{{0.0}});
  const EventDriven method{.run = {.duration = 1.0}};
  const auto with = [&](auto&& change) {
    EventDriven other = method;
    change(other);
    return error_of([&] { other(ball, start, laws::Newton{}); });
  };
  EXPECT_THAT(with([](auto& m) { m.tolerance = 0.0; }),
              HasSubstr("simulation.tolerance: 0 is not in [1e-14, 0.01]"));
  EXPECT_THAT(with([](auto& m) { m.grouping = -1e-6; }),
              HasSubstr("simulation.grouping: -1e-06 is not a finite number >= 0"));
  EXPECT_THAT(with([](auto& m) { m.position_scale = Vector::Ones(3); }),
              HasSubstr("simulation.position_scale: 3 numbers for 1 coordinates"));
  EXPECT_THAT(with([](auto& m) { m.velocity_scale = Vector::Zero(1); }),
              HasSubstr("simulation.velocity_scale: 0 is not above 0"));
  EXPECT_THAT(with([](auto& m) { m.run.duration.reset(); }), HasSubstr("simulation.duration"));

  const Cradle cradle{.balls = 2, .gravity = kGravity};
  EXPECT_THAT(error_of([&] {
                method(cradle, start_at(Vector{{0.1, 0.0}}, Vector::Zero(2)), laws::Newton{});
              }),
              HasSubstr("start.position: contact 1–2 has gap -0.04"));
  const JointedPendulum pendulum;
  EXPECT_THAT(error_of([&] {
                method(pendulum, start_at(Vector{{0.5, -1.0}}, Vector::Zero(2)), laws::Newton{});
              }),
              HasSubstr("start.position: joint 1 is open by 0.125"));
}

// A law without an answer ends the run where it is, and the run says so.
TEST(EventDrivenContact, SaysWhenALawFails) {
  const BouncingBall ball{.gravity = kGravity};
  const Moment start = start_at(Vector{{1.0}}, Vector{{0.0}});
  const EventDriven method{.run = {.duration = 1.0}};
  const auto failed = method(ball, start, [](const ImpactProblem& problem) {
    return ImpactResult{.velocity = 0.0 * problem.velocity,
                        .impulse = Vector::Zero(1),
                        .status = Status::Infeasible};
  });
  EXPECT_EQ(failed.status, RunStatus::NotConverged);
  EXPECT_THAT(failed.reason, HasSubstr("infeasible"));
  EXPECT_NEAR(failed.end.state.velocity[0], -std::sqrt(2.0 * kGravity), 1e-12);

  const auto endless = method(ball, start, [](const ImpactProblem& problem) {
    return ImpactResult{.velocity = problem.velocity, .impulse = Vector::Zero(1)};
  });
  EXPECT_EQ(endless.status, RunStatus::NotConverged);
  EXPECT_THAT(endless.reason, HasSubstr("still approach"));

  EventDriven few{.run = {.duration = 100.0, .max_events = 10}};
  const auto many = few(ball, start, laws::Newton{});
  EXPECT_EQ(many.status, RunStatus::NotTerminated);
  EXPECT_THAT(many.reason, HasSubstr("max_events = 10 was reached at t = "));
}

// What binary collisions leave approaching collides again at the same instant.
TEST(EventDrivenContact, RepeatsImpactsAtOneInstant) {
  const Cradle cradle{.balls = 3, .gravity = kGravity};
  EventLog log;
  // One contact at a time: the first that approaches.
  const AnyLaw first = [](const ImpactProblem& problem) {
    const Matrix W(problem.gradients);
    const Vector U = W.transpose() * problem.velocity;
    Eigen::Index i = 0;
    while (i + 1 < U.size() && U[i] >= -1e-12) ++i;
    const Vector w = problem.mass.solve(Vector(W.col(i)));
    Vector p = Vector::Zero(U.size());
    p[i] = -2.0 * U[i] / W.col(i).dot(w);
    return ImpactResult{.velocity = problem.velocity + p[i] * w, .impulse = p};
  };
  const auto run = EventDriven{.run = {.duration = 0.5}}(
      cradle, start_at(Vector{{-0.3, 0.0, 0.0}}, Vector::Zero(3)), first, log.observer());
  ASSERT_EQ(run.status, RunStatus::Ok) << run.reason;
  const auto impacts = log.of(EventKind::Impact);
  ASSERT_EQ(impacts.size(), 2U);
  EXPECT_EQ(impacts[0].time, impacts[1].time);
  EXPECT_NEAR(impacts[1].velocity_after[2], impacts[0].velocity_before[0], 1e-12);
}

// Both walls of a narrow groove would draw in a body that still slides by rounding: it is at rest.
TEST(EventDrivenContact, RestsInAGrooveWithFriction) {
  for (const double friction : {0.3, 0.6, 1.5}) {
    const systems::VGroove groove{.mass = 0.1,
                                  .opening = 60.0 * kDegree,
                                  .material = {.restitution = 0.0, .friction = friction},
                                  .gravity = kGravity};
    const auto run = EventDriven{.run = {.duration = 3.0}}(
        groove, {.state = groove.at({0.0, 0.2}, {0.0, 0.0})}, laws::Coulomb{});
    ASSERT_EQ(run.status, RunStatus::Ok) << run.reason;
    EXPECT_LT(run.end.state.velocity.norm(), 1e-20) << friction;  // rounding of a projection
  }
}

// A law speaks of the contacts of its impact, the run of those of the system.
TEST(EventDrivenContact, ReasonsNameContactsOfTheSystem) {
  const Cradle cradle{.balls = 4, .length = 0.5, .gravity = kGravity};
  EXPECT_EQ(with_names("contacts[1] drives contacts[0]; contacts[7]", {0, 2}, cradle),
            "contact 3–4 drives contact 1–2; contacts[7]");
  EXPECT_EQ(with_names("nothing", {}, cradle), "nothing");
}

}  // namespace
}  // namespace percute::simulation

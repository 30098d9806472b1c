// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "unit/simulation/small_systems.hpp"

#include <percute/laws/complementarity.hpp>
#include <percute/simulation/event_driven.hpp>

#include <gmock/gmock.h>

#include <cmath>
#include <numbers>

// Contacts that last, with friction: what slides, turns, stops and begins to slide.

namespace percute::simulation {
namespace {

using ::testing::ElementsAre;
using testing::EventLog;
using testing::Particle;
using testing::start_at;

constexpr double kGravity = 9.81;
constexpr double kDegree = std::numbers::pi / 180.0;

/// A block on an incline that falls to the right, x along it by its coordinates.
Particle incline(double slope, double friction) {
  return {.walls = {{.nx = std::sin(slope), .ny = std::cos(slope), .friction = friction}}};
}

Vector along(double slope, double distance) {
  return distance * Vector{{std::cos(slope), -std::sin(slope)}};
}

// Thrown up the incline it slides against gravity and friction, and stays where it stops if
// friction exceeds the slope, μ > tan β; otherwise it slides back.
TEST(EventDrivenSliding, SlidesUpAnInclineAndStays) {
  const double slope = 20.0 * kDegree;
  const double friction = 0.5;
  EventLog log;
  const EventDriven method{.run = {.duration = 2.0}};
  const auto run = method(incline(slope, friction), start_at(Vector::Zero(2), along(slope, -1.0)),
                          laws::Coulomb{}, log.observer());
  ASSERT_EQ(run.status, RunStatus::Ok) << run.reason;
  const double braking = kGravity * (std::sin(slope) + friction * std::cos(slope));
  const auto stops = log.of(EventKind::Sticking);
  ASSERT_EQ(stops.size(), 1U);
  EXPECT_NEAR(stops[0].time, 1.0 / braking, 1e-12);
  EXPECT_THAT(run.end.sticking, ElementsAre(0));
  EXPECT_NEAR((run.end.state.position - along(slope, -0.5 / braking)).norm(), 0.0, 1e-12);
  EXPECT_NEAR(run.end.state.velocity.norm(), 0.0, 1e-15);
  EXPECT_TRUE(log.of(EventKind::Impact).empty());
}

TEST(EventDrivenSliding, SlidesBackWhereFrictionIsTooLow) {
  const double slope = 30.0 * kDegree;
  const double friction = 0.3;
  EventLog log;
  const auto run = EventDriven{.run = {.duration = 1.0}}(
      incline(slope, friction), start_at(Vector::Zero(2), along(slope, -1.0)), laws::Coulomb{},
      log.observer());
  ASSERT_EQ(run.status, RunStatus::Ok) << run.reason;
  const double up = kGravity * (std::sin(slope) + friction * std::cos(slope));
  const double down = kGravity * (std::sin(slope) - friction * std::cos(slope));
  const double turn = 1.0 / up;
  const double s = -0.5 / up + 0.5 * down * (1.0 - turn) * (1.0 - turn);
  EXPECT_NEAR((run.end.state.position - along(slope, s)).norm(), 0.0, 1e-12);
  EXPECT_TRUE(log.of(EventKind::Sticking).empty());
}

// A law without friction leaves contacts without it, too.
TEST(EventDrivenSliding, FrictionIsThatOfTheLaw) {
  const double slope = 20.0 * kDegree;
  const auto run = EventDriven{.run = {.duration = 1.0}}(
      incline(slope, 0.5), start_at(Vector::Zero(2), Vector::Zero(2)), laws::Newton{});
  EXPECT_NEAR((run.end.state.position - along(slope, 0.5 * kGravity * std::sin(slope))).norm(), 0.0,
              1e-12);
}

/// A particle on an incline in space, x downhill, y across, z away from it.
struct Incline {
  double slope = 0.3;
  double friction = 0.3;

  int coordinates() const { return 3; }
  int contacts() const { return 1; }
  void mass(const Vector&, Matrix& M) const { M.setIdentity(); }
  void force(double, const Vector&, const Vector&, Vector& f) const {
    f << kGravity * std::sin(slope), 0.0, -kGravity * std::cos(slope);
  }
  void gaps(const Vector& q, Vector& h) const { h[0] = q[2]; }
  void gradient(int, const Vector&, Vector& w) const { w << 0.0, 0.0, 1.0; }
  double gap_curvature(int, const Vector&, const Vector&) const { return 0.0; }
  Contact contact(int, const Vector&) const {
    return {.material = {.friction = friction}, .directions = 2};
  }
  void tangents(int, const Vector&, Eigen::Ref<Matrix> T) const { T.setIdentity(); }
  double potential_energy(const Vector& q) const {
    return kGravity * (q[2] * std::cos(slope) - q[0] * std::sin(slope));
  }
};

/// Contact 0 slides along x and rises by y as the sliding point of a tilted body does: its tangent
/// is (1, −2). Contact 1, at rest, has friction of its own. Forces press both with 1 N.
struct RisingSlider {
  static int coordinates() { return 4; }  // x, y; gap and place of contact 1
  static int contacts() { return 2; }
  static void mass(const Vector&, Matrix& M) { M.setIdentity(); }
  static void force(double, const Vector&, const Vector&, Vector& f) { f << 0.0, -1.0, -1.0, 0.1; }
  static void gaps(const Vector& q, Vector& h) { h << q[1], q[2]; }
  static void gradient(int i, const Vector&, Vector& w) {
    w.setZero();
    w[1 + i] = 1.0;
  }
  static double gap_curvature(int, const Vector&, const Vector&) { return 0.0; }
  static Contact contact(int i, const Vector&) {
    return {.material = {.friction = i == 0 ? 1.0 : 0.5}, .directions = 1};
  }
  static void tangents(int i, const Vector&, Eigen::Ref<Matrix> T) {
    if (i == 0) {
      T << 1.0, -2.0, 0.0, 0.0;
    } else {
      T << 0.0, 0.0, 0.0, 1.0;
    }
  }
  static double potential_energy(const Vector& q) { return q[1] + q[2] - 0.1 * q[3]; }
};

// Friction of what slides carries two thirds of its load, 1 = ν + 2 μ ν: given the friction of a
// load ν, the load that is left would be 1 − 2 ν, and so on without end.
TEST(EventDrivenSliding, FrictionThatLiftsWhatSlidesIsFoundBesideContactsAtRest) {
  const double time = 0.5;
  const auto run = EventDriven{.run = {.duration = time}}(
      RisingSlider{}, start_at(Vector::Zero(4), Vector{{1.0, 0.0, 0.0, 0.0}}), laws::Coulomb{});
  ASSERT_EQ(run.status, RunStatus::Ok) << run.reason;
  EXPECT_THAT(run.end.held, ElementsAre(0, 1));
  EXPECT_THAT(run.end.sticking, ElementsAre(1));
  const Vector expected{{time - time * time / 6.0, 0.0, 0.0, 0.0}};
  EXPECT_NEAR((run.end.state.position - expected).norm(), 0.0, 1e-12);
}

// With μ = tan β a particle pushed across turns downhill, and |u| + u_x does not change: what
// friction takes of the speed gravity gives to u_x. In the end both are one half of it.
TEST(EventDrivenSliding, TurnsDownhillInSpace) {
  const Incline incline{.slope = 0.3, .friction = std::tan(0.3)};
  const EventDriven method{.run = {.duration = 3.0}};
  const auto run =
      method(incline, start_at(Vector::Zero(3), Vector{{0.0, 1.0, 0.0}}), laws::Coulomb{});
  ASSERT_EQ(run.status, RunStatus::Ok) << run.reason;
  const Vector u = run.end.state.velocity;
  // The tolerance, over some hundred steps.
  EXPECT_NEAR(u.norm() + u[0], 1.0, 1e-9);
  EXPECT_NEAR(u[0], 0.5, 1e-4);
  EXPECT_GT(u[1], 0.0);
  EXPECT_EQ(u[2], 0.0);
}

TEST(EventDrivenSliding, StopsInSpace) {
  const Incline level{.slope = 0.0, .friction = 0.25};
  EventLog log;
  const auto run = EventDriven{.run = {.duration = 1.0}}(
      level, start_at(Vector::Zero(3), Vector{{0.6, 0.8, 0.0}}), laws::Coulomb{}, log.observer());
  ASSERT_EQ(run.status, RunStatus::Ok) << run.reason;
  ASSERT_EQ(log.of(EventKind::Sticking).size(), 1U);
  EXPECT_NEAR(log.of(EventKind::Sticking)[0].time, 1.0 / (0.25 * kGravity), 1e-9);
  const double way = 0.5 / (0.25 * kGravity);
  EXPECT_NEAR((run.end.state.position - way * Vector{{0.6, 0.8, 0.0}}).norm(), 0.0, 1e-9);
  EXPECT_EQ(run.end.state.velocity.norm(), 0.0);
}

// A pull that grows: c t sideways. Friction holds it up to μ m g; then it slides.
TEST(EventDrivenSliding, BeginsToSlideWhenFrictionIsAtItsLimit) {
  Particle block{.mass_of_it = 2.0, .walls = {{.friction = 0.4}}};
  const double c = 3.0;
  block.drive = [&](double t) -> Vector { return Vector{{c * t, 0.0}}; };
  EventLog log;
  const auto run = EventDriven{.run = {.duration = 4.0}}(
      block, start_at(Vector::Zero(2), Vector::Zero(2)), laws::Coulomb{}, log.observer());
  ASSERT_EQ(run.status, RunStatus::Ok) << run.reason;
  const auto begins = log.of(EventKind::Sliding);
  ASSERT_EQ(begins.size(), 1U);
  const double t = 0.4 * 2.0 * kGravity / c;
  // Friction is let go 1e-10 above its limit, so that rounding does not decide.
  EXPECT_NEAR(begins[0].time, t, 1e-9);
  EXPECT_NEAR(run.end.state.position[0], c / 2.0 * std::pow(4.0 - t, 3) / 6.0, 1e-8);
  EXPECT_EQ(run.end.state.position[1], 0.0);
}

}  // namespace
}  // namespace percute::simulation

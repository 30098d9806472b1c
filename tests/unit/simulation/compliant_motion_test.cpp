// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "unit/simulation/fixed_step_testing.hpp"
#include "unit/simulation/stepping_testing.hpp"

#include <percute/laws/single_contact.hpp>
#include <percute/model/invalid_input.hpp>
#include <percute/simulation/compliant_motion.hpp>
#include <percute/systems/ball_chain.hpp>
#include <percute/systems/cradle.hpp>
#include <percute/systems/planar_body.hpp>

#include <gtest/gtest.h>

#include <array>
#include <numbers>
#include <vector>

namespace percute::simulation {
namespace {

using laws::Compliant;
using std::numbers::pi;
using testing::PointOnFloor;
using testing::Rod;
using testing::start_at;
using Force = Compliant::Force;

const Eigen::Vector2d kNoGravity(0.0, 0.0);

/// Material with what any force may ask for.
Material rich() {
  Material material{.restitution = 0.6, .stiffness = 1e6, .exponent = 1.5};
  material.unloading_stiffness = 2.5e6;
  material.tri_stiffness =
      TriStiffness{.yield_indentation = 1e-4, .plastic_stiffness = 4e5, .unloading_stiffness = 2e6};
  material.effective_modulus = 1e9;
  material.effective_radius = 0.02;
  material.yield_pressure = 2e7;
  return material;
}

/// Every force has a damping of its own dimension.
double damping(Force force) {
  switch (force) {
    case Force::KelvinVoigt:
      return 200.0;
    case Force::KuwabaraKono:
      return 1e4;
    default:
      return 0.2;
  }
}

// As it tilts by 1e-6 rad, what holds its corners from sliding comes to hold it from turning too.
TEST(CompliantMotion, ADampedPlateComesToRestOnItsCorners) {
  for (const double friction : {0.2, 0.3, 0.5}) {
    SCOPED_TRACE(friction);
    Material material{.stiffness = 1e6, .exponent = 1.0, .friction = friction};
    material.damping = 1.0;
    const systems::PlanarBody plate{.mass = 2.0,
                                    .inertia = 0.0417,
                                    .points = {{.at = {-0.2, -0.15}}, {.at = {0.2, -0.15}}},
                                    .position = {0.0, 0.15},
                                    .material = material,
                                    .gravity = 9.81};
    const CompliantMotion method{
        .law = {.force = Force::HuntCrossley}, .tolerance = 1e-9, .run = {.duration = 1.5}};
    const State start = plate.at({0.0, 0.5, 20.0 * pi / 180.0}, {0.5, 0.0, -1.0});
    const simulation::Run run = method(plate, {.state = start}, {});
    EXPECT_EQ(run.status, RunStatus::Ok) << run.reason;
    EXPECT_NEAR(run.end.state.position[2], 0.0, 1e-4);
    // A plate at rest: what is left of the 9.3 J it began with is below 1e-6 of it.
    EXPECT_LT(run.end.state.velocity.lpNorm<Eigen::Infinity>(), 1e-3);
  }
}

class CompliantMotionForces : public ::testing::TestWithParam<Force> {};

// With one contact, no gravity and a normal that does not turn, nothing is there to freeze: the run
// must give what the law gives.
TEST_P(CompliantMotionForces, AgreesWithTheLawWhereNothingMoves) {
  PointOnFloor point{.m = 0.7, .gravity = kNoGravity, .material = rich()};
  point.material.damping = damping(GetParam());
  point.material.friction = 0.25;
  const systems::AnySystem system = point;
  const Moment start = start_at(Eigen::Vector2d(0.0, 0.01), Eigen::Vector2d(0.8, -1.0));
  const CompliantMotion method{.law = {.force = GetParam(), .tolerance = 1e-10},
                               .run = {.duration = 0.1}};
  const simulation::Run run = method(system, start);
  ASSERT_EQ(run.status, RunStatus::Ok) << run.reason;

  const ImpactProblem problem = systems::impact_problem(system, Eigen::Vector2d(0.0, 0.0),
                                                        start.state.velocity, std::vector<int>{0});
  const ImpactResult result = resolve(problem, method.law);
  ASSERT_TRUE(result.ok());
  // Ten times the tolerance of the law: what it promises, and what the run must keep.
  EXPECT_NEAR(run.end.state.velocity[0], result.velocity[0], 1e-9);
  EXPECT_NEAR(run.end.state.velocity[1], result.velocity[1], 1e-9);
  ASSERT_EQ(run.contacts.size(), 1u);
  const ContactTotals& total = run.contacts[0];
  EXPECT_NEAR(total.dissipated, result.dissipated[0], 1e-9);
  EXPECT_NEAR(total.dissipated_by_friction, result.dissipated_by_friction[0], 1e-9);
  EXPECT_NEAR(total.impulse, result.impulse[0], 1e-9);
  // Peaks are found where a slope changes sign: half the digits for where, all for how high.
  EXPECT_NEAR(total.peak_force / result.diagnostics.contacts[0].maximal_force, 1.0, 1e-8);
  EXPECT_NEAR(*run.energy_residual, 0.0, 1e-9);
  EXPECT_NEAR(*run.first_impact_time, 0.01, 1e-12);
  EXPECT_DOUBLE_EQ(*run.first_impact_velocity, -1.0);
  EXPECT_EQ(run.impacts, 1);
}

INSTANTIATE_TEST_SUITE_P(All, CompliantMotionForces,
                         ::testing::Values(Force::Hertz, Force::Linear, Force::Power,
                                           Force::KelvinVoigt, Force::HuntCrossley,
                                           Force::KuwabaraKono, Force::Tsuji,
                                           Force::LankaraniNikravesh, Force::ExactRestitution,
                                           Force::BiStiffness, Force::WaltonBraun,
                                           Force::TriStiffness, Force::Elastoplastic));

/// Times at which contacts begin and end.
struct Instants {
  std::vector<double> begins = {};
  std::vector<double> ends = {};
  Observer observer() {
    return {.event = [this](const Event& event) {
      if (event.kind == EventKind::ContactBegins) begins.push_back(event.time);
      if (event.kind == EventKind::ContactEnds) ends.push_back(event.time);
      return true;
    }};
  }
};

// A mass on a linear spring with its weight: δ = (v/ω) sin ωt + (g/ω²)(1 − cos ωt), which is 0
// again at ωt = 2π − 2 atan(ω v/g). Between contacts it flies for 2v/g, for ever.
TEST(CompliantMotion, BouncesOnALinearSpringAsInClosedForm) {
  const double k = 1e5;
  const double g = 9.81;
  const PointOnFloor point{.m = 1.0, .material = {.stiffness = k}};
  const CompliantMotion method{.law = {.force = Force::Linear, .tolerance = 1e-11},
                               .run = {.duration = 2.0}};
  Instants instants;
  const Observer observer = instants.observer();
  const simulation::Run run =
      method(point, start_at(Eigen::Vector2d(0.0, 0.1), Eigen::Vector2d::Zero()), observer);
  ASSERT_EQ(run.status, RunStatus::Ok) << run.reason;
  const double v = std::sqrt(2.0 * g * 0.1);
  const double w = std::sqrt(k);
  const double stay = (2.0 * pi - 2.0 * std::atan(w * v / g)) / w;
  const double flight = 2.0 * v / g;
  ASSERT_EQ(instants.begins.size(), 7u);
  ASSERT_EQ(instants.ends.size(), 7u);
  for (std::size_t k_bounce = 0; k_bounce < 7; ++k_bounce) {
    const double begin = 0.5 * flight + static_cast<double>(k_bounce) * (flight + stay);
    // Errors of the tolerance accumulate from bounce to bounce.
    EXPECT_NEAR(instants.begins[k_bounce], begin, 1e-9);
    EXPECT_NEAR(instants.ends[k_bounce], begin + stay, 1e-9);
  }
  // Largest force: k δ with δ = g/ω² + √((v/ω)² + (g/ω²)²).
  const double deepest = g / (w * w) + std::hypot(v / w, g / (w * w));
  EXPECT_NEAR(run.contacts[0].peak_force / (k * deepest), 1.0, 1e-9);
  EXPECT_NEAR(run.energy.max, run.energy.expected, 1e-9 * run.energy.expected);
  EXPECT_NEAR(run.energy.min, run.energy.expected, 1e-9 * run.energy.expected);
}

// Hertz: the duration of a contact in closed form; contacts of 1e-4 s between flights of seconds.
TEST(CompliantMotion, LastsAsLongAsHertzSays) {
  const double k = 1e10;
  const PointOnFloor point{.m = 0.5, .gravity = kNoGravity, .material = {.stiffness = k}};
  const CompliantMotion method{.law = {.force = Force::Hertz, .tolerance = 1e-11},
                               .run = {.duration = 6.0}};
  Instants instants;
  const Observer observer = instants.observer();
  method(point, start_at(Eigen::Vector2d(0.0, 2.0), Eigen::Vector2d(0.0, -0.5)), observer);
  ASSERT_EQ(instants.ends.size(), 1u);
  // Times near 4 s are known to 1e-15 s.
  EXPECT_NEAR(instants.ends[0] - instants.begins[0],
              laws::power_law_duration(k, 1.5, 0.5, 0.5, 1.0), 1e-13);
  EXPECT_NEAR(instants.begins[0], 4.0, 1e-12);
}

// Stiffer contacts are shorter; what the geometry does meanwhile fades with them.
TEST(CompliantMotion, TendsToTheLawWithFrozenGeometry) {
  const auto difference = [](double stiffness) {
    Rod rod{.material = {.stiffness = stiffness, .friction = 0.3}};
    const double angle = 0.4;
    const Vector q = Eigen::Vector3d(0.0, 0.5 * std::sin(angle) + 1e-9, angle);
    const Vector v = Eigen::Vector3d(0.5, -1.0, 0.3);
    const CompliantMotion method{.law = {.force = Force::Hertz, .tolerance = 1e-10},
                                 .run = {.stop_after_quiet = 1e-7}};
    const simulation::Run run = method(rod, start_at(q, v));
    EXPECT_EQ(run.status, RunStatus::Ok) << run.reason;
    const ImpactResult result = resolve(systems::impact_problem(rod, q, v, {0}), method.law);
    EXPECT_TRUE(result.ok());
    return (run.end.state.velocity - result.velocity).norm();
  };
  const double soft = difference(1e9);
  const double stiff = difference(1e11);
  // The first order in the duration, which goes as K^(−2/5): a factor 6.3; the flight of 1e-7 s at
  // the end blurs it.
  EXPECT_LT(soft, 1e-2);
  EXPECT_GT(soft / stiff, 5.0);
  EXPECT_LT(soft / stiff, 8.0);
}

TEST(CompliantMotion, ComesToRestUnderItsWeight) {
  PointOnFloor point{.m = 2.0, .material = {.stiffness = 1e4}};
  point.material.damping = 40.0;
  const CompliantMotion method{.law = {.force = Force::KelvinVoigt}, .run = {.duration = 5.0}};
  const simulation::Run run =
      method(point, start_at(Eigen::Vector2d(0.0, 0.02), Eigen::Vector2d::Zero()));
  ASSERT_EQ(run.status, RunStatus::Ok) << run.reason;
  // Damping time 2m/c = 0.1 s: e^(−40) of what was there is left.
  EXPECT_NEAR(run.end.state.position[1], -2.0 * 9.81 / 1e4, 1e-9);
  EXPECT_NEAR(run.end.state.velocity[1], 0.0, 1e-7);
  EXPECT_EQ(run.end.held, std::vector<int>{0});
  // All it fell is lost, and the part of it that is stored in the spring is not.
  const double stored = 0.5 * (2.0 * 9.81) * (2.0 * 9.81) / 1e4;
  EXPECT_NEAR(run.contacts[0].dissipated, 2.0 * 9.81 * (0.02 + 2.0 * 9.81 / 1e4) - stored, 1e-8);
  EXPECT_NEAR(*run.energy_residual, 0.0, 1e-8);
}

// A block that rests on its spring is pushed along an incline: it stops after v/(g (μ cos α − sin
// α)), and stays. On a slope steeper than its friction it goes on.
TEST(CompliantMotion, SlidesAndSticksOnAnIncline) {
  const double g = 9.81;
  const double slope = 0.3;
  const Eigen::Vector2d gravity(g * std::sin(slope), -g * std::cos(slope));
  const auto slide = [&](double friction, Instants* stops) {
    const PointOnFloor point{
        .m = 1.0, .gravity = gravity, .material = {.stiffness = 1e5, .friction = friction}};
    const double sunk = -g * std::cos(slope) / 1e5;
    const CompliantMotion method{.law = {.force = Force::Linear}, .run = {.duration = 1.0}};
    const Observer observer{.event = [&](const Event& event) {
      if (event.kind == EventKind::Sticking) stops->begins.push_back(event.time);
      return true;
    }};
    Moment start = start_at(Eigen::Vector2d(0.0, sunk), Eigen::Vector2d(1.0, 0.0));
    start.held = {0};
    return method(point, start, observer);
  };
  Instants stops;
  const simulation::Run stays = slide(0.6, &stops);
  ASSERT_EQ(stays.status, RunStatus::Ok) << stays.reason;
  const double braking = g * (0.6 * std::cos(slope) - std::sin(slope));
  ASSERT_EQ(stops.begins.size(), 1u);
  EXPECT_NEAR(stops.begins[0], 1.0 / braking, 1e-7);
  EXPECT_NEAR(stays.end.state.position[0], 0.5 / braking, 1e-7);
  EXPECT_NEAR(stays.end.state.velocity[0], 0.0, 1e-8);
  EXPECT_NEAR(stays.contacts[0].dissipated_by_friction, 0.6 * g * std::cos(slope) * 0.5 / braking,
              1e-7);
  EXPECT_EQ(stays.end.sticking, std::vector<int>{0});

  const simulation::Run goes = slide(0.2, &stops);
  EXPECT_EQ(stops.begins.size(), 1u);
  EXPECT_NEAR(goes.end.state.velocity[0], 1.0 + g * (std::sin(slope) - 0.2 * std::cos(slope)),
              1e-7);
  EXPECT_NEAR(*goes.energy_residual, 0.0, 1e-7);
}

/// Largest angle of each ball, degrees, in windows of half a swing.
using Angles = std::array<std::array<double, 5>, 8>;
Angles swing(double stiffness, bool mirrored, Run& run) {
  const systems::Cradle cradle{.balls = 5,
                               .mass = 1.0,
                               .radius = 0.05,
                               .length = 0.5,
                               .gravity = 9.81,
                               .material = {.restitution = 1.0, .stiffness = stiffness}};
  Vector angle = Vector::Zero(5);
  angle[mirrored ? 4 : 0] = (mirrored ? 1.0 : -1.0) * pi / 6.0;
  Angles largest{};
  const CompliantMotion method{.law = {.force = Force::Hertz},
                               .run = {.duration = 6.2, .output_interval = 1e-3}};
  const Observer observer{.state = [&](double t, const Vector& q, const Vector& /*v*/) {
    const auto window = static_cast<int>(std::floor((t - 0.36) / 0.7215));
    if (window < 0 || window >= 8) return true;
    for (int i = 0; i < 5; ++i) {
      // From the ball that flies off back to the one that struck.
      const bool right = (window % 2 == 0) != mirrored;
      double& angle_of =
          largest[static_cast<std::size_t>(window)][static_cast<std::size_t>(right ? 4 - i : i)];
      angle_of = std::max(angle_of, std::abs(q[i]) * 180.0 / pi);
    }
    return true;
  }};
  run = method(cradle, start_at(angle, Vector::Zero(5)), observer);
  return largest;
}

// Beads that touch fall together: nothing happens before the lowest one strikes the wall.
TEST(CompliantMotion, AColumnStrikesFirstWhereItFallsTo) {
  const Material steel{.stiffness = 7e9, .exponent = 1.5};
  const systems::BeadColumn column{.beads = 10,
                                   .mass = 2.05e-3,
                                   .radius = 0.004,
                                   .material = steel,
                                   .wall = steel,
                                   .gravity = 9.81};
  Instants instants;
  const simulation::Run run =
      CompliantMotion{.law = {.tolerance = 1e-9}, .run = {.duration = 0.035}}(
          column, {.state = column.above(0.005)}, instants.observer());
  ASSERT_EQ(run.status, RunStatus::Ok) << run.reason;
  const double fall = std::sqrt(2.0 * 0.005 / 9.81);
  ASSERT_TRUE(run.first_impact_time.has_value());
  EXPECT_NEAR(*run.first_impact_time, fall, 1e-11);  // of flights: 1e-10 of it
  EXPECT_NEAR(*run.first_impact_velocity, -9.81 * fall, 1e-10);
  EXPECT_EQ(instants.begins.front(), *run.first_impact_time);
  EXPECT_GE(*run.last_contact, *run.first_impact_time);
}

// Beads that are laid on each other without a load yet: the wall and the first one begin to press,
// and what they do to those above is rounding for a while, which opens and closes nothing.
TEST(CompliantMotion, AColumnThatIsLaidDownBeginsToPress) {
  for (const double stiffness : {1e5, 1e7, 1e9}) {
    const Material soft{.stiffness = stiffness, .exponent = 1.5};
    const systems::BeadColumn column{
        .beads = 4, .mass = 2e-3, .radius = 0.004, .material = soft, .wall = soft, .gravity = 9.81};
    const simulation::Run run =
        CompliantMotion{.run = {.duration = 0.01}}(column, {.state = column.above(0.0)});
    ASSERT_EQ(run.status, RunStatus::Ok) << stiffness << ": " << run.reason;
    EXPECT_LT(std::abs(*run.energy_residual), 1e-9 * run.energy.expected) << stiffness;
    // All hang on the wall: it gives the weight of four, on average over many swings.
    EXPECT_GT(run.contacts[0].impulse, 0.5 * 4 * 2e-3 * 9.81 * 0.01) << stiffness;
    // Nor is what can lose its force released by rounding.
    const simulation::Run bi =
        CompliantMotion{.law = {.force = Force::BiStiffness},
                        .tolerance = 1e-9,
                        .run = {.duration = 0.01}}(column, {.state = column.above(0.0)});
    EXPECT_EQ(bi.status, RunStatus::Ok) << stiffness << ": " << bi.reason;
  }
}

// Damping that follows from the speed of an impact needs one; what is laid down has none.
TEST(CompliantMotion, WhatIsLaidDownHasAFiniteDamping) {
  for (const Force force : {Force::ExactRestitution, Force::LankaraniNikravesh}) {
    fixed_step::TwoBalls balls{.gravity = 10.0, .restitution = {0.5, 0.5}};
    balls.floor.stiffness = 1e6;
    const simulation::Run run = CompliantMotion{.law = {.force = force}, .run = {.duration = 0.1}}(
        balls, start_at(Vector::Zero(2), Vector::Zero(2)));
    ASSERT_EQ(run.status, RunStatus::Ok) << run.reason;
    EXPECT_EQ(run.impacts, 0);
    // It creeps to where the spring carries it, k δ^(3/2) = m g.
    EXPECT_LT(run.end.state.position[0], -1e-5);
    EXPECT_GT(run.end.state.position[0], -std::pow(1e-5, 2.0 / 3.0));
    EXPECT_GT(run.contacts[0].dissipated, 0.0);
  }
}

// What has come to rest on its spring is no impact that others could be part of.
TEST(CompliantMotion, ABallAtRestDoesNotHideTheImpactsOfAnother) {
  fixed_step::TwoBalls balls{.gravity = 10.0, .floor = {.stiffness = 1e6}};
  balls.floor.damping = 200.0;
  const simulation::Run run =
      CompliantMotion{.law = {.force = Force::KelvinVoigt}, .run = {.duration = 0.9}}(
          balls, start_at(Eigen::Vector2d(0.0, 0.2), Vector::Zero(2)));
  ASSERT_EQ(run.status, RunStatus::Ok) << run.reason;
  EXPECT_NEAR(*run.first_impact_time, 0.2, 1e-11);
  EXPECT_NEAR(*run.first_impact_velocity, -2.0, 1e-10);
  EXPECT_GE(run.impacts, 3);
  EXPECT_EQ(run.impacts, run.contacts[1].phases);
  EXPECT_EQ(run.contacts[0].phases, 1);
}

TEST(CompliantMotion, KeepsACradleSwinging) {
  // An independent integration of the same model, good to the digits given.
  const std::array<double, 5> first = {29.656, 3.769, 0.429, 0.898, 2.108};
  const std::array<double, 5> seventh = {29.655, 3.476, 0.141, 0.250, 2.740};
  for (const bool mirrored : {false, true}) {
    simulation::Run run;
    const Angles angles = swing(2.43e10, mirrored, run);
    ASSERT_EQ(run.status, RunStatus::Ok) << run.reason;
    for (std::size_t i = 0; i < 5; ++i) {
      EXPECT_NEAR(angles[0][i], first[i], 1e-3) << i;
      EXPECT_NEAR(angles[6][i], seventh[i], 1e-3) << i;
    }
    // Tolerances of 1e-9 in some forty impacts.
    const double energy = run.energy.expected;
    EXPECT_NEAR(run.energy.final, energy, 1e-8 * energy);
    EXPECT_NEAR(run.energy.min, energy, 1e-8 * energy);
    EXPECT_NEAR(run.energy.max, energy, 1e-8 * energy);
    EXPECT_NEAR(*run.energy_residual, 0.0, 1e-8 * energy);
  }
}

// Stopped in the middle of a contact and carried on, a run gives the same bits.
TEST(CompliantMotion, GoesOnFromAnyStep) {
  PointOnFloor point{.m = 1.0, .material = rich()};
  point.material.friction = 0.4;
  const CompliantMotion method{.law = {.force = Force::WaltonBraun}, .run = {.duration = 0.5}};
  const Moment start = start_at(Eigen::Vector2d(0.0, 0.05), Eigen::Vector2d(2.0, 0.0));
  const simulation::Run whole = method(point, start);
  ASSERT_GT(whole.contact_phases, 1);
  for (const int last : {5, 40, 60, 100}) {
    int steps = 0;
    const Observer observer{
        .step = [&](double, const Vector&, const Vector&) { return ++steps < last; }};
    const simulation::Run part = method(point, start, observer);
    ASSERT_EQ(part.status, RunStatus::Interrupted);
    CompliantMotion rest = method;
    rest.run.resume = true;
    const simulation::Run end = rest(point, part.end);
    EXPECT_EQ(end.end.time, whole.end.time);
    EXPECT_EQ(end.end.state.position, whole.end.state.position) << last;
    EXPECT_EQ(end.end.state.velocity, whole.end.state.velocity) << last;
    EXPECT_EQ(end.contact_phases, whole.contact_phases);
    EXPECT_NEAR(end.contacts[0].dissipated, whole.contacts[0].dissipated, 1e-12);
    EXPECT_NEAR(end.contacts[0].duration, whole.contacts[0].duration, 1e-12);
  }
}

TEST(CompliantMotion, RefusesWhatItCannotDo) {
  const auto message = [](const CompliantMotion& method, const Material& material) {
    try {
      method(PointOnFloor{.material = material},
             start_at(Eigen::Vector2d(0.0, 1.0), Eigen::Vector2d::Zero()));
    } catch (const InvalidInput& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const CompliantMotion good{.run = {.duration = 1.0}};
  CompliantMotion method = good;
  method.tolerance = 1.0;
  EXPECT_NE(message(method, {}).find("simulation.tolerance"), std::string::npos);
  method = good;
  method.law.tolerance = 0.5;
  EXPECT_NE(message(method, {}).find("law.tolerance"), std::string::npos);
  method = good;
  method.law.force = Force::WaltonBraun;
  EXPECT_NE(message(method, {.stiffness = 2.0}).find("contacts[0].unloading_stiffness"),
            std::string::npos);
  EXPECT_NE(message({}, {}).find("simulation.duration"), std::string::npos);
  // Overlap that nobody meant.
  EXPECT_THROW(good(PointOnFloor{}, start_at(Eigen::Vector2d(0.0, -1e-3), Eigen::Vector2d::Zero())),
               InvalidInput);
}

}  // namespace
}  // namespace percute::simulation

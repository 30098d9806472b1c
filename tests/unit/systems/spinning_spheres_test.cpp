// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "systems_testing.hpp"

#include <percute/laws/complementarity.hpp>
#include <percute/laws/darboux_keller_single.hpp>
#include <percute/systems/ball_chain.hpp>
#include <percute/systems/spinning_spheres.hpp>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace percute::systems {
namespace {

using Eigen::Vector3d;
using testing::field_refused;

const double kInfinite = std::numeric_limits<double>::infinity();

TEST(SphereOnPlane, NormalAndTangentialMotionDoNotFeelEachOther) {
  for (const double beta : {0.4, 2.0 / 3.0}) {
    const SphereOnPlane sphere{
        .mass = 2.0, .radius = 0.3, .inertia_factor = beta, .normal = {1.0, -2.0, 2.0}};
    const ImpactProblem problem = sphere.impact(sphere.at_contact({0.0, 0.0, 0.0}));
    const Vector3d diagonal(0.5, 0.5 * (1.0 + 1.0 / beta), 0.5 * (1.0 + 1.0 / beta));
    EXPECT_TRUE(testing::delassus(problem).isApprox(Matrix(diagonal.asDiagonal()), 1e-14));
  }
}

TEST(SphereOnPlane, SlidingIsThatOfTheLowestPoint) {
  const SphereOnPlane sphere{.radius = 0.3};
  const ImpactProblem problem =
      sphere.impact(sphere.at_contact({1.0, 2.0, -1.0}, {0.5, -0.4, 9.0}));
  const Vector slip = Matrix(tangents_of(problem, 0)).transpose() * problem.velocity;
  EXPECT_TRUE(slip.isApprox(Vector{{1.0 + 0.3 * 0.4, 2.0 + 0.3 * 0.5}}, 1e-15));
  EXPECT_NEAR(problem.gradients.col(0).dot(problem.velocity), -1.0, 1e-15);
}

// Sliding stops within the impact if friction is strong enough, and not otherwise (Routh): the same
// for friction followed through the impact and for the sliding velocity after it.
TEST(SphereOnPlane, SlidesUntilItSticks) {
  const double e = 0.7;
  for (const double mu : {0.02, 0.1, 0.3, 1.0}) {
    const SphereOnPlane sphere{
        .mass = 0.5, .radius = 0.05, .material = {.restitution = e, .friction = mu}};
    // Backspin: the lowest point runs ahead, 3 + 0.05 · 20 = 4 m/s.
    const ImpactProblem problem =
        sphere.impact(sphere.at_contact({3.0, 0.0, -2.0}, {0.0, -20.0, 0.0}));
    const double p_n = (1.0 + e) * 0.5 * 2.0;
    const double p_t = -std::min(mu * p_n, 2.0 / 7.0 * 0.5 * 4.0);
    const ImpactResult followed = resolve(problem, laws::DarbouxKellerSingle{});
    const ImpactResult algebraic = resolve(problem, laws::Coulomb{.tangential = 0.0});
    for (const ImpactResult* result : {&followed, &algebraic}) {
      ASSERT_TRUE(result->ok());
      EXPECT_NEAR(result->impulse[0], p_n, 1e-12) << mu;
      EXPECT_NEAR(result->tangential_impulse[0][0], p_t, 1e-12) << mu;
      EXPECT_NEAR(result->tangential_impulse[0][1], 0.0, 1e-12) << mu;
      // v and ω about y: v changes by p_t/m, ω by −r p_t/I.
      EXPECT_NEAR(result->velocity[0], 3.0 + p_t / 0.5, 1e-12) << mu;
      EXPECT_NEAR(result->velocity[4], -20.0 - 0.05 * p_t / (0.4 * 0.5 * 0.0025), 1e-10) << mu;
    }
  }
}

// A superball gives back its sliding velocity as well: v⁺ = 3/7 v + 4/7 rω, rω⁺ = 10/7 v − 3/7 rω
// (Garwin 1969); a thin shell 1/5 v + 4/5 rω and 6/5 v − 1/5 rω. Thrown twice, it comes back.
TEST(SphereOnPlane, SuperballsReverseTheirSliding) {
  struct Ball {
    double beta, vv, vw, wv, ww;
  };
  const double r = 0.03;
  const double v = 2.0;
  const double w = -15.0;
  for (const Ball& ball : {Ball{0.4, 3.0 / 7.0, 4.0 / 7.0, 10.0 / 7.0, -3.0 / 7.0},
                           Ball{2.0 / 3.0, 0.2, 0.8, 1.2, -0.2}}) {
    const SphereOnPlane sphere{.mass = 0.2,
                               .radius = r,
                               .inertia_factor = ball.beta,
                               .material = {.restitution = 1.0, .friction = kInfinite}};
    const laws::Coulomb law{.tangential = 1.0};
    const ImpactResult once =
        resolve(sphere.impact(sphere.at_contact({v, 0.0, -1.0}, {0.0, w, 0.0})), law);
    ASSERT_TRUE(once.ok());
    EXPECT_NEAR(once.velocity[0], ball.vv * v + ball.vw * r * w, 1e-13);
    EXPECT_NEAR(r * once.velocity[4], ball.wv * v + ball.ww * r * w, 1e-13);
    EXPECT_NEAR(once.energy.after, once.energy.before, 1e-13);
    const Vector back{{once.velocity[0], 0, -1, 0, once.velocity[4], 0}};
    State again = sphere.at_contact({0.0, 0.0, 0.0});
    again.velocity = back;
    EXPECT_NEAR(resolve(sphere.impact(again), law).velocity[0], v, 1e-13);
  }
}

TEST(SphereOnPlane, AboveThePlaneItHasNoContact) {
  const SphereOnPlane sphere{.radius = 0.1};
  State state = sphere.at_contact({0.0, 0.0, -1.0});
  EXPECT_EQ(AnySystem(sphere).contact_names(state), std::vector<std::string>{"sphere–plane"});
  state.position[2] += 1e-6;
  EXPECT_TRUE(AnySystem(sphere).contact_names(state).empty());
  EXPECT_EQ(sphere.impact(state).gradients.cols(), 0);
}

TwoSpheres oblique() {
  const Vector3d n = Vector3d(2.0, -1.0, 2.0) / 3.0;
  const Vector3d first(0.1, 0.2, 0.3);
  return {.masses = {1.0, 3.0},
          .radii = {0.2, 0.4},
          .inertia_factors = {0.4, 2.0 / 3.0},
          .centres = {first, first + 0.6 * n},
          .material = {.restitution = 0.8, .friction = 0.25}};
}

TEST(TwoSpheres, DirectionsAreThoseOfGapAndSliding) {
  const TwoSpheres spheres = oblique();
  const State state = spheres.at_contact({Vector3d(1.0, 0.2, -0.3), Vector3d(-0.5, 0.4, 0.1)},
                                         {Vector3d(3.0, -2.0, 1.0), Vector3d(0.5, 2.0, -4.0)});
  const ImpactProblem problem = spheres.impact(state);
  const auto gap = [&](const Vector& q) {
    return (Vector3d(q.segment<3>(6)) - Vector3d(q.head<3>())).norm() - 0.6;
  };
  const Vector expected = testing::difference_gradient(state.position, gap);
  EXPECT_LE((expected - Vector(problem.gradients.col(0))).cwiseAbs().maxCoeff(), 1e-9);
  // Sliding is what the velocity of the second surface on the first has along the tangent plane.
  const Vector3d n = (spheres.centres[1] - spheres.centres[0]).normalized();
  const Vector& v = state.velocity;
  const auto part = [&](int k) -> Vector3d { return v.segment<3>(k); };
  const Vector3d relative = part(6) + part(9).cross(-0.4 * n) - part(0) - part(3).cross(0.2 * n);
  const Vector slip = Matrix(tangents_of(problem, 0)).transpose() * v;
  EXPECT_NEAR(slip.norm(), (relative - n.dot(relative) * n).norm(), 1e-14);
  EXPECT_NEAR(problem.gradients.col(0).dot(v), n.dot(relative), 1e-14);
  const double a_tt = (1.0 + 1.0 / 0.4) + (1.0 + 1.5) / 3.0;
  const Vector3d diagonal(4.0 / 3.0, a_tt, a_tt);
  EXPECT_TRUE(testing::delassus(problem).isApprox(Matrix(diagonal.asDiagonal()), 1e-14));
}

// Whatever happens between them, momentum and angular momentum of the two together stay.
TEST(TwoSpheres, ExchangeMomentumAndSpin) {
  const TwoSpheres spheres = oblique();
  const State state = spheres.at_contact({Vector3d(1.0, 0.2, -0.3), Vector3d(-0.5, 0.4, 0.1)},
                                         {Vector3d(3.0, -2.0, 1.0), Vector3d(0.5, 2.0, -4.0)});
  const ImpactProblem problem = spheres.impact(state);
  const ImpactResult result = resolve(problem, laws::DarbouxKellerSingle{});
  ASSERT_TRUE(result.ok());
  EXPECT_NEAR(result.impulse[0] * 4.0 / 3.0, -1.8 * problem.gradients.col(0).dot(state.velocity),
              1e-12);
  EXPECT_NEAR(result.tangential_impulse[0].norm(), 0.25 * result.impulse[0], 1e-12);  // slides
  const Vector change = problem.mass * Vector(result.velocity - state.velocity);
  const auto part = [&](int k) -> Vector3d { return change.segment<3>(k); };
  EXPECT_LE((part(0) + part(6)).cwiseAbs().maxCoeff(), 1e-14);
  const Vector3d angular =
      spheres.centres[0].cross(part(0)) + part(3) + spheres.centres[1].cross(part(6)) + part(9);
  EXPECT_LE(angular.cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_GT(part(3).norm(), 0.01);
}

// Throw of a billiard ball: sliding that stops takes m U_t/7 of equal balls, U_t = v sin α for a
// cue ball without spin that strikes at the angle α from the line of centres.
TEST(TwoSpheres, ThrowOfABilliardBall) {
  const double alpha = 0.15;
  const TwoSpheres balls{.material = {.restitution = 0.95, .friction = 0.2}};
  const ImpactResult result =
      resolve(balls.impact(balls.at_contact(
                  {Vector3d(2.0 * std::cos(alpha), 2.0 * std::sin(alpha), 0.0), Vector3d::Zero()})),
              laws::DarbouxKellerSingle{});
  const double p_t = 2.0 * std::sin(alpha) / 7.0;
  ASSERT_LT(p_t, 0.2 * result.impulse[0]);
  EXPECT_NEAR(result.velocity[7], p_t, 1e-13);  // the object ball goes where it was rubbed
  EXPECT_NEAR(result.velocity[6], 0.975 * 2.0 * std::cos(alpha), 1e-13);
}

TEST(TwoSpheres, RefusesSpheresThatDoNotTouch) {
  TwoSpheres apart = oblique();
  apart.centres[1] *= 1.001;
  EXPECT_EQ(field_refused([&] { validate(apart); }), "centres");
  TwoSpheres spheres = oblique();
  spheres.inertia_factors[1] = 1.5;
  EXPECT_EQ(field_refused([&] { validate(spheres); }), "inertia_factors[1]");
  EXPECT_EQ(field_refused([] { validate(TwoSpheres{.masses = {1.0, 0.0}}); }), "masses[1]");
  EXPECT_EQ(field_refused([] { validate(SphereOnPlane{.normal = Vector3d::Zero()}); }), "normal");
  EXPECT_EQ(field_refused([] { validate(SphereOnPlane{.inertia_factor = 0.0}); }),
            "inertia_factor");
}

TEST(RotatingChain, RowsOfNeighbours) {
  const RotatingChain chain{.balls = 2, .radii = {0.1, 0.2}};
  const ImpactProblem problem = chain.impact(chain.struck_by(Vector3d(1.0, 0.0, 0.0)));
  const Matrix expected{{-1, 0}, {0, -1}, {0, -0.1}, {1, 0}, {0, 1}, {0, -0.2}};
  EXPECT_TRUE(testing::directions(problem).isApprox(expected, 1e-15));
}

TEST(RotatingChain, TwoBallsInSpaceAreTwoSpheres) {
  const RotatingChain chain{.balls = 2,
                            .inertia_factor = 0.5,
                            .spatial = true,
                            .masses = {1.0, 3.0},
                            .radii = {0.1, 0.2}};
  const TwoSpheres spheres{.masses = {1.0, 3.0},
                           .radii = {0.1, 0.2},
                           .inertia_factors = {0.5, 0.5},
                           .centres = {Vector3d::Zero(), Vector3d(0.3, 0.0, 0.0)}};
  const ImpactProblem a = chain.impact(chain.at_contact(Vector::Zero(12)));
  const ImpactProblem b = spheres.impact(spheres.at_contact({Vector3d::Zero(), Vector3d::Zero()}));
  EXPECT_TRUE(testing::directions(a).isApprox(testing::directions(b), 1e-15));
  EXPECT_TRUE(testing::delassus(a).isApprox(testing::delassus(b), 1e-15));
}

TEST(RotatingChain, WithoutFrictionItIsABallChain) {
  const RotatingChain chain{.balls = 4,
                            .material = {.restitution = 0.6},
                            .wall = BallChain::Wall::Right,
                            .masses = {1.0, 2.0, 0.5, 1.5}};
  const BallChain plain{.balls = 4, .wall = BallChain::Wall::Right, .masses = chain.masses};
  const laws::Moreau law{.restitution = 0.6};
  const Vector v = resolve(chain.impact(chain.struck_by(Vector3d(1.0, 0.3, 5.0))), law).velocity;
  const Vector expected = resolve(plain.impact(plain.at_contact(1.0)), law).velocity;
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(v[3 * i], expected[i], 1e-14);
  EXPECT_EQ(v[1], 0.3);  // nothing acts along y, and nothing changes the spin
  EXPECT_EQ(v[2], 5.0);
}

// In space every contact moves five or six coordinates of two balls: 30 000 of them fit in 200 MB,
// however many balls there are.
TEST(RotatingChain, ContactsTakeMemoryForWhatTheyMove) {
  const RotatingChain chain{.balls = 2000, .spatial = true};
  const ImpactProblem problem = chain.impact(chain.struck_by(Vector::Unit(6, 0)));
  std::size_t bytes = problem.contacts.capacity() * sizeof(Contact) +
                      static_cast<std::size_t>(problem.velocity.size()) * 2 * sizeof(double);
  for (const SparseMatrix* H : {&problem.gradients, &problem.tangents}) {
    bytes += static_cast<std::size_t>(H->data().allocatedSize()) * (sizeof(double) + sizeof(int)) +
             static_cast<std::size_t>(H->outerSize() + 1) * sizeof(int);
  }
  EXPECT_LT(static_cast<double>(bytes) / chain.contacts(), 200e6 / 30'000);
}

// A spinning striker drives the second ball sideways, and that one the third the other way:
// momentum along y and angular momentum about the origin stay those of the striker.
TEST(RotatingChain, FrictionPassesSpinOn) {
  const RotatingChain chain{
      .balls = 3, .mass = 0.2, .radius = 0.05, .material = {.restitution = 0.5, .friction = 0.3}};
  const State state = chain.struck_by(Vector3d(1.0, 0.0, 40.0));
  const ImpactProblem problem = chain.impact(state);
  const ImpactResult result = resolve(problem, laws::Coulomb{});
  ASSERT_TRUE(result.ok());
  const Vector momentum = problem.mass * result.velocity;
  EXPECT_NEAR(momentum[1] + momentum[4] + momentum[7], 0.0, 1e-14);
  const double angular = momentum[2] + momentum[5] + momentum[8] + 0.1 * momentum[4] +
                         0.2 * momentum[7];  // x p_y + I ω
  EXPECT_NEAR(angular, 0.4 * 0.2 * 0.0025 * 40.0, 1e-14);
  EXPECT_GT(result.velocity[4], 0.01);
  EXPECT_LT(result.velocity[5], -0.1);  // the second ball turns against the first, like a gear
  EXPECT_LE(result.energy.after, result.energy.before);
}

TEST(RotatingChain, NamesAndGaps) {
  const RotatingChain chain{.balls = 2, .wall = BallChain::Wall::Both, .names = {"cue", "ball 7"}};
  State state = chain.at_contact(Vector::Zero(6));
  EXPECT_EQ(AnySystem(chain).contact_names(state),
            (std::vector<std::string>{"wall–cue", "cue–7", "7–wall"}));
  state.position[3] += 1e-4;  // into the right wall, away from the first
  EXPECT_EQ(AnySystem(chain).contact_names(state),
            (std::vector<std::string>{"wall–cue", "7–wall"}));
  EXPECT_EQ(AnySystem(chain).bodies()[1].coordinate_name(2), "ball 7 angle");
}

TEST(RotatingChain, RefusesWhatCannotBeBuilt) {
  EXPECT_EQ(field_refused([] { validate(RotatingChain{.balls = 0}); }), "balls");
  EXPECT_EQ(field_refused([] { validate(RotatingChain{.masses = {1.0}}); }), "masses");
  EXPECT_EQ(field_refused([] { validate(RotatingChain{.inertia_factor = -0.1}); }),
            "inertia_factor");
  EXPECT_EQ(field_refused([] { validate(RotatingChain{.materials = {{}, {}}}); }), "materials");
  EXPECT_EQ(field_refused([] { RotatingChain{}.struck_by(Vector::Zero(6)); }), "velocity");
}

}  // namespace
}  // namespace percute::systems

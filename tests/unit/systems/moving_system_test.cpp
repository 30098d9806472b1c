// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
//
// What every system that moves must keep, asked of all of them by one set of questions: gradients
// and curvatures are those of the gaps, forces those of Lagrange's equations.
#include "systems_testing.hpp"

#include <percute/systems/any_system.hpp>
#include <percute/systems/ball_chain.hpp>
#include <percute/systems/cradle.hpp>
#include <percute/systems/multiple_pendulum.hpp>
#include <percute/systems/planar_body.hpp>

#include <Eigen/Cholesky>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

namespace percute::systems {
namespace {

struct Sample {
  std::string name;
  AnySystem system;
  std::vector<Vector> positions;  ///< where to ask
};

/// Velocities that are the same in every run and favour no direction.
Vector some_velocity(int n, double size) {
  Vector v(n);
  for (int i = 0; i < n; ++i) v[i] = size * std::sin(1.0 + 2.3 * i);
  return v;
}

constexpr double kGravity = 9.81;

const BallChain kChain{.balls = 3,
                       .radius = 0.02,
                       .wall = BallChain::Wall::Both,
                       .masses = {1.0, 0.5, 2.0},
                       .first = 0.3,
                       .gravity = -3.0,
                       .base = {.acceleration = 5.0, .frequency = 2.0}};
const BallRod kRod{.places = {0.0, 0.2, 0.5},
                   .masses = {1.0, 2.0, 0.5},
                   .radii = {0.03, 0.02, 0.02},
                   .gravity = kGravity};
const BeadColumn kColumn{.beads = 3, .mass = 0.2, .gravity = kGravity};
const Cradle kCradle{
    .balls = 4, .spacing = 0.002, .gravity = kGravity, .masses = {1.0, 0.5, 2.0, 1.0}};
const PlanarBody kBody{
    .mass = 2.0,
    .inertia = 0.7,
    .points = {{.at = {0.3, -0.2}}, {.at = {-0.1, -0.4}, .normal = {1.0, 2.0}}},
    .position = {0.1, 0.5},
    .angle = 0.2,
    .gravity = kGravity,
    .base = {.horizontal = {.acceleration = 3.0}, .vertical = {.acceleration = 2.0, .phase = 1.0}}};
const DoublePendulum kDoublePendulum{.masses = {1.0, 2.0},
                                     .lengths = {0.6, 0.9},
                                     .wall = DoublePendulum::Wall::Right,
                                     .gravity = kGravity};
const MultiplePendulum kMultiplePendulum{
    .masses = {1.0, 2.0, 0.5, 1.0},
    .lengths = {0.6, 0.9, 0.4, 1.0},
    .obstacles = {{.rod = 4, .normal = {1.0, 3.0}, .through = {0.0, -2.0}}, {.rod = 2}},
    .gravity = kGravity};

std::vector<Sample> samples() {
  const Eigen::Vector3d away(0.3, 0.9, 0.8);
  return {
      {"ball_chain", kChain, {Vector{{0.3, 0.4, 0.7}}}},
      {"ball_rod", kRod, {kRod.above(0.2, -0.4, {0.0, 0.0, 0.0}).position}},
      {"bead_column", kColumn, {kColumn.above(0.1).position}},
      {"bouncing_ball", BouncingBall{.mass = 2.0, .gravity = kGravity}, {Vector{{0.4}}}},
      {"cradle", kCradle, {Vector::Zero(4), Vector{{-0.6, 0.1, 0.2, 1.1}}}},
      {"double_pendulum", kDoublePendulum, {Vector{{0.3, 0.9}}, Vector{{-2.0, 0.4}}}},
      {"multiple_pendulum", kMultiplePendulum, {Vector{{0.3, 0.9, -1.5, 2.0}}}},
      {"planar_body", kBody, {kBody.at_contact(Eigen::Vector3d::Zero()).position, Vector(away)}},
      {"rocking_block", RockingBlock{.gravity = kGravity}, {Vector(away)}},
      {"v_groove", VGroove{.mass = 0.3, .gravity = kGravity}, {Vector{{0.1, 0.4}}}},
  };
}

class MovingSystems : public ::testing::TestWithParam<std::size_t> {
 protected:
  MovingSystems() : sample_(samples()[GetParam()]) {}

  /// Asks at every position, with its velocity.
  void everywhere(const std::function<void(const Vector& q, const Vector& v)>& ask) const {
    for (const Vector& q : sample_.positions) {
      SCOPED_TRACE(sample_.name);
      ASSERT_EQ(q.size(), sample_.system.coordinates());
      ask(q, some_velocity(static_cast<int>(q.size()), 1.3));
    }
  }

  Matrix mass(const Vector& q) const {
    Matrix M(q.size(), q.size());
    M.setConstant(std::nan(""));  // all of it must be written
    sample_.system.mass(q, M);
    return M;
  }
  Vector force(const Vector& q, const Vector& v, double t = 0.0) const {
    Vector f = Vector::Constant(q.size(), std::nan(""));
    sample_.system.force(t, q, v, f);
    return f;
  }
  Vector gaps(const Vector& q) const {
    Vector h = Vector::Constant(sample_.system.contacts(), std::nan(""));
    sample_.system.gaps(q, h);
    return h;
  }
  Vector gradient(int i, const Vector& q) const {
    Vector column = Vector::Constant(q.size(), std::nan(""));
    sample_.system.gradient(i, q, column);
    return column;
  }

  Sample sample_;
};

// Central differences with this step are off by its square and by the rounding of values over it:
// both are some 1e-10 where values and derivatives are of the order of 1 to 10.
constexpr double kStep = 6e-6;
constexpr double kOff = 1e-8;

/// Derivative by each coordinate of a number.
Vector slope(const Vector& q, const std::function<double(const Vector&)>& value) {
  Vector result(q.size());
  for (Eigen::Index k = 0; k < q.size(); ++k) {
    const Vector e = kStep * Vector::Unit(q.size(), k);
    result[k] = (value(q + e) - value(q - e)) / (2.0 * kStep);
  }
  return result;
}

double largest(const Matrix& difference) {
  return difference.size() == 0 ? 0.0 : difference.cwiseAbs().maxCoeff();
}

TEST_P(MovingSystems, HaveASymmetricPositiveMassThatTheirSolverKnows) {
  everywhere([this](const Vector& q, const Vector& v) {
    const Matrix M = mass(q);
    EXPECT_EQ(M, M.transpose());
    EXPECT_EQ(Eigen::LLT<Matrix>(M).info(), Eigen::Success);

    const auto solver = sample_.system.solver();
    ASSERT_TRUE(solver->factor(q));
    Vector x(q.size());
    solver->multiply(v, x);
    EXPECT_LE(largest(x - M * v), 1e-14 * M.norm() * v.norm());
    EXPECT_NEAR(solver->kinetic_energy(q, v), 0.5 * v.dot(M * v), 1e-14 * M.norm() * v.dot(v));
    solver->solve(x);
    EXPECT_LE(largest(x - v), 1e-12 * v.norm());
  });
}

TEST_P(MovingSystems, HaveGradientsAndCurvaturesOfTheirGaps) {
  everywhere([this](const Vector& q, const Vector& v) {
    for (int i = 0; i < sample_.system.contacts(); ++i) {
      const Vector expected = slope(q, [this, i](const Vector& at) { return gaps(at)[i]; });
      EXPECT_LE(largest(gradient(i, q) - expected), kOff * (1.0 + expected.norm())) << i;
      const double rate_after = gradient(i, q + kStep * v).dot(v);
      const double rate_before = gradient(i, q - kStep * v).dot(v);
      const double curvature = (rate_after - rate_before) / (2.0 * kStep);
      EXPECT_NEAR(sample_.system.gap_curvature(i, q, v), curvature,
                  kOff * (1.0 + std::abs(curvature)))
          << i;
    }
  });
}

TEST_P(MovingSystems, HaveTheForcesOfLagrange) {
  // M v′ = f with d/dt (∂T/∂v) − ∂T/∂q + ∂U/∂q = 0: f = −M′ v + ½ ∇(vᵀ M v) − ∇U. What moves with
  // its base is asked while the base rests.
  everywhere([this](const Vector& q, const Vector& v) {
    const double before_any_motion = -1.0;
    const Vector momentum_rate =
        (mass(q + kStep * v) * v - mass(q - kStep * v) * v) / (2.0 * kStep);
    const Vector kinetic = slope(q, [&](const Vector& at) { return 0.5 * v.dot(mass(at) * v); });
    const Vector potential =
        slope(q, [this](const Vector& at) { return sample_.system.potential_energy(at); });
    const Vector expected = kinetic - momentum_rate - potential;
    const double size = 1.0 + momentum_rate.norm() + potential.norm();
    const Vector f = force(q, v, before_any_motion);
    EXPECT_LE(largest(f - expected), kOff * size);
    // d/dt (T + U) = v · f + ½ vᵀ M′ v + ∇U · v = 0.
    EXPECT_NEAR(v.dot(f) + 0.5 * v.dot(momentum_rate) + v.dot(potential), 0.0, kOff * size);
  });
}

TEST_P(MovingSystems, NameTheirPartsAndGiveContactsTheirTangents) {
  const AnySystem& system = sample_.system;
  const std::vector<std::string> names = system.contact_names();
  EXPECT_EQ(static_cast<int>(names.size()), system.contacts());
  EXPECT_NE(names.front(), "1");  // told, not numbered
  std::vector<int> owners(static_cast<std::size_t>(system.coordinates()), 0);
  for (const Body& body : system.bodies()) {
    for (const int k : body.coordinates) ++owners.at(static_cast<std::size_t>(k));
  }
  EXPECT_EQ(owners, std::vector<int>(owners.size(), 1)) << sample_.name;

  everywhere([&](const Vector& q, const Vector& v) {
    std::vector<int> closed;
    for (int i = 0; i < system.contacts(); ++i) closed.push_back(i);
    EXPECT_NO_THROW(validate(impact_problem(system, q, v, closed)));
  });
}

TEST(MovingBase, PushesEveryMassAgainstItsAcceleration) {
  const AnySystem chain = kChain;
  const AnySystem body = kBody;
  EXPECT_FALSE(chain.conservative());
  EXPECT_FALSE(body.conservative());
  EXPECT_TRUE(AnySystem(kColumn).conservative());
  const Vector q = Vector::Zero(3);
  Vector f(3);
  const double t = 0.1;
  // a = 5 sin(2π 2 t) to the right, the weight −3 to the left: f = −m (a − 3).
  chain.force(t, q, q, f);
  const double a = 5.0 * std::sin(0.4 * std::numbers::pi);
  EXPECT_LE(largest(f + (a - 3.0) * Vector{{1.0, 0.5, 2.0}}), 1e-14);
  body.force(t, q, q, f);
  const double x = 3.0 * std::sin(0.2 * std::numbers::pi);
  const double y = 2.0 * std::sin(0.2 * std::numbers::pi + 1.0);
  EXPECT_LE(largest(f + 2.0 * Vector{{x, kGravity + y, 0.0}}), 1e-14);
}

TEST(MovingBase, APulseHasABeginningAndAnEnd) {
  const BaseMotion pulse{.acceleration = 4.0, .frequency = 0.5, .start = 1.0, .cycles = 0.5};
  EXPECT_EQ(pulse.at(0.999), 0.0);
  EXPECT_DOUBLE_EQ(pulse.at(1.5), 4.0);  // half a sine within 1 s, largest in the middle
  EXPECT_EQ(pulse.at(2.001), 0.0);
  EXPECT_DOUBLE_EQ(BaseMotion{.acceleration = 4.0}.at(1000.25), 4.0);
  EXPECT_EQ(BaseMotion{}.at(1.0), 0.0);
  const auto refused = [](const BaseMotion& motion) {
    return testing::field_refused([&] { require_ranges("base", motion); });
  };
  EXPECT_EQ(refused({.frequency = 0.0}), "base.frequency");
  EXPECT_EQ(refused({.cycles = 0.0}), "base.cycles");
  EXPECT_EQ(refused({.cycles = std::nan("")}), "base.cycles");
  EXPECT_EQ(refused({.acceleration = std::nan("")}), "base.acceleration");
}

TEST(MovingStarts, TouchWhereTheySay) {
  const auto gaps = [](const AnySystem& system, const State& state) {
    Vector h(system.contacts());
    system.gaps(state.position, h);
    return h;
  };
  // Rounding of coordinates of the size of 1.
  EXPECT_LE(largest(gaps(kBody, kBody.at_contact({0.0, -1.0, 0.0}))), 1e-15);
  EXPECT_LE(largest(gaps(kDoublePendulum, kDoublePendulum.at_contact({0.0, 1.0}))), 1e-15);
  EXPECT_LE(largest(gaps(kColumn, kColumn.above(0.1)) - Vector{{0.1, 0.0, 0.0}}), 1e-16);
  for (const auto wall : {BallChain::Wall::None, BallChain::Wall::Left, BallChain::Wall::Right}) {
    const BallChain chain{.balls = 4, .wall = wall, .radii = {0.1, 0.2, 0.1, 0.1}};
    const Vector wanted = Vector{{0.5, 0.0, 0.25, 0.125}}.head(chain.contacts());
    const State state = chain.apart(wanted, Vector::Zero(4));
    EXPECT_LE(largest(gaps(chain, state) - wanted), 1e-15);
  }
  EXPECT_EQ(testing::field_refused([] { kChain.apart(Vector::Ones(4), Vector::Zero(3)); }), "gaps");
  EXPECT_EQ(
      testing::field_refused([] { BallChain{}.apart(Vector::Constant(1, -1.0), Vector::Zero(2)); }),
      "gaps[0]");
  const RockingBlock block{.width = 0.5, .height = 2.0};
  for (const double angle : {0.2, -0.2}) {
    const Vector h = gaps(block, block.tilted(angle, 1.0));
    const Vector lifted{
        {angle > 0.0 ? 0.0 : 0.5 * std::sin(0.2), angle > 0.0 ? 0.5 * std::sin(0.2) : 0.0}};
    EXPECT_LE(largest(h - lifted), 1e-15) << angle;
    // It turns about the corner that is down: that one has no velocity.
    const ImpactProblem problem = block.impact(block.tilted(angle, 1.0));
    ASSERT_EQ(problem.contacts.size(), 1U);
    EXPECT_LE(largest(testing::directions(problem).transpose() * problem.velocity), 1e-15);
  }
}

/// A particle of mass 2 on a floor, by the six functions of a system that does not move.
struct Resting {
  static int coordinates() { return 2; }
  static int contacts() { return 2; }
  static void mass(const Vector& /*q*/, Matrix& M) { M = 2.0 * Matrix::Identity(2, 2); }
  static void gaps(const Vector& q, Vector& h) { h << q[1], q[1] - q[0] + 1.0; }
  static void gradient(int i, const Vector& /*q*/, Vector& column) {
    column << (i == 0 ? 0.0 : -1.0), 1.0;
  }
  static Contact contact(int /*i*/, const Vector& /*q*/) { return {}; }
};
static_assert(System<Resting> && !MovingSystem<Resting>);

TEST(AnySystem, GivesTheImpactOfWhatDoesNotMove) {
  const AnySystem system = Resting{};
  const State state{.position = Vector::Zero(2), .velocity = Vector{{0.0, -1.0}}};
  const ImpactProblem problem = system.impact(state);
  EXPECT_EQ(problem.mass.form(), MassMatrix::Form::Diagonal);
  EXPECT_EQ(Matrix(problem.gradients), Matrix(Vector{{0.0, 1.0}}));  // the second one is open
  EXPECT_EQ(problem.velocity, state.velocity);
  EXPECT_EQ(system.contact_names(state), std::vector<std::string>{"1"});
  Vector f(2);
  EXPECT_EQ(testing::field_refused([&] { system.force(0.0, state.position, state.velocity, f); }),
            "system");
  EXPECT_EQ(testing::field_refused([&] {
              (void)system.impact({.position = Vector::Zero(1), .velocity = Vector::Zero(2)});
            }),
            "position");
}

TEST(AnySystem, TakesMaterialsOfItsContacts) {
  const AnySystem plain = kChain;
  std::vector<Material> materials(4);
  materials[2].restitution = 0.25;
  const AnySystem changed = plain.with_materials(materials);
  const Vector q = kChain.at_contact(1.0).position;
  EXPECT_EQ(changed.contact(2, q).material.restitution, 0.25);
  EXPECT_EQ(plain.contact(2, q).material.restitution, 1.0);
  EXPECT_EQ(changed.impact(kChain.at_contact(1.0)).contacts[2].material.restitution, 0.25);
  EXPECT_EQ(testing::field_refused([&] { (void)plain.with_materials({}); }), "materials");
}

TEST(AnySystem, WritesGradientsOutAndTakesThemFromTheirBlocks) {
  const AnySystem chain = kChain;
  const Vector q = kChain.at_contact(1.0).position;
  const ImpactProblem problem = chain.impact({.position = q, .velocity = Vector::Zero(3)});
  for (int i = 0; i < chain.contacts(); ++i) {
    Vector column = Vector::Constant(3, std::nan(""));
    chain.gradient(i, q, column);
    EXPECT_EQ(column, Vector(Matrix(problem.gradients).col(i))) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(All, MovingSystems, ::testing::Range<std::size_t>(0, samples().size()),
                         [](const auto& sample) { return samples()[sample.param].name; });

}  // namespace
}  // namespace percute::systems

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
//
// What every system that moves must keep, asked of all of them by one set of questions: gradients
// and curvatures are those of the gaps, forces those of Lagrange's equations.
#include <percute/systems/any_system.hpp>
#include <percute/systems/cradle.hpp>

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

std::vector<Sample> samples() {
  std::vector<Sample> all;
  const Cradle cradle{
      .balls = 4, .spacing = 0.002, .gravity = 9.81, .masses = {1.0, 0.5, 2.0, 1.0}};
  all.push_back({"cradle", cradle, {Vector::Zero(4), Vector{{-0.6, 0.1, 0.2, 1.1}}}});
  return all;
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

INSTANTIATE_TEST_SUITE_P(All, MovingSystems, ::testing::Range<std::size_t>(0, samples().size()),
                         [](const auto& sample) { return samples()[sample.param].name; });

}  // namespace
}  // namespace percute::systems

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "selftest/solvers/radau.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace percute::selftest {
namespace {

/// y' = rate · y, each component on its own.
struct Decay final : StiffSystem {
  Vector rate;
  void slope(const Vector& y, Vector& f) const override { f = rate.cwiseProduct(y); }
  void jacobian(const Vector&, Matrix& J) const override { J = rate.asDiagonal(); }
  double norm(const Vector& difference) const override {
    return difference.lpNorm<Eigen::Infinity>() / 1e-12;
  }
};

/// Kepler's circle, or any y'' = −y/|y|³.
struct Orbit final : StiffSystem {
  void slope(const Vector& y, Vector& f) const override {
    const double r = y.head(2).norm();
    f.head(2) = y.tail(2);
    f.tail(2) = -y.head(2) / (r * r * r);
  }
  void jacobian(const Vector& y, Matrix& J) const override {
    const Vector q = y.head(2);
    const double r = q.norm();
    J.setZero();
    J.topRightCorner(2, 2).setIdentity();
    J.bottomLeftCorner(2, 2) = 3.0 * q * q.transpose() / std::pow(r, 5);
    J(2, 0) -= 1.0 / (r * r * r);
    J(3, 1) -= 1.0 / (r * r * r);
  }
  double norm(const Vector& difference) const override {
    return difference.lpNorm<Eigen::Infinity>() / 1e-13;
  }
};

// The stability function is the Padé approximant of exp with degrees (2, 3).
TEST(Radau, OneLinearStepIsItsRationalFunction) {
  Decay decay;
  decay.rate = Vector{{-1.0, -0.3, -1e8}};
  Radau radau(decay, Vector::Ones(3));
  ASSERT_TRUE(radau.attempt(1.0));
  radau.accept();
  for (Eigen::Index k = 0; k < 3; ++k) {
    const double z = decay.rate[k];
    const double expected =
        (1.0 + 0.4 * z + z * z / 20.0) / (1.0 - 0.6 * z + 3.0 * z * z / 20.0 - z * z * z / 60.0);
    EXPECT_NEAR(radau.state()[k], expected, 1e-13);
  }
}

TEST(Radau, ConvergesWithOrderFive) {
  const Orbit orbit;
  const auto error = [&](int steps) {
    Radau radau(orbit, Vector{{1.0, 0.0, 0.0, 1.0}});
    for (int k = 0; k < steps; ++k) {
      EXPECT_TRUE(radau.attempt(1.0 / steps));
      radau.accept();
    }
    return (radau.state() - Vector{{std::cos(1.0), std::sin(1.0), -std::sin(1.0), std::cos(1.0)}})
        .norm();
  };
  const double order = std::log2(error(8) / error(16));
  EXPECT_NEAR(order, 5.0, 0.3);
}

// It compares with a formula of order 3, whose error in one step falls with the fourth power.
TEST(Radau, EstimatesErrorsOfOrderFour) {
  const Orbit orbit;
  Radau radau(orbit, Vector{{1.0, 0.0, 0.0, 1.0}});
  ASSERT_TRUE(radau.attempt(0.1));
  const double coarse = radau.error();
  ASSERT_TRUE(radau.attempt(0.05));
  EXPECT_NEAR(std::log2(coarse / radau.error()), 4.0, 0.5);
}

TEST(Radau, RestartsElsewhere) {
  Decay decay;
  decay.rate = Vector{{-2.0}};
  Radau radau(decay, Vector{{1.0}});
  ASSERT_TRUE(radau.attempt(0.1));
  radau.restart(Vector{{5.0}});
  ASSERT_TRUE(radau.attempt(0.1));
  radau.accept();
  EXPECT_NEAR(radau.state()[0], 5.0 * std::exp(-0.2), 1e-7);  // z⁶/7200
}

}  // namespace
}  // namespace percute::selftest

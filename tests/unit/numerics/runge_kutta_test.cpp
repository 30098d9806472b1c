// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "numerics/runge_kutta.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace percute::numerics {

namespace {

/// Harmonic oscillator with period 2π, started at (1, 0).
bool oscillator(double, double* y, double* f) {
  f[0] = y[1];
  f[1] = -y[0];
  return true;
}

template <class Pair>
class RungeKuttaTest : public ::testing::Test {
 protected:
  /// Error of N equal steps over one quarter period, in the solution and on the dense output.
  struct Errors {
    double end = 0.0;
    double dense = 0.0;
    double estimate = 0.0;
  };
  static Errors quarter_period(int steps) {
    RungeKutta<Pair> rk;
    rk.resize(2);
    rk.state()[0] = 1.0;
    rk.state()[1] = 0.0;
    const double h = 0.5 * std::numbers::pi / steps;
    Errors errors;
    rk.start(oscillator, 0.0);
    for (int s = 0; s < steps; ++s) {
      const double x = s * h;
      EXPECT_TRUE(rk.attempt(oscillator, x, h));
      errors.estimate = std::max(
          errors.estimate, rk.error(h, [](const double* e) { return std::hypot(e[0], e[1]); }));
      EXPECT_TRUE(rk.prepare_dense(oscillator, x, h));
      for (const double theta : {0.2, 0.5, 0.9}) {
        const double exact = std::cos(x + theta * h);
        errors.dense = std::max(errors.dense, std::abs(rk.dense(0, theta) - exact));
      }
      rk.accept();
    }
    errors.end = std::abs(rk.state()[0]);
    return errors;
  }
};

using Pairs = ::testing::Types<DormandPrince8>;
TYPED_TEST_SUITE(RungeKuttaTest, Pairs);

}  // namespace

TYPED_TEST(RungeKuttaTest, ErrorsOfAnySizeAreNumbers) {
  RungeKutta<TypeParam> rk;
  rk.resize(2);
  for (const double size : {1e-100, 1e-140, 1e-150, 1e-160, 1e-170, 1e-300}) {
    rk.state()[0] = size;
    rk.state()[1] = 0.0;
    rk.start(oscillator, 0.0);
    ASSERT_TRUE(rk.attempt(oscillator, 0.0, 1.0));
    const double error = rk.error(1.0, [](const double* e) { return std::abs(e[0]); });
    EXPECT_TRUE(error >= 0.0 && error < size) << size << ' ' << error;
  }
}

TYPED_TEST(RungeKuttaTest, StagesAreConsistent) {
  // Σ_j a_sj = c_s, and the weights of the error estimates sum to zero.
  for (std::size_t s = 0; s < TypeParam::kA.size(); ++s) {
    double sum = 0.0;
    for (const double a : TypeParam::kA[s]) sum += a;
    EXPECT_NEAR(sum, TypeParam::kC[s], 2e-14) << "stage " << s;  // rounding of entries up to 43
  }
  for (const auto& weights : TypeParam::kE) {
    double sum = 0.0;
    for (const double e : weights) sum += e;
    EXPECT_NEAR(sum, 0.0, 1e-14);
  }
}

TYPED_TEST(RungeKuttaTest, ConvergesWithItsOrder) {
  const auto coarse = this->quarter_period(3);
  const auto fine = this->quarter_period(6);
  const double order = std::log2(coarse.end / fine.end);
  EXPECT_GT(order, TypeParam::kOrder - 0.5);
}

TYPED_TEST(RungeKuttaTest, DenseOutputLosesOneOrderAtMost) {
  const auto coarse = this->quarter_period(3);
  const auto fine = this->quarter_period(6);
  EXPECT_GT(std::log2(coarse.dense / fine.dense), TypeParam::kOrder - 1.2);
  EXPECT_LT(fine.dense, 30.0 * std::pow(0.26, TypeParam::kOrder));
}

TYPED_TEST(RungeKuttaTest, EstimateFollowsTheStep) {
  // The estimate is of the local error of the lower order: it must shrink at least that fast and
  // must not be below the true error by much.
  const auto coarse = this->quarter_period(2);
  const auto fine = this->quarter_period(4);
  EXPECT_GT(std::log2(coarse.estimate / fine.estimate), 4.5);
  EXPECT_GT(fine.estimate, 0.1 * fine.end / 4);
}

TYPED_TEST(RungeKuttaTest, RefusedRightHandSideFailsTheAttemptAndKeepsTheState) {
  RungeKutta<TypeParam> rk;
  rk.resize(1);
  rk.state()[0] = 1.0;
  const auto decay_until_half = [](double, double* y, double* f) {
    f[0] = -1.0;
    return y[0] > 0.5;
  };
  ASSERT_TRUE(rk.start(decay_until_half, 0.0));
  EXPECT_TRUE(rk.attempt(decay_until_half, 0.0, 0.1));
  EXPECT_FALSE(rk.attempt(decay_until_half, 0.0, 2.0));
  EXPECT_EQ(rk.state()[0], 1.0);
}

TYPED_TEST(RungeKuttaTest, IntegratesBackwards) {
  RungeKutta<TypeParam> rk;
  rk.resize(2);
  rk.state()[0] = 0.0;
  rk.state()[1] = -1.0;  // the oscillator at a quarter period
  rk.start(oscillator, 0.0);
  const double h = -0.05;
  for (int s = 0; s < 10; ++s) {
    ASSERT_TRUE(rk.attempt(oscillator, s * h, h));
    rk.accept();
  }
  EXPECT_NEAR(rk.state()[0], std::sin(0.5), 1e-9);  // error of order 5 with this step: 3e-11
}

TYPED_TEST(RungeKuttaTest, QuadraturesAreWhatTheyWereAsStates) {
  // ∫ cos x dx as a third state and as a quadrature: the same weighted sum of the same slopes, up
  // to the order in which it is added.
  const auto with_integral = [](double x, double* y, double* f) {
    f[2] = y[0];
    return oscillator(x, y, f);
  };
  RungeKutta<TypeParam> states;
  RungeKutta<TypeParam, 1> quadrature;
  const auto step = [&](auto& rk) {
    rk.resize(3);
    rk.state()[0] = 1.0;
    rk.start(with_integral, 0.0);
    EXPECT_TRUE(rk.attempt(with_integral, 0.0, 0.5));
    EXPECT_TRUE(rk.prepare_dense(with_integral, 0.0, 0.5));
    rk.interpolate(0.4);
  };
  step(states);
  step(quadrature);
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(quadrature.trial()[i], states.trial()[i], 1e-15);
    EXPECT_NEAR(quadrature.dense(i, 0.4), states.dense(i, 0.4), 1e-15);
    EXPECT_NEAR(quadrature.inside()[i], quadrature.dense(i, 0.4), 1e-15);
  }
  EXPECT_NEAR(quadrature.trial()[2], std::sin(0.5), 1e-5);  // error of order 5 with this step: 6e-6
}

TYPED_TEST(RungeKuttaTest, DenseOutputOfAnotherMethodTakesOnItsSlopes) {
  // It has as many coefficients as a polynomial of degree kDense: that one it repeats exactly.
  using RK = RungeKutta<TypeParam>;
  constexpr int kDegree = RK::kDense;
  const auto y = [](double t) { return std::pow(t, kDegree) - 2.0 * t * t + 0.5; };
  const auto slope = [](double t) { return kDegree * std::pow(t, kDegree - 1) - 4.0 * t; };
  const double x = 0.3;
  const double h = 0.8;
  RK rk;
  rk.resize(1);
  rk.state()[0] = y(x);
  rk.slope()[0] = slope(x);
  rk.trial()[0] = y(x + h);
  rk.trial_slope()[0] = slope(x + h);
  std::array<double, RK::kInner> theta{};
  std::array<double, RK::kInner> slopes{};
  std::array<const double*, RK::kInner> inner{};
  for (std::size_t p = 0; p < theta.size(); ++p) {
    theta[p] = (static_cast<double>(p) + 1.0) / (RK::kInner + 1.5);
    slopes[p] = slope(x + theta[p] * h);
    inner[p] = &slopes[p];
  }
  rk.fit_dense(h, theta, inner);
  for (const double t : {0.0, 0.17, 0.5, 0.93, 1.0}) {
    // Rounding, magnified by the coefficients of the pair.
    EXPECT_NEAR(rk.dense(0, t), y(x + t * h), 1e-12);
    rk.interpolate(t);
    EXPECT_NEAR(rk.inside()[0], y(x + t * h), 1e-12);
  }
}

TYPED_TEST(RungeKuttaTest, DenseOutputKnowsItsSlope) {
  using RK = RungeKutta<TypeParam>;
  RK rk;
  rk.resize(2);
  rk.state()[0] = 1.0;
  rk.start(oscillator, 0.0);
  ASSERT_TRUE(rk.attempt(oscillator, 0.0, 0.5));
  ASSERT_TRUE(rk.prepare_dense(oscillator, 0.0, 0.5));
  const auto c = rk.dense_coefficients(0);
  double slope = 0.0;
  EXPECT_NEAR(RK::evaluate(c.data(), 0.3, slope), RK::evaluate(c.data(), 0.3), 1e-15);
  // A central difference of width 1e-4 is good to 1e-8 of the third derivative.
  const double difference =
      (RK::evaluate(c.data(), 0.3 + 1e-4) - RK::evaluate(c.data(), 0.3 - 1e-4)) / 2e-4;
  EXPECT_NEAR(slope, difference, 1e-8);
}

}  // namespace percute::numerics

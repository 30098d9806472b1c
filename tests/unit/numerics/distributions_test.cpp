// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "numerics/distributions.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <stdexcept>

namespace percute::numerics {
namespace {

TEST(Distributions, QuantilesAsInTables) {
  // Ten digits of published tables and closed forms.
  EXPECT_NEAR(normal_quantile(0.975), 1.959963984540, 1e-11);
  EXPECT_NEAR(normal_quantile(0.995), 2.575829303549, 1e-11);
  EXPECT_NEAR(normal_quantile(0.1), -1.281551565545, 1e-11);
  EXPECT_EQ(normal_quantile(0.5), 0.0);
  EXPECT_NEAR(student_t_quantile(0.975, 1), 12.70620473617, 1e-9);
  EXPECT_NEAR(student_t_quantile(0.975, 5), 2.570581835636, 1e-11);
  EXPECT_NEAR(student_t_quantile(0.995, 30), 2.749995653567, 1e-11);
}

TEST(Distributions, StudentInClosedForm) {
  // One degree of freedom: tan(π (p − ½)); two: (2p − 1) √(2/(1 − (2p − 1)²)). Tails as far as
  // 1e-6.
  for (const double p : {0.001, 0.2, 0.6, 0.9, 0.999, 1.0 - 1e-6}) {
    const double cauchy = std::tan(std::numbers::pi * (p - 0.5));
    EXPECT_NEAR(student_t_quantile(p, 1), cauchy, 1e-9 * std::abs(cauchy));
    const double s = 2.0 * p - 1.0;
    const double two = s * std::sqrt(2.0 / (1.0 - s * s));
    EXPECT_NEAR(student_t_quantile(p, 2), two, 1e-9 * std::abs(two));
  }
  // Many degrees of freedom: normal, to O(1/ν).
  EXPECT_NEAR(student_t_quantile(0.975, 1e6), normal_quantile(0.975), 3e-6);
}

TEST(Distributions, ChiSquaredTail) {
  // Two degrees of freedom: exp(−x/2); one: erfc √(x/2); both branches of the evaluation.
  for (const double x : {0.01, 1.0, 3.84, 10.0, 50.0}) {
    EXPECT_NEAR(chi_squared_tail(x, 2), std::exp(-0.5 * x), 1e-13);
    EXPECT_NEAR(chi_squared_tail(x, 1), std::erfc(std::sqrt(0.5 * x)), 1e-13);
  }
  EXPECT_NEAR(chi_squared_tail(18.307038053275146, 10), 0.05, 1e-12);
  EXPECT_EQ(chi_squared_tail(0.0, 3), 1.0);
}

TEST(Distributions, FisherTail) {
  // (2, n): (1 + 2x/n)^(−n/2); (1, 1): 2/π atan 1/√x; (1, n): the square of Student's t.
  for (const double x : {1e-3, 0.3, 1.0, 4.0, 100.0, 1e5}) {
    for (const double n : {1.0, 3.0, 10.0, 250.0}) {
      EXPECT_NEAR(f_tail(x, 2, n), std::pow(1.0 + 2.0 * x / n, -0.5 * n), 1e-13);
    }
    EXPECT_NEAR(f_tail(x, 1, 1), std::atan(1.0 / std::sqrt(x)) * 2.0 / std::numbers::pi, 1e-13);
  }
  const double t = student_t_quantile(0.975, 7);
  EXPECT_NEAR(f_tail(t * t, 1, 7), 0.05, 1e-12);
  EXPECT_EQ(f_tail(0.0, 3, 4), 1.0);
  EXPECT_THROW(f_tail(1.0, 0.0, 1.0), std::invalid_argument);
}

TEST(Distributions, OutOfRangeIsRefused) {
  EXPECT_THROW(normal_quantile(0.0), std::invalid_argument);
  EXPECT_THROW(normal_quantile(1.0), std::invalid_argument);
  EXPECT_THROW(student_t_quantile(0.9, 0.0), std::invalid_argument);
  EXPECT_THROW(chi_squared_tail(1.0, -1.0), std::invalid_argument);
}

}  // namespace
}  // namespace percute::numerics

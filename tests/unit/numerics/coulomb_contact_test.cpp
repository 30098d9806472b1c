// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "numerics/coulomb_contact.hpp"

#include <percute/numerics/linear_algebra.hpp>

#include <Eigen/LU>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace percute::numerics {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Solved {
  Vector p;
  Vector z;
  ContactOutcome outcome;
  double error = 0.0;

  bool slips() const { return p[0] > 0.0 && z.tail(z.size() - 1).norm() > 1e-9 * z.norm(); }
};

Solved solve(const Matrix& A, const Vector& b, double friction, double floor = 0.0) {
  CoulombContact contact;
  const int n = static_cast<int>(b.size());
  contact.assign(A.data(), n, n, friction, floor);
  Solved result{.p = Vector::Zero(n), .z = {}, .outcome = {}};
  result.outcome = contact.solve(b.data(), result.p.data());
  result.z = A * result.p + b;
  result.error = contact.error(result.p.data(), result.z.data());
  return result;
}

/// A contact of a rigid body with all its couplings.
Matrix spatial() {
  Matrix A(3, 3);
  A << 1, 0.3, -0.2, 0.3, 2, 0.4, -0.2, 0.4, 1.5;
  return A;
}

/// Random symmetric positive definite block; `coupling` stretches A_nt as far as definiteness
/// allows.
Matrix random_block(int n, std::mt19937& random) {
  std::normal_distribution<double> normal;
  Matrix X(n + 1, n);
  for (int i = 0; i < X.size(); ++i) X.data()[i] = normal(random);
  return X.transpose() * X + 1e-3 * Matrix::Identity(n, n);
}

}  // namespace

TEST(CoulombContact, SlidesAndSticksAsComputedByHand) {
  // Slip with e = 0.7, μ = 0.1: ten digits from an independent computation.
  const Solved slip = solve(spatial(), Vector{{-1.7, 1.0, 0.5}}, 0.1);
  EXPECT_TRUE(slip.slips());
  EXPECT_TRUE(slip.p.isApprox(Vector{{1.7504828465, -0.1747765116, -0.0097505352}}, 1e-10));
  EXPECT_NEAR(slip.z[1], 1.1716916166, 1e-10);
  EXPECT_NEAR(slip.z[2], 0.0653670233, 1e-10);
  EXPECT_LT(slip.error, 1e-14);  // rounding

  const Solved stick = solve(spatial(), Vector{{-1.7, 0.1, 0.2}}, 0.5);
  EXPECT_LT(stick.z.norm(), 1e-14);  // rounding
  EXPECT_TRUE(stick.p.isApprox(Vector{{1.8537058595, -0.3705859527, 0.2126503686}}, 1e-10));

  const Solved onset = solve(spatial(), Vector{{-1.7, 0.0, 0.0}}, 0.1);
  EXPECT_TRUE(onset.p.isApprox(Vector{{1.7633124697, -0.1371901448, 0.1107771314}}, 1e-10));

  EXPECT_TRUE(solve(spatial(), Vector{{0.3, 1.0, 0.5}}, 0.1).p.isZero(0.0));
}

TEST(CoulombContact, JamEndsInSticking) {
  // A_nn < μ A_nt: sliding drives the bodies together; the one solution sticks, p = (7, −11/3).
  Matrix A(2, 2);
  A << 1, 1.5, 1.5, 3;
  const Solved jam = solve(A, Vector{{-1.5, 0.5}}, 1.0);
  EXPECT_TRUE(jam.p.isApprox(Vector{{7.0, -11.0 / 3.0}}, 1e-14));
  EXPECT_FALSE(jam.outcome.multiple_solutions);
  // The same block about to separate, but sliding: both p = 0 and p > 0 are solutions.
  const Solved either = solve(A, Vector{{0.1, 1.0}}, 1.0);
  EXPECT_TRUE(either.p.isZero(0.0));
  EXPECT_TRUE(either.outcome.multiple_solutions);
}

TEST(CoulombContact, KnowsTheLimitsOfFriction) {
  // μ = 0: no tangential impulse. μ = ∞: p = −A⁻¹ b.
  const Vector b{{-1.0, 0.5, -0.25}};
  const Solved smooth = solve(spatial(), b, 0.0);
  EXPECT_TRUE(smooth.p.isApprox(Vector{{1.0, 0.0, 0.0}}, 1e-15));
  const Solved rough = solve(spatial(), b, kInfinity);
  EXPECT_TRUE(rough.p.isApprox(Vector(-spatial().inverse() * b), 1e-14));
  EXPECT_LT(rough.error, 1e-14);
  EXPECT_TRUE(solve(spatial(), Vector{{0.5, 1.0, 1.0}}, kInfinity).p.isZero(0.0));
  // Stopping the sliding separates the bodies: no normal impulse is needed.
  Matrix A(2, 2);
  A << 1, -0.8, -0.8, 1;
  const Solved wedge = solve(A, Vector{{-0.1, 1.0}}, kInfinity);
  EXPECT_TRUE(wedge.p.isApprox(Vector{{0.0, -1.0}}, 1e-14));
  EXPECT_NEAR(wedge.z[0], 0.7, 1e-14);
}

TEST(CoulombContact, SolvesRandomBlocks) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  int slips = 0;
  for (int k = 0; k < 20000; ++k) {
    const int n = 1 + k % 3;
    const Matrix A = random_block(n, random);
    Vector b(n);
    for (double& x : b) x = normal(random);
    const double mu = (k % 7) * 0.3;
    const double floor = k % 2 == 0 ? 0.0 : 0.2 * (k % 5);
    const Solved s = solve(A, b, mu, floor);
    ASSERT_TRUE(s.outcome.found) << k;
    // Rounding only, magnified by the condition of the block.
    const double scale = std::max(1.0, s.p.norm() * A.norm());
    ASSERT_LT(s.error, 1e-11 * scale) << k << "\n" << A << "\nb " << b.transpose() << " mu " << mu;
    if (s.slips()) ++slips;
  }
  EXPECT_GT(slips, 1000);
}

TEST(CoulombContact, TakesTheSmallestImpulseOfSeveral) {
  // z_n(s) by brute force: the first zero is the answer.
  std::mt19937 random(11);
  std::normal_distribution<double> normal;
  int several = 0;
  for (int k = 0; k < 3000; ++k) {
    const Matrix A = random_block(3, random);
    const Vector b{{std::abs(normal(random)) * 0.1, 2.0 * normal(random), 2.0 * normal(random)}};
    const Solved s = solve(A, b, 1.0);
    ASSERT_TRUE(s.p.isZero(0.0));  // open is a solution, the smallest
    if (!s.outcome.multiple_solutions) continue;
    ++several;
    // Leave p = 0 by a floor below the next solution: the solver must find that one.
    const Solved next = solve(A, b, 1.0, 1e-9);
    EXPECT_LT(next.error, 1e-11 * std::max(1.0, next.p.norm() * A.norm()));
  }
  EXPECT_GT(several, 10);
}

TEST(CoulombContact, KeepsTheFloor) {
  // Separating in spite of p_n = floor: friction up to μ floor slows the sliding.
  const Matrix A = Matrix::Identity(3, 3);
  const Solved s = solve(A, Vector{{1.0, 3.0, 4.0}}, 0.5, 2.0);
  EXPECT_TRUE(s.p.isApprox(Vector{{2.0, -0.6, -0.8}}, 1e-14));
  // Approaching more than the floor stops: as without a floor.
  const Solved t = solve(spatial(), Vector{{-1.7, 1.0, 0.5}}, 0.1, 1.0);
  EXPECT_TRUE(t.p.isApprox(solve(spatial(), Vector{{-1.7, 1.0, 0.5}}, 0.1).p, 1e-14));
}

}  // namespace percute::numerics

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "selftest/solvers/lcp.hpp"

#include "random_lcp.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>
#include <string>

namespace percute::selftest {

namespace {

using numerics::least_norm_impulse;
using numerics::semidefinite_rank;
using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr LcpMethod kMethods[] = {LcpMethod::ActiveSet,         LcpMethod::Lemke,
                                  LcpMethod::GaussSeidel,       LcpMethod::MinNewton,
                                  LcpMethod::FischerBurmeister, LcpMethod::Enumeration};

std::string name(LcpMethod method) {
  constexpr const char* names[] = {"active set", "Lemke", "Gauss–Seidel",
                                   "min Newton", "FB",    "enumeration"};
  return names[static_cast<int>(method)];
}

/// Three equal unit balls in a row.
const Matrix kThreeBalls{{2.0, -1.0}, {-1.0, 2.0}};

/// A row of ten equal contacts.
Matrix ten_contacts() {
  Matrix A = 2.0 * Matrix::Identity(10, 10);
  A.diagonal(1).setConstant(-1.0);
  A.diagonal(-1).setConstant(-1.0);
  return A;
}

/// Plate 2 × 1 of unit mass on its four corners, q = (height, two rotations).
struct Plate {
  Matrix A;
  Vector rates;

  Plate() {
    const Matrix W{{1, 1, 1, 1}, {0.5, 0.5, -0.5, -0.5}, {-1, 1, 1, -1}};
    const Vector inverse_mass{{1.0, 12.0, 3.0}};
    A = W.transpose() * inverse_mass.asDiagonal() * W;
    rates = W.transpose() * Vector{{-1.0, 0.3, -0.2}};
  }
};

}  // namespace

TEST(Lcp, PlasticImpactOfThreeBalls) {
  for (const LcpMethod method : kMethods) {
    const LcpSolution s = solve_lcp(kThreeBalls, Vector{{-1.0, 0.0}}, {.method = method});
    EXPECT_TRUE(s.solved()) << name(method);
    // All balls end at 1/3, so the impulses are 2/3 and 1/3: exact up to the tolerance.
    EXPECT_TRUE(s.z.isApprox(Vector{{2.0 / 3.0, 1.0 / 3.0}}, 1e-11)) << name(method);
    EXPECT_LE(s.w.cwiseAbs().maxCoeff(), 1e-11) << name(method);
    EXPECT_LE(s.error, 1e-12) << name(method);
    EXPECT_GE(s.iterations, 1) << name(method);
  }
}

TEST(Lcp, NothingToDo) {
  for (const LcpMethod method : kMethods) {
    // A warm start must not survive where z = 0 is the solution.
    LcpSolution s{.z = Vector::Ones(2)};
    LcpSolver().solve(kThreeBalls, Vector{{0.5, 0.0}}, {.method = method}, s);
    EXPECT_TRUE(s.solved());
    EXPECT_EQ(s.z, Vector::Zero(2));
    EXPECT_EQ(s.w, (Vector{{0.5, 0.0}}));
    EXPECT_TRUE(solve_lcp(Matrix(0, 0), Vector(0), {.method = method}).solved());
  }
}

TEST(Lcp, ErrorIsMeasuredInUnitsOfTheContact) {
  // One sweep from zero leaves z = (1/2, 1/4), w = (−1/4, 0): error 1/4 of the scale 1, half of 2.
  const Vector b{{-1.0, 0.0}};
  LcpOptions options{.method = LcpMethod::GaussSeidel, .max_iterations = 1};
  EXPECT_NEAR(solve_lcp(kThreeBalls, b, options).error, 0.25, 1e-15);
  options.scale = 2.0;
  EXPECT_NEAR(solve_lcp(kThreeBalls, b, options).error, 0.125, 1e-15);
  // The unit of z_i is scale / A_ii: with everything a thousand times as heavy nothing changes.
  EXPECT_NEAR(solve_lcp(kThreeBalls / 1000.0, b, options).error, 0.125, 1e-15);
}

// The solution w of a problem with positive semidefinite A is unique, z need not be. Enumeration
// finds it without judgement; each method must agree to 1e-9 of max |b| with an error of at most
// 1e-10. Gauss–Seidel may say that its sweeps were too few.
TEST(Lcp, EveryMethodAgreesWithEnumeration) {
  LcpSolver solver;
  for (const auto kind : RandomLcp::kKinds) {
    RandomLcp random(2024);
    int gave_up = 0;
    constexpr int kProblems = 2000;
    for (int k = 0; k < kProblems; ++k) {
      const auto [A, b] = random.make(kind, k % 100 == 0 ? 12 : 7);
      LcpSolution reference;
      solver.solve(A, b, {.method = LcpMethod::Enumeration}, reference);
      ASSERT_TRUE(reference.solved()) << RandomLcp::name(kind) << " " << k;
      for (const LcpMethod method : kMethods) {
        LcpSolution s;
        solver.solve(A, b, {.method = method}, s);
        if (method == LcpMethod::GaussSeidel && s.status == SolverStatus::IterationLimit) {
          ++gave_up;
          continue;
        }
        ASSERT_TRUE(s.solved()) << name(method) << ", " << RandomLcp::name(kind) << " " << k;
        EXPECT_LE(s.error, 1e-10) << name(method);
        EXPECT_GE(s.z.minCoeff(), 0.0) << name(method);
        const double unit = std::max(b.cwiseAbs().maxCoeff(), std::numeric_limits<double>::min());
        EXPECT_LE((s.w - reference.w).cwiseAbs().maxCoeff(), 1e-9 * unit)
            << name(method) << ", " << RandomLcp::name(kind) << " " << k;
      }
    }
    // Contacts that nearly depend on one another are rare, so giving up must be too.
    EXPECT_LE(gave_up, kProblems / 50) << RandomLcp::name(kind);
  }
}

TEST(Lcp, LemkeAndNewtonSolveMonotoneProblemsThatAreNotSymmetric) {
  LcpSolver solver;
  RandomLcp random(7);
  for (int k = 0; k < 2000; ++k) {
    const auto [A, b] = random.quadratic_program(10);
    for (const LcpMethod method :
         {LcpMethod::Lemke, LcpMethod::MinNewton, LcpMethod::FischerBurmeister}) {
      LcpSolution s;
      solver.solve(A, b, {.method = method}, s);
      ASSERT_TRUE(s.solved()) << name(method) << " " << k << ": " << s.error;
    }
  }
}

TEST(Lcp, LemkeSolvesPlanarFriction) {
  LcpSolver solver;
  RandomLcp random(11);
  for (int k = 0; k < 2000; ++k) {
    const auto [A, b] = random.friction(8);
    LcpSolution s;
    solver.solve(A, b, {.method = LcpMethod::Lemke}, s);
    ASSERT_TRUE(s.solved()) << k << ": " << s.error;
  }
}

TEST(Lcp, LargeProblemsToo) {
  LcpSolver solver;
  RandomLcp random(3);
  for (int k = 0; k < 20; ++k) {
    const auto [A, b] =
        random.make(k % 2 == 0 ? RandomLcp::Kind::Redundant : RandomLcp::Kind::Repeated, 60);
    LcpSolution active;
    LcpSolution lemke;
    solver.solve(A, b, {}, active);
    solver.solve(A, b, {.method = LcpMethod::Lemke}, lemke);
    ASSERT_TRUE(active.solved() && lemke.solved()) << k;
    EXPECT_LE((active.w - lemke.w).cwiseAbs().maxCoeff(), 1e-9 * b.cwiseAbs().maxCoeff()) << k;
  }
}

TEST(Lcp, MassRatiosThatExhaustThePrecisionAreSaid) {
  // A light ball squeezed by heavy ones: A z is larger than w by the ratio of the masses. Up to 1e4
  // leaves twelve digits; at 1e10 and more there is no z in double precision with an error of
  // 1e-10, and the error is what rounding explains, up to a factor for the sums of a few rows.
  LcpSolver solver;
  RandomLcp random(29);
  int unsolved = 0;
  for (int k = 0; k < 1000; ++k) {
    LcpSolution s;
    const auto [A, b] = random.chain(8, 2.0);
    solver.solve(A, b, {}, s);
    ASSERT_TRUE(s.solved()) << k;
    LcpSolution extreme;
    const auto [A2, b2] = random.chain(8, 5.0);
    solver.solve(A2, b2, {}, extreme);
    if (extreme.solved()) continue;
    ++unsolved;
    EXPECT_EQ(extreme.status, SolverStatus::IterationLimit) << k;
    EXPECT_GT(extreme.rounding, 1e-11) << k;
    EXPECT_LE(extreme.error, 8.0 * extreme.rounding) << k;
  }
  EXPECT_GT(unsolved, 0);
}

TEST(Lcp, ABodyBetweenTwoWallsStops) {
  // Normals that depend on one another positively: z = (1 + t, t) for every t ≥ 0.
  const Matrix A{{1.0, -1.0}, {-1.0, 1.0}};
  for (const LcpMethod method : kMethods) {
    const LcpSolution s = solve_lcp(A, Vector{{-1.0, 1.0}}, {.method = method});
    EXPECT_TRUE(s.solved()) << name(method);
    EXPECT_LE(s.w.cwiseAbs().maxCoeff(), 1e-11) << name(method);
  }
}

TEST(Lcp, SaysWhenThereIsNoSolution) {
  // Walls that both approach: no impulse changes the sum of the rates.
  const Matrix walls{{1.0, -1.0}, {-1.0, 1.0}};
  const Vector closing{{-1.0, -0.5}};
  for (const LcpMethod method : {LcpMethod::ActiveSet, LcpMethod::Lemke, LcpMethod::Enumeration}) {
    const LcpSolution s = solve_lcp(walls, closing, {.method = method});
    EXPECT_EQ(s.status, SolverStatus::Infeasible) << name(method);
    EXPECT_GT(s.error, 0.1) << name(method);
  }
  for (const LcpMethod method :
       {LcpMethod::GaussSeidel, LcpMethod::MinNewton, LcpMethod::FischerBurmeister}) {
    EXPECT_EQ(solve_lcp(walls, closing, {.method = method}).status, SolverStatus::IterationLimit);
  }
  // The same among contacts that could be satisfied.
  Matrix A = Matrix::Identity(4, 4);
  A.bottomRightCorner(2, 2) = walls;
  const Vector b{{-1.0, -2.0, -1.0, -0.5}};
  EXPECT_EQ(solve_lcp(A, b).status, SolverStatus::Infeasible);
  EXPECT_EQ(solve_lcp(A, b, {.method = LcpMethod::Lemke}).status, SolverStatus::Infeasible);
}

TEST(Lcp, TooFewSweepsAreReported) {
  Vector b = Vector::Zero(10);
  b[0] = -1.0;
  const LcpSolution few =
      solve_lcp(ten_contacts(), b, {.method = LcpMethod::GaussSeidel, .max_iterations = 20});
  EXPECT_EQ(few.status, SolverStatus::IterationLimit);
  EXPECT_EQ(few.iterations, 20);
  EXPECT_GT(few.error, 1e-6);
  const LcpSolution enough = solve_lcp(ten_contacts(), b, {.method = LcpMethod::GaussSeidel});
  EXPECT_TRUE(enough.solved());
  // Over-relaxation with the best factor 2 / (1 + sin(π/11)) ≈ 1.56 needs far fewer.
  const LcpSolution over =
      solve_lcp(ten_contacts(), b, {.method = LcpMethod::GaussSeidel, .relaxation = 1.56});
  EXPECT_TRUE(over.solved());
  EXPECT_LT(3 * over.iterations, enough.iterations);
}

TEST(Lcp, AWarmStartSavesIterations) {
  Vector b = Vector::Zero(10);
  b[9] = -1.0;
  b[0] = 0.05;
  for (const LcpMethod method : {LcpMethod::ActiveSet, LcpMethod::GaussSeidel, LcpMethod::MinNewton,
                                 LcpMethod::FischerBurmeister}) {
    LcpSolver solver;
    LcpSolution s;
    solver.solve(ten_contacts(), b, {.method = method}, s);
    const int cold = s.iterations;
    const Vector w = s.w;
    solver.solve(ten_contacts(), b, {.method = method}, s);
    EXPECT_TRUE(s.solved()) << name(method);
    EXPECT_LE(s.iterations, 1) << name(method);
    EXPECT_GT(cold, s.iterations) << name(method);
    EXPECT_LE((s.w - w).cwiseAbs().maxCoeff(), 1e-11) << name(method);
  }
}

TEST(Lcp, ABadWarmStartDoesNotMislead) {
  LcpSolver solver;
  RandomLcp random(5);
  for (int k = 0; k < 500; ++k) {
    const auto [A, b] = random.make(RandomLcp::kKinds[k % 7], 8);
    const LcpSolution cold = solve_lcp(A, b);
    for (const LcpMethod method :
         {LcpMethod::ActiveSet, LcpMethod::MinNewton, LcpMethod::FischerBurmeister}) {
      LcpSolution s{.z = Vector(b.size())};
      for (double& z : s.z) z = random.real(-1.0, 1.0);
      solver.solve(A, b, {.method = method}, s);
      ASSERT_TRUE(s.solved()) << name(method) << " " << k;
      EXPECT_LE((s.w - cold.w).cwiseAbs().maxCoeff(),
                1e-9 * std::max(1e-300, b.cwiseAbs().maxCoeff()))
          << name(method) << " " << k;
    }
  }
}

TEST(Lcp, WhatWasSolvedBeforeDoesNotMatter) {
  LcpSolver used;
  RandomLcp random(17);
  for (int k = 0; k < 200; ++k) {
    const auto [A, b] = random.make(RandomLcp::kKinds[k % 7], 8);
    for (const LcpMethod method : kMethods) {
      LcpSolution s;
      used.solve(A, b, {.method = method}, s);
      const LcpSolution fresh = solve_lcp(A, b, {.method = method});
      EXPECT_EQ(s.z, fresh.z);
      EXPECT_EQ(s.w, fresh.w);
      EXPECT_EQ(s.iterations, fresh.iterations);
    }
  }
}

TEST(Lcp, NumbersThatAreNotFiniteAreNeverSolved) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const LcpMethod method : kMethods) {
    EXPECT_FALSE(solve_lcp(kThreeBalls, Vector{{-1.0, nan}}, {.method = method}).solved());
    EXPECT_FALSE(
        solve_lcp(Matrix::Constant(2, 2, nan), Vector{{-1.0, 0.0}}, {.method = method}).solved());
  }
}

TEST(Lcp, BadInputIsRefused) {
  const Vector b = Vector::Constant(2, -1.0);
  EXPECT_THAT([&] { solve_lcp(Matrix::Identity(2, 3), b); },
              ThrowsMessage<std::invalid_argument>(HasSubstr("A is 2 x 3, b has 2")));
  EXPECT_THAT([&] { solve_lcp(kThreeBalls, b, {.relaxation = 2.0}); },
              ThrowsMessage<std::invalid_argument>(HasSubstr("relaxation = 2")));
  EXPECT_THAT([&] { solve_lcp(kThreeBalls, b, {.tolerance = -1.0}); },
              ThrowsMessage<std::invalid_argument>(HasSubstr("tolerance = -1")));
  EXPECT_THAT([&] { solve_lcp(kThreeBalls, b, {.scale = -1.0}); },
              ThrowsMessage<std::invalid_argument>(HasSubstr("scale = -1")));
  const Matrix large = Matrix::Identity(13, 13);
  const Vector push = Vector::Constant(13, -1.0);
  EXPECT_THAT([&] { solve_lcp(large, push, {.method = LcpMethod::Enumeration}); },
              ThrowsMessage<std::invalid_argument>(HasSubstr("13 rows: at most 12")));
  EXPECT_THAT([&] { enumerate_lcp(large, push); },
              ThrowsMessage<std::invalid_argument>(HasSubstr("13 rows: at most 12")));
}

TEST(EnumerateLcp, FindsEverySupport) {
  // Not monotone: both rows push themselves. z = 0, each alone, both together.
  const Matrix A{{1.0, 2.0}, {2.0, 1.0}};
  const auto all = enumerate_lcp(A, Vector{{-1.0, -1.0}});
  ASSERT_EQ(all.size(), 3u);
  EXPECT_TRUE(all[0].z.isApprox(Vector{{1.0, 0.0}}, 1e-14));
  EXPECT_TRUE(all[1].z.isApprox(Vector{{0.0, 1.0}}, 1e-14));
  EXPECT_TRUE(all[2].z.isApprox(Vector{{1.0 / 3.0, 1.0 / 3.0}}, 1e-14));
  for (const LcpSolution& s : all) EXPECT_LE(s.error, 1e-14);
}

TEST(EnumerateLcp, RedundantContactsShareInEveryWay) {
  const auto all = enumerate_lcp(Matrix::Ones(2, 2), Vector{{-1.0, -1.0}});
  ASSERT_EQ(all.size(), 3u);
  EXPECT_TRUE(all[2].z.isApprox(Vector{{0.5, 0.5}}, 1e-14));
}

TEST(EnumerateLcp, NoneOrOne) {
  EXPECT_TRUE(enumerate_lcp(Matrix{{1.0, -1.0}, {-1.0, 1.0}}, Vector{{-1.0, -0.5}}).empty());
  const auto none_needed = enumerate_lcp(kThreeBalls, Vector{{1.0, 0.0}});
  ASSERT_EQ(none_needed.size(), 1u);
  EXPECT_EQ(none_needed[0].z, Vector::Zero(2));
}

TEST(SemidefiniteRank, CountsIndependentContacts) {
  EXPECT_EQ(semidefinite_rank(Plate().A), 3);
  EXPECT_EQ(semidefinite_rank(kThreeBalls), 2);
  EXPECT_EQ(semidefinite_rank(Matrix::Ones(5, 5)), 1);
  EXPECT_EQ(semidefinite_rank(Matrix::Zero(2, 2)), 0);
  // Each row is judged in its own unit.
  const Vector unit{{1e-3, 1.0, 1e-1, 1e3}};
  EXPECT_EQ(semidefinite_rank(unit.asDiagonal() * Plate().A * unit.asDiagonal()), 3);
  EXPECT_EQ(semidefinite_rank(Matrix(unit.cwiseAbs2().asDiagonal())), 4);
}

TEST(LeastNormImpulse, FourCornersOfAPlate) {
  // Moreau's law with e = 1/2: 0 ≤ U⁺ + U⁻/2 ⟂ p ≥ 0. Every p_i is positive, so U⁺ = −U⁻/2, and
  // the least norm has no part along the null vector (1, −1, 1, −1).
  const Plate plate;
  for (const LcpMethod method : kMethods) {
    const LcpSolution s = solve_lcp(plate.A, 1.5 * plate.rates, {.method = method});
    ASSERT_TRUE(s.solved()) << name(method);
    const Vector p = least_norm_impulse(plate.A, s.z);
    EXPECT_TRUE(p.isApprox(Vector{{0.33125, 0.38125, 0.41875, 0.36875}}, 1e-11)) << name(method);
    EXPECT_TRUE((plate.rates + plate.A * p).isApprox(Vector{{0.325, 0.525, 0.675, 0.475}}, 1e-11));
  }
}

TEST(LeastNormImpulse, StaysPositive) {
  // A body between two walls: of (1 + t, t) the least with t ≥ 0, not the (1/2, −1/2) of the
  // pseudo-inverse.
  const Matrix walls{{1.0, -1.0}, {-1.0, 1.0}};
  EXPECT_TRUE(least_norm_impulse(walls, Vector{{4.0, 3.0}}).isApprox(Vector{{1.0, 0.0}}, 1e-12));
}

TEST(LeastNormImpulse, LeavesIndependentContactsAlone) {
  const Vector p{{0.3, 0.7}};
  EXPECT_EQ(least_norm_impulse(kThreeBalls, p), p);
}

TEST(LeastNormImpulse, IsTheLeastOfAllThatDoTheSame) {
  RandomLcp random(23);
  for (int k = 0; k < 500; ++k) {
    const Matrix A = random.make(RandomLcp::Kind::Redundant, 10).A;
    Vector p0(A.rows());
    for (double& p : p0) p = std::max(0.0, random.real(-0.5, 1.0));
    const Vector p = least_norm_impulse(A, p0);
    const double unit = A.diagonal().maxCoeff() * std::max(1.0, p0.norm());
    EXPECT_GE(p.minCoeff(), 0.0);
    // The factor leaves pivots of up to 1e-12 of the trace: that much of A p may change.
    EXPECT_LE((A * (p - p0)).cwiseAbs().maxCoeff(), 1e-10 * unit) << k;
    EXPECT_LE(p.norm(), p0.norm() * (1.0 + 1e-12)) << k;
    // Optimality: no p0 ≥ 0 with the same A p is on the near side of the plane through p.
    EXPECT_GE(p.dot(p0 - p), -1e-10 * std::max(1.0, p0.squaredNorm())) << k;
  }
}

}  // namespace percute::selftest

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include <Eigen/Geometry>
#include <gtest/gtest.h>
#include <unit/numerics/coulomb_problems.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <stdexcept>
#include <vector>

namespace percute::numerics {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Two contacts for which three different motions obey the law.
CoulombProblem three_ways() {
  Matrix H(4, 4);      // columns n1, t1, n2, t2
  H << -1, -1, 2, -2,  //
      1, 2, 0, 2,      //
      -2, -2, 1, -1,   //
      0, -1, 1, -2;
  CoulombProblem problem;
  const Matrix A = H.transpose() * H;
  problem.A = A.sparseView();
  problem.b = Vector{{-1, 0, -1, -1}};
  problem.start = {0, 2, 4};
  problem.friction = Vector::Ones(2);
  return problem;
}

/// Distance from z to the nearest solution of the list.
double distance(const std::vector<CoulombSolution>& all, const Vector& z) {
  double least = kInfinity;
  for (const CoulombSolution& s : all) least = std::min(least, (s.z - z).norm());
  return least;
}

}  // namespace

TEST(CoulombMethods, ListsExactlyThreeSolutions) {
  const CoulombProblem problem = three_ways();
  const std::vector<CoulombSolution> all = enumerate_coulomb(problem);
  ASSERT_EQ(all.size(), 3u);
  for (const CoulombSolution& s : all) EXPECT_TRUE(s.multiple_solutions);
  const Vector expected[] = {Vector{{10.0 / 3, -29.0 / 9, 16.0 / 9, 16.0 / 9}},
                             Vector{{31.0 / 13, -31.0 / 13, 25.0 / 13, 24.0 / 13}},
                             Vector{{3, -3, 2, 2}}};
  for (const Vector& p : expected) {
    int found = 0;
    for (const CoulombSolution& s : all) found += (s.p - p).norm() < 1e-12 ? 1 : 0;  // rounding
    EXPECT_EQ(found, 1) << p.transpose();
  }
  for (const CoulombSolution& s : all) {
    EXPECT_TRUE(s.multiple_solutions);
    EXPECT_LT(s.error, 1e-13);
  }
  // Every solver finds one of them, always the same.
  for (const CoulombMethod method : {CoulombMethod::Automatic, CoulombMethod::AlartCurnier}) {
    const CoulombSolution s = solve_coulomb(problem, {.method = method});
    EXPECT_EQ(s.status, SolverStatus::Solved);
    EXPECT_LT(distance(all, s.z), 1e-9);
    EXPECT_EQ(solve_coulomb(problem, {.method = method}).p, s.p);
  }
}

TEST(CoulombMethods, PlanarAnswersAreAmongAllSolutions) {
  std::mt19937 random(21);
  for (int k = 0; k < 60; ++k) {
    const int m = 1 + k % 4;
    const CoulombProblem problem = random_problem(m, 1, 3 + k % 5, 0.2 * (k % 6), random);
    const std::vector<CoulombSolution> all = enumerate_coulomb(problem);
    ASSERT_FALSE(all.empty()) << k;  // b is a velocity: plastic impacts have a solution
    for (const CoulombMethod method :
         {CoulombMethod::Automatic, CoulombMethod::Nsgs, CoulombMethod::AlartCurnier}) {
      const CoulombSolution s = solve_coulomb(problem, {.method = method, .max_iterations = 3000});
      if (s.status != SolverStatus::Solved) {
        EXPECT_NE(method, CoulombMethod::Automatic) << k;
        EXPECT_GT(s.error, 1e-10);
        continue;
      }
      // Velocities follow an error of 1e-10 with the condition of the active contacts.
      EXPECT_LT(distance(all, s.z), 1e-6 * problem.b.norm())
          << k << " " << static_cast<int>(method);
    }
  }
}

TEST(CoulombMethods, AutomaticSolvesSpatialProblems) {
  std::mt19937 random(22);
  for (int k = 0; k < 300; ++k) {
    const int m = 1 + k % 6;
    const CoulombProblem problem =
        random_problem(m, 2, k % 2 == 0 ? 6 : 3 * m, 0.1 + 0.3 * (k % 4), random);
    const CoulombSolution s = solve_coulomb(problem);
    ASSERT_EQ(s.status, SolverStatus::Solved) << k;
    EXPECT_LE(s.error, 1e-10);
    // The law itself, in the units of b.
    const double tolerance = 1e-8 * problem.b.cwiseAbs().maxCoeff() * (1.0 + s.p.norm());
    for (int i = 0; i < m; ++i) {
      const auto p = s.p.segment<3>(3 * i);
      const auto z = s.z.segment<3>(3 * i);
      const double mu = problem.friction[i];
      EXPECT_GE(p[0], -tolerance);
      EXPECT_GE(z[0], -tolerance);
      EXPECT_NEAR(p[0] * z[0], 0.0, tolerance);
      EXPECT_LE(p.tail<2>().norm(), mu * p[0] + tolerance);
      EXPECT_NEAR(p.tail<2>().dot(z.tail<2>()), -mu * p[0] * z.tail<2>().norm(), tolerance);
    }
    // Memory leaves no trace.
    EXPECT_EQ(solve_coulomb(problem).p, s.p);
  }
}

TEST(CoulombMethods, MixedContactsAndLimitsOfFriction) {
  // One frictionless contact without tangents, one with μ = 0, one spatial, one that cannot slide.
  std::mt19937 random(23);
  for (int k = 0; k < 50; ++k) {
    CoulombProblem problem = random_problem(9, 0, 12, 0.0, random);
    problem.start = {0, 1, 3, 6, 9};
    problem.friction = Vector{{0.5, 0.0, 0.7, kInfinity}};
    const CoulombSolution s = solve_coulomb(problem);
    ASSERT_EQ(s.status, SolverStatus::Solved) << k;
    EXPECT_EQ(s.p[2], 0.0);
    if (s.p[6] > 1e-9) {
      EXPECT_LT(s.z.segment(7, 2).norm(), 1e-9 * problem.b.norm());
    }
  }
}

TEST(CoulombMethods, FloorOfTheNormalImpulse) {
  std::mt19937 random(24);
  for (int k = 0; k < 60; ++k) {
    const int tangents = 1 + k % 2;
    CoulombProblem problem = random_problem(3, tangents, 10, 0.4, random);
    problem.impulse_floor = Vector{{0.2, 0.0, 0.5}};
    const CoulombSolution newton = solve_coulomb(problem, {.method = CoulombMethod::AlartCurnier});
    const CoulombSolution sweeps = solve_coulomb(problem, {.method = CoulombMethod::Nsgs});
    const CoulombSolution s = solve_coulomb(problem);
    ASSERT_EQ(s.status, SolverStatus::Solved) << k;
    for (const CoulombSolution* other : {&newton, &sweeps}) {
      if (other->status != SolverStatus::Solved) continue;
      for (int i = 0; i < 3; ++i) {
        const int row = problem.start[i];
        const double tolerance = 1e-8 * problem.b.norm();
        const double floor = problem.impulse_floor[i];
        EXPECT_GE(other->p[row], floor - tolerance);
        EXPECT_NEAR((other->p[row] - floor) * other->z[row], 0.0, tolerance);
        const Vector pt = other->p.segment(row + 1, tangents);
        const Vector zt = other->z.segment(row + 1, tangents);
        EXPECT_NEAR(pt.dot(zt), -0.4 * other->p[row] * zt.norm(), tolerance);
      }
    }
    if (tangents == 1) {
      EXPECT_LT(distance(enumerate_coulomb(problem), s.z), 1e-8 * problem.b.norm()) << k;
    }
  }
}

TEST(CoulombMethods, SaysWhereThereIsNoSolution) {
  // A body clamped between two walls that both approach: nothing can stop them.
  Matrix A(2, 2);
  A << 1, -1, -1, 1;
  CoulombProblem problem;
  problem.A = A.sparseView();
  problem.b = Vector{{-1.0, -1.0}};
  problem.start = {0, 1, 2};
  problem.friction = Vector::Zero(2);
  EXPECT_EQ(solve_coulomb(problem).status, SolverStatus::Infeasible);
  EXPECT_TRUE(enumerate_coulomb(problem).empty());
  EXPECT_NE(solve_coulomb(problem, {.method = CoulombMethod::Nsgs, .max_iterations = 100}).status,
            SolverStatus::Solved);
  std::mt19937 random(1);
  EXPECT_THROW(enumerate_coulomb(random_problem(2, 2, 6, 0.3, random)), std::invalid_argument);
}

TEST(CoulombMethods, EnumeratesSpatialContactsWithInfiniteFriction) {
  // Friction couples sliding along the first tangent to the normal so strongly that sticking pulls:
  // A p = −b has p_n < 0, and open the contact approaches. μ = ∞ leaves no third mode.
  Matrix A(3, 3);
  A << 1.0, 0.9, 0.0,  //
      0.9, 1.0, 0.0,   //
      0.0, 0.0, 1.0;
  CoulombProblem problem;
  problem.A = A.sparseView();
  problem.b = Vector{{-1.0, -2.0, 0.5}};
  problem.start = {0, 3};
  problem.friction = Vector::Constant(1, kInfinity);
  EXPECT_TRUE(enumerate_coulomb(problem).empty());
  // With the sliding the other way it sticks: p = −A⁻¹b, three equations.
  problem.b[1] = 0.0;
  const std::vector<CoulombSolution> all = enumerate_coulomb(problem);
  ASSERT_EQ(all.size(), 1u);
  const Vector exact{{1.0 / 0.19, -0.9 / 0.19, -0.5}};
  EXPECT_LT((all[0].p - exact).norm(), 1e-13);  // rounding of a few operations
}

TEST(CoulombRedundancy, LeastNormAmongTheCornersOfAPlate) {
  // Four corners, three degrees of freedom, no friction.
  const double corner[4][2] = {{1, 0.5}, {-1, 0.5}, {-1, -0.5}, {1, -0.5}};
  Matrix H(3, 4);
  for (int i = 0; i < 4; ++i) H.col(i) << 1, corner[i][1], -corner[i][0];
  const Matrix M = Vector{{1.0, 1.0 / 12, 1.0 / 3}}.asDiagonal();
  const Vector v{{-1, 0.3, -0.2}};
  const CoulombProblem problem = impact(M, H, v, 0, 0.0, 0.5);
  const CoulombSolution s = solve_coulomb(problem);
  ASSERT_EQ(s.status, SolverStatus::Solved);
  const CoulombSolution least = least_norm(problem, s);
  EXPECT_LT((least.p - Vector{{0.33125, 0.38125, 0.41875, 0.36875}}).norm(), 1e-12);  // rounding
  EXPECT_LT((velocity_after(M, H, v, least.p) - Vector{{0.5, -0.15, 0.1}}).norm(), 1e-12);
}

TEST(CoulombRedundancy, CornersOfABlockShareTheirFriction) {
  // Falling flat with a little sliding: both corners stick, only the sum of the frictions is known.
  const Block block{.width = 1.0, .height = 1.0};
  const Vector v{{0.1, -1.0, 0.0}};
  const CoulombProblem problem = impact(block.M(), block.H(), v, 1, 0.5, 0.0);
  const CoulombSolution s = solve_coulomb(problem);
  ASSERT_EQ(s.status, SolverStatus::Solved);
  const CoulombSolution least = least_norm(problem, s);
  EXPECT_LT((least.p - Vector{{0.45, -0.05, 0.55, -0.05}}).norm(), 1e-11);
  EXPECT_LE(least.error, 1e-10);
  // Sliding corners cannot share otherwise: both on the edge of their cones.
  const CoulombProblem sliding =
      impact(block.M(), block.H(), Vector{{2.0, -1.0, 0.0}}, 1, 0.1, 0.0);
  const CoulombSolution slides = solve_coulomb(sliding);
  EXPECT_EQ(least_norm(sliding, slides).p, slides.p);
}

TEST(CoulombRedundancy, KeepsVelocitiesAndCones) {
  std::mt19937 random(25);
  int changed = 0;
  for (int k = 0; k < 40; ++k) {
    const CoulombProblem problem = random_problem(4, 1 + k % 2, 4, 0.8, random);
    const CoulombSolution s = solve_coulomb(problem);
    ASSERT_EQ(s.status, SolverStatus::Solved);
    const CoulombSolution least = least_norm(problem, s);
    EXPECT_LE(least.error, 1e-10);
    EXPECT_LT((least.z - s.z).norm(), 1e-9 * problem.b.norm());
    EXPECT_LE(least.p.norm(), s.p.norm());
    changed += (least.p - s.p).norm() > 1e-6 ? 1 : 0;
  }
  EXPECT_GT(changed, 5);
}

TEST(CoulombPile, ResidualFallsOnAThousandContacts) {
  // Spheres of unit mass and diameter in six staggered layers on the ground, all falling; sparse.
  constexpr int kLayers = 6;
  std::vector<Eigen::Vector3d> centre;
  for (int z = 0; z < kLayers; ++z) {
    for (int y = 0; y < kLayers; ++y) {
      for (int x = 0; x < kLayers; ++x) {
        centre.emplace_back(x + 0.5 * (z % 2), y + 0.5 * (z % 2), z * std::sqrt(0.5));
      }
    }
  }
  const int bodies = static_cast<int>(centre.size());
  std::vector<Eigen::Triplet<double>> entries;
  CoulombProblem problem;
  problem.start = {0};
  const auto connect = [&](int a, int b, const Eigen::Vector3d& normal) {
    const Eigen::Vector3d t = normal.unitOrthogonal();
    const Eigen::Vector3d direction[3] = {normal, t, normal.cross(t)};
    for (int k = 0; k < 3; ++k) {
      const int column = problem.start.back() + k;
      for (const int body : {a, b}) {
        if (body < 0) continue;
        // Momentum and √(1/I) × moment, I = 1/10.
        const Eigen::Vector3d force = body == b ? direction[k] : Eigen::Vector3d(-direction[k]);
        const Eigen::Vector3d arm =
            body == b ? Eigen::Vector3d(-0.5 * normal) : Eigen::Vector3d(0.5 * normal);
        const Eigen::Vector3d moment = std::sqrt(10.0) * arm.cross(force);
        for (int r = 0; r < 3; ++r) {
          entries.emplace_back(6 * body + r, column, force[r]);
          entries.emplace_back(6 * body + 3 + r, column, moment[r]);
        }
      }
    }
    problem.start.push_back(problem.start.back() + 3);
  };
  for (int i = 0; i < bodies; ++i) {
    if (centre[i][2] < 0.1) connect(-1, i, Eigen::Vector3d::UnitZ());
    for (int j = i + 1; j < bodies; ++j) {
      if ((centre[j] - centre[i]).norm() < 1.0001)
        connect(i, j, (centre[j] - centre[i]).normalized());
    }
  }
  const int m = static_cast<int>(problem.start.size()) - 1;
  ASSERT_GE(m, 1000);
  SparseMatrix X(6 * bodies, 3 * m);
  X.setFromTriplets(entries.begin(), entries.end());
  problem.A = X.transpose() * X;
  problem.friction = Vector::Constant(m, 0.3);
  Vector v = Vector::Zero(6 * bodies);
  for (int i = 0; i < bodies; ++i) {
    v[6 * i + 2] = -1.0;
    v[6 * i] = 0.1 * std::sin(3.0 * i);
  }
  problem.b = X.transpose() * v;
  CoulombSolution s;
  int sweeps = 0;
  double first = 0.0;
  for (const int more : {10, 90, 400}) {
    solve_coulomb(problem, {.method = CoulombMethod::Nsgs, .max_iterations = more}, s);
    sweeps += more;
    std::printf("pile of %d contacts, %d sweeps: residual %.2e\n", m, sweeps, s.error);
    if (sweeps == 10) first = s.error;
  }
  // A lattice this redundant converges slowly, and not monotonically.
  EXPECT_LT(s.error, 0.2 * first);
  EXPECT_LT(s.error, 1e-2);
  // What is found already obeys the laws of energy: T⁺ − T⁻ = ½ pᵀA p + bᵀp ≤ 0.
  EXPECT_LT(0.5 * s.p.dot(problem.A * s.p) + problem.b.dot(s.p), 0.0);
}

}  // namespace percute::numerics

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "numerics/cone_program.hpp"

#include <gtest/gtest.h>
#include <unit/numerics/coulomb_problems.hpp>

#include <cmath>
#include <limits>
#include <stdexcept>

namespace percute::numerics {

namespace {

/// Least energy with gap rates U⁺ ≥ 0 and Σ m_i (U_i⁺ + e U_i⁻) ≥ 0, m_i = 1/A_ii, normal rows.
ConeProgram scalar_restitution(const CoulombProblem& impact, double e) {
  ConeProgram program;
  program.A = impact.A;
  program.b = impact.b;
  program.start = impact.start;
  program.friction = impact.friction;
  const int m = static_cast<int>(impact.start.size()) - 1;
  program.C = Matrix::Zero(m + 1, impact.b.size());
  program.d = Vector::Zero(m + 1);
  for (int i = 0; i < m; ++i) {
    const int row = impact.start[i];
    const double mass = 1.0 / program.A(row, row);
    program.C.row(i) = program.A.row(row);
    program.d[i] = impact.b[row];
    program.C.row(m) += mass * program.A.row(row);
    program.d[m] += mass * (1.0 + e) * impact.b[row];
  }
  return program;
}

}  // namespace

TEST(ConeProgram, ScalarRestitutionOfThreeBalls) {
  Matrix H(3, 2);
  H << -1, 0, 1, -1, 0, 1;
  const Matrix M = Matrix::Identity(3, 3);
  const Vector v{{1, 0, 0}};
  const ConeProgramSolution s =
      solve_cone_program(scalar_restitution(impact(M, H, v, 0, 0, 0), 0.5));
  EXPECT_EQ(s.status, SolverStatus::Solved);
  // Closed form; the method promises 1e-10.
  const Vector after = velocity_after(M, H, v, s.p);
  EXPECT_LT((after - Vector{{1.0 / 12, 1.0 / 3, 7.0 / 12}}).norm(), 1e-10);
}

TEST(ConeProgram, ScalarRestitutionOfABlock) {
  // Frictionless block of width 1 and height 2: v⁺ = (1, 0.25, −0.1) at e = 0.5, (1, 0.5, 0) at 1.
  const Block block;
  const CoulombProblem problem = impact(block.M(), block.H(), block.v(), 1, 0.0, 0.0);
  for (const double e : {0.5, 1.0}) {
    const ConeProgramSolution s = solve_cone_program(scalar_restitution(problem, e));
    ASSERT_EQ(s.status, SolverStatus::Solved);
    const Vector after = velocity_after(block.M(), block.H(), block.v(), s.p);
    const Vector expected = e == 1.0 ? Vector{{1, 0.5, 0}} : Vector{{1, 0.25, -0.1}};
    EXPECT_LT((after - expected).norm(), 1e-9) << e;
  }
}

TEST(ConeProgram, OneContactOnTheEdgeOfItsCone) {
  // min ½|p|² + bᵀp is the projection of −b on the cone.
  ConeProgram program;
  program.A = Matrix::Identity(3, 3);
  program.b = Vector{{0.0, -3.0, -4.0}};
  program.start = {0, 3};
  program.friction = Vector::Constant(1, 1.0);
  const ConeProgramSolution s = solve_cone_program(program);
  EXPECT_EQ(s.status, SolverStatus::Solved);
  EXPECT_LT((s.p - Vector{{2.5, 1.5, 2.0}}).norm(), 1e-10);
  program.friction[0] = 0.0;
  EXPECT_LT(solve_cone_program(program).p.norm(), 1e-10);
  program.friction[0] = std::numeric_limits<double>::infinity();
  program.b[0] = -1.0;
  EXPECT_LT((solve_cone_program(program).p - Vector{{1, 3, 4}}).norm(), 1e-10);
}

TEST(ConeProgram, RandomProgramsAreOptimal) {
  std::mt19937 random(31);
  for (int k = 0; k < 120; ++k) {
    const int tangents = k % 3;
    const double frictions[] = {0.0, 0.3, 1.0, std::numeric_limits<double>::infinity()};
    CoulombProblem problem = random_problem(1 + k % 5, tangents, 6, frictions[k % 4], random);
    for (int i = 0; i + 1 < static_cast<int>(problem.start.size()); ++i) {
      // All contacts approach: turn those that do not.
      const int row = problem.start[i];
      if (problem.b[row] <= 0.0) continue;
      Matrix A = problem.A;
      A.row(row) *= -1.0;
      A.col(row) *= -1.0;
      problem.A = A.sparseView();
      problem.b[row] *= -1.0;
    }
    const ConeProgram program = scalar_restitution(problem, 0.25 * (k % 5));
    const ConeProgramSolution s = solve_cone_program(program);
    // With infinite friction a contact may have to stick without pressure: no solution.
    const bool unpressed = k % 4 == 3 && s.status == SolverStatus::NoSlipSolution;
    ASSERT_TRUE(s.status == SolverStatus::Solved || unpressed) << k << " error " << s.error;
    // Not above p = Moreau's e = 1 impulse, which is feasible and changes no energy.
    EXPECT_LE(0.5 * s.p.dot(program.A * s.p) + program.b.dot(s.p), 1e-9) << k;
    EXPECT_GE((program.C * s.p + program.d).minCoeff(), -1e-8 * (1.0 + program.C.norm())) << k;
  }
}

TEST(ConeProgram, PressesWhereContactsStick) {
  // Two corners of a block share their tangent: what stops the sliding of both is carried by the
  // one that presses, and the other has no pressure: its gap opens.
  Matrix H(3, 4);   // columns n1, t1, n2, t2
  H << 0, 1, 0, 1,  //
      1, 0, 1, 0,   //
      -0.5, 1, 0.5, 1;
  const Matrix M = Matrix::Identity(3, 3);
  const double inf = std::numeric_limits<double>::infinity();
  const ConeProgramSolution s =
      solve_cone_program(scalar_restitution(impact(M, H, Vector{{1, -1, 0}}, 1, inf, 0), 0.0));
  EXPECT_EQ(s.status, SolverStatus::Solved);
  for (const int row : {0, 2}) {
    EXPECT_TRUE(s.p[row] > 1e-9 || std::abs(s.p[row + 1]) <= 1e-9) << row;
  }
  // Where the one contact opens, its tangent is not to be stopped.
  ConeProgram open;
  open.A = Matrix::Identity(2, 2);
  open.b = Vector{{1.0, -1.0}};
  open.start = {0, 2};
  open.friction = Vector::Constant(1, inf);
  EXPECT_EQ(solve_cone_program(open).status, SolverStatus::NoSlipSolution);
}

TEST(ConeProgram, SaysWhereNothingIsFeasible) {
  ConeProgram program;
  program.A = Matrix::Identity(1, 1);
  program.b = Vector::Constant(1, -1.0);
  program.start = {0, 1};
  program.friction = Vector::Zero(1);
  program.C = Matrix::Constant(1, 1, -1.0);
  program.d = Vector::Constant(1, -1.0);  // −p − 1 ≥ 0 with p ≥ 0
  EXPECT_EQ(solve_cone_program(program).status, SolverStatus::Infeasible);
  program.d = Vector::Zero(2);
  EXPECT_THROW(solve_cone_program(program), std::invalid_argument);
}

}  // namespace percute::numerics

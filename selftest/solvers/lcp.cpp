// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "selftest/solvers/lcp.hpp"

#include "numerics/orthogonal_factor.hpp"
#include "selftest/solvers/lcp_methods.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>

namespace percute::selftest {

namespace {

void require_small(Eigen::Index rows) {
  if (rows <= LcpSolver::kLargestEnumeration) return;
  throw std::invalid_argument("enumeration of a problem with " + std::to_string(rows) +
                              " rows: at most " + std::to_string(LcpSolver::kLargestEnumeration));
}

// For each of the 2^m sets F: A_FF z_F = −b_F, z = 0 elsewhere, kept where z ≥ 0 and w ≥ 0. Slow
// and certain: what the other methods are compared with. Where A is symmetric positive semidefinite
// and there is a solution, there is one with A_FF regular: A_FF u = 0 implies A u = 0, so going
// along u until some z_i is zero makes F smaller.
Outcome enumeration(const Problem& problem, Memory& memory, double* z) {
  const int m = problem.size;
  double* candidate = memory.numbers(m);
  int* support = memory.indices(m);
  SupportEquations equations(problem, memory);
  Outcome outcome;
  Best best{.problem = problem, .z = z, .w = memory.numbers(m)};
  for (unsigned set = 0; set < 1U << m; ++set) {
    ++outcome.iterations;
    int count = 0;
    for (int i = 0; i < m; ++i) {
      if ((set >> i & 1U) != 0U) support[count++] = i;
    }
    if (equations.solve(support, count, candidate)) best.offer(candidate);
  }
  outcome.infeasible = best.error > 1e-6;  // less may be rounding of a nearly singular support
  return outcome;
}

}  // namespace

void LcpSolver::solve(const Matrix& A, const Vector& b, const LcpOptions& options,
                      LcpSolution& solution) {
  if (!(options.relaxation > 0.0 && options.relaxation < 2.0)) {
    throw std::invalid_argument("relaxation = " + std::to_string(options.relaxation) +
                                ": must be between 0 and 2");
  }
  numerics::LcpOptions plain{.tolerance = options.tolerance,
                             .scale = options.scale,
                             .max_iterations = options.max_iterations};
  const auto of_the_library = [&](numerics::LcpMethod method) {
    plain.method = method;
    solver_.solve(A, b, plain, solution);
  };
  const auto newton = [&](NewtonMap map) {
    numerics::lcp::solve_by(A, b, plain, memory_, solution,
                            [map](const Problem& problem, Memory& memory, double* z) {
                              return solve_by_newton(problem, map, memory, z);
                            });
  };
  switch (options.method) {
    case LcpMethod::ActiveSet:
      return of_the_library(numerics::LcpMethod::ActiveSet);
    case LcpMethod::Lemke:
      return of_the_library(numerics::LcpMethod::Lemke);
    case LcpMethod::Enumeration:
      require_small(b.size());
      return numerics::lcp::solve_by(A, b, plain, memory_, solution, enumeration);
    case LcpMethod::MinNewton:
      return newton(NewtonMap::Min);
    case LcpMethod::FischerBurmeister:
      return newton(NewtonMap::FischerBurmeister);
    case LcpMethod::GaussSeidel:
      numerics::lcp::solve_by(
          A, b, plain, memory_, solution, [&](const Problem& problem, Memory& memory, double* z) {
            return solve_by_gauss_seidel(problem, options.relaxation, memory, z);
          });
  }
}

LcpSolution solve_lcp(const Matrix& A, const Vector& b, const LcpOptions& options) {
  LcpSolver solver;
  LcpSolution solution;
  solver.solve(A, b, options, solution);
  return solution;
}

namespace {

/// Least-norm z_F with A_FF z_F = −b_F in the sense of least squares.
Vector least_norm_on(const Matrix& A, const Vector& b, unsigned set) {
  std::vector<Eigen::Index> support;
  for (Eigen::Index i = 0; i < b.size(); ++i) {
    if ((set >> i & 1U) != 0U) support.push_back(i);
  }
  Vector z = Vector::Zero(b.size());
  if (support.empty()) return z;
  const numerics::OrthogonalFactor factors(A(support, support), 1e-11);
  const Vector part = factors.solve(Vector(-b(support)));
  z(support) = part;
  return z;
}

}  // namespace

std::vector<LcpSolution> enumerate_lcp(const Matrix& A, const Vector& b, double tolerance) {
  const auto m = b.size();
  require_small(m);
  std::vector<unsigned> sets(std::size_t{1} << m);
  for (std::size_t k = 0; k < sets.size(); ++k) sets[k] = static_cast<unsigned>(k);
  std::stable_sort(sets.begin(), sets.end(),
                   [](unsigned a, unsigned c) { return std::popcount(a) < std::popcount(c); });

  Vector mass(m);
  const numerics::lcp::Problem problem = numerics::lcp::describe(A, b, 0.0, mass.data());
  std::vector<LcpSolution> solutions;
  for (const unsigned set : sets) {
    LcpSolution found{.z = least_norm_on(A, b, set), .w = Vector(m), .iterations = 1};
    bool positive = true;
    for (Eigen::Index i = 0; i < m; ++i) {
      if ((set >> i & 1U) == 0U) continue;
      positive = positive && found.z[i] > tolerance * mass[i] * problem.scale;
    }
    if (!positive) continue;
    found.error = numerics::lcp::evaluate(problem, found.z.data(), found.w.data());
    if (!(found.error <= tolerance)) continue;
    found.status = SolverStatus::Solved;
    solutions.push_back(std::move(found));
  }
  return solutions;
}

}  // namespace percute::selftest

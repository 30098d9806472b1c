// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "numerics/lcp_methods.hpp"

#include <percute/numerics/lcp.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace percute::numerics {

namespace {

void validate(const Matrix& A, const Vector& b, const LcpOptions& options) {
  const auto m = b.size();
  if (A.rows() != m || A.cols() != m) {
    throw std::invalid_argument("linear complementarity problem: A is " + std::to_string(A.rows()) +
                                " x " + std::to_string(A.cols()) + ", b has " + std::to_string(m) +
                                " entries; A must be square and of the size of b");
  }
  if (!(options.relaxation > 0.0 && options.relaxation < 2.0)) {
    throw std::invalid_argument("relaxation = " + std::to_string(options.relaxation) +
                                ": must be between 0 and 2");
  }
  if (!(options.tolerance >= 0.0)) {
    throw std::invalid_argument("tolerance = " + std::to_string(options.tolerance) +
                                ": must not be negative");
  }
  if (!(options.scale >= 0.0)) {
    throw std::invalid_argument("scale = " + std::to_string(options.scale) +
                                ": must not be negative");
  }
  if (options.method == LcpMethod::Enumeration && m > LcpSolver::kLargestEnumeration) {
    throw std::invalid_argument("enumeration of a problem with " + std::to_string(m) +
                                " rows: at most " + std::to_string(LcpSolver::kLargestEnumeration));
  }
}

lcp::Need need_of(LcpMethod method, int size) {
  switch (method) {
    case LcpMethod::ActiveSet:
      return lcp::active_set_need(size);
    case LcpMethod::Lemke:
      return lcp::lemke_need(size);
    case LcpMethod::GaussSeidel:
      return lcp::gauss_seidel_need(size);
    case LcpMethod::MinNewton:
    case LcpMethod::FischerBurmeister:
      return lcp::newton_need(size);
    case LcpMethod::Enumeration:
      return lcp::enumeration_need(size);
  }
  return {};
}

lcp::Outcome dispatch(LcpMethod method, const lcp::Problem& problem, double* numbers, int* indices,
                      double* z) {
  switch (method) {
    case LcpMethod::ActiveSet:
      return lcp::active_set(problem, numbers, indices, z);
    case LcpMethod::Lemke:
      return lcp::lemke(problem, numbers, indices, z);
    case LcpMethod::GaussSeidel:
      return lcp::gauss_seidel(problem, numbers, z);
    case LcpMethod::MinNewton:
      return lcp::newton(problem, lcp::NewtonMap::Min, numbers, indices, z);
    case LcpMethod::FischerBurmeister:
      return lcp::newton(problem, lcp::NewtonMap::FischerBurmeister, numbers, indices, z);
    case LcpMethod::Enumeration:
      return lcp::enumeration(problem, numbers, indices, z);
  }
  return {};
}

/// Iterations that approach the support slowly must reach the tolerance itself: their error says
/// less about w than that of a solution computed from its support.
double accepted_error(const LcpOptions& options) {
  if (options.method == LcpMethod::GaussSeidel) return options.tolerance;
  return std::max(options.tolerance, lcp::kRounding);
}

}  // namespace

void LcpSolver::solve(const Matrix& A, const Vector& b, const LcpOptions& options,
                      LcpSolution& solution) {
  validate(A, b, options);
  const int m = static_cast<int>(b.size());
  if (solution.z.size() != m) solution.z.setZero(m);
  solution.w.resize(m);
  solution.iterations = 0;
  solution.error = 0.0;
  solution.status = LcpStatus::Solved;
  // Nothing pushes: z = 0, w = b.
  if (m == 0 || b.minCoeff<Eigen::PropagateNaN>() >= 0.0) {
    solution.z.setZero();
    solution.w = b;
    return;
  }

  const lcp::Need need = need_of(options.method, m);
  const auto size = static_cast<std::size_t>(m);
  if (numbers_.size() < need.numbers + size) numbers_.resize(need.numbers + size);
  if (indices_.size() < need.indices) indices_.resize(need.indices);
  double* mass = numbers_.data() + need.numbers;
  lcp::Problem problem = lcp::describe(A, b, options.scale, mass);
  problem.tolerance = options.tolerance;
  problem.relaxation = options.relaxation;
  problem.max_iterations = options.max_iterations;
  const lcp::Outcome outcome =
      dispatch(options.method, problem, numbers_.data(), indices_.data(), solution.z.data());
  solution.iterations = outcome.iterations;
  solution.error = lcp::evaluate(problem, solution.z.data(), solution.w.data());
  if (!(solution.error <= accepted_error(options))) {
    solution.status = outcome.infeasible ? LcpStatus::Infeasible : LcpStatus::IterationLimit;
  }
}

LcpSolution solve_lcp(const Matrix& A, const Vector& b, const LcpOptions& options) {
  LcpSolver solver;
  LcpSolution solution;
  solver.solve(A, b, options, solution);
  return solution;
}

}  // namespace percute::numerics

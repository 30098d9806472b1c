// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "numerics/lcp.hpp"

#include "numerics/lcp_methods.hpp"

#include <stdexcept>
#include <string>

namespace percute::numerics {

void lcp::validate(const Matrix& A, const Vector& b, double tolerance, double scale) {
  const auto m = b.size();
  if (A.rows() != m || A.cols() != m) {
    throw std::invalid_argument("linear complementarity problem: A is " + std::to_string(A.rows()) +
                                " x " + std::to_string(A.cols()) + ", b has " + std::to_string(m) +
                                " entries; A must be square and of the size of b");
  }
  if (!(tolerance >= 0.0)) {
    throw std::invalid_argument("tolerance = " + std::to_string(tolerance) +
                                ": must not be negative");
  }
  if (!(scale >= 0.0)) {
    throw std::invalid_argument("scale = " + std::to_string(scale) + ": must not be negative");
  }
}

void LcpSolver::solve(const Matrix& A, const Vector& b, const LcpOptions& options,
                      LcpSolution& solution) {
  const int m = static_cast<int>(b.size());
  const auto by = [&](const lcp::Need& need, const auto& method) {
    lcp::solve_by(A, b, options, need, memory_, solution, method);
  };
  switch (options.method) {
    case LcpMethod::ActiveSet:
      return by(lcp::active_set_need(m), lcp::active_set);
    case LcpMethod::Lemke:
      return by(lcp::lemke_need(m), lcp::lemke);
    case LcpMethod::Enumeration:
      if (m > kLargestEnumeration) {
        throw std::invalid_argument("enumeration of a problem with " + std::to_string(m) +
                                    " rows: at most " + std::to_string(kLargestEnumeration));
      }
      return by(lcp::enumeration_need(m), lcp::enumeration);
  }
}

LcpSolution solve_lcp(const Matrix& A, const Vector& b, const LcpOptions& options) {
  LcpSolver solver;
  LcpSolution solution;
  solver.solve(A, b, options, solution);
  return solution;
}

}  // namespace percute::numerics

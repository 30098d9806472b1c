// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "numerics/lcp.hpp"

#include <vector>

namespace percute::selftest {

using numerics::LcpSolution;
using numerics::SolverStatus;

/// How to solve 0 ≤ w = A z + b ⟂ z ≥ 0. ActiveSet and Lemke are those of the library
/// (numerics::LcpMethod); the others only give second opinions.
enum class LcpMethod {
  ActiveSet,
  Lemke,
  GaussSeidel,        ///< A symmetric positive semidefinite; may need many sweeps
  MinNewton,          ///< A positive semidefinite, symmetric or not
  FischerBurmeister,  ///< A positive semidefinite, symmetric or not
  Enumeration,        ///< any A of at most kLargestEnumeration rows: tries every support
};

struct LcpOptions {
  LcpMethod method = LcpMethod::ActiveSet;
  double tolerance = 1e-12;  ///< on the error of the solution; pivoting accepts rounding to 1e-10
  double scale = 0.0;        ///< unit of w, e.g. the largest speed; 0: max |b|
  int max_iterations = 0;    ///< pivots, sweeps or Newton steps; 0: the method's own default
  double relaxation = 1.0;   ///< GaussSeidel: step over Gauss–Seidel step, in (0, 2)
};

/// As numerics::LcpSolver. `solution.z` is the starting guess for all but Lemke and Enumeration.
class LcpSolver {
 public:
  static constexpr int kLargestEnumeration = 12;

  void solve(const Matrix& A, const Vector& b, const LcpOptions& options, LcpSolution& solution);

 private:
  numerics::LcpSolver solver_;
  numerics::lcp::Memory memory_;
};

/// For a single problem.
LcpSolution solve_lcp(const Matrix& A, const Vector& b, const LcpOptions& options = {});

/// All complementary solutions, one per support {i : z_i > 0}, smallest supports first; of supports
/// that leave z free, the least-norm one where that is positive. At most kLargestEnumeration rows,
/// otherwise throws std::invalid_argument. `tolerance` is on the natural-map error.
std::vector<LcpSolution> enumerate_lcp(const Matrix& A, const Vector& b, double tolerance = 1e-10);

}  // namespace percute::selftest

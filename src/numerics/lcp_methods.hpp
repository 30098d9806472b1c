// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "numerics/lcp.hpp"

#include <algorithm>
#include <limits>

namespace percute::numerics::lcp {

/// 0 ≤ w = A z + b ⟂ z ≥ 0 with the units of its unknowns.
struct Problem {
  int size = 0;
  const double* A = nullptr;     ///< size × size, by columns
  const double* b = nullptr;     ///< size
  const double* mass = nullptr;  ///< size: m_i ≈ 1/A_ii, so that m_i · scale is the unit of z_i
  double scale = 1.0;            ///< unit of w
  double tolerance = 1e-12;      ///< on the natural-map error
  int max_iterations = 0;        ///< 0: the method's own default

  double column(int i, int j) const { return A[i + size * j]; }
};

/// The problem with its units. `mass` (size of b) is filled: m_i = 1/A_ii, for rows without
/// mobility of their own that of the most mobile one. scale = 0: max |b|, or 1 where that is zero
/// too.
Problem describe(const Matrix& A, const Vector& b, double scale, double* mass);

/// Errors that rounding can leave with the right support.
inline constexpr double kRounding = 1e-10;

/// w = A z + b; returns the natural-map error, infinite where something is not finite.
double evaluate(const Problem& problem, const double* z, double* w);

/// Natural-map error that rounding of A z + b can make: ε max_i (|A| z + |b|)_i / scale.
double rounding(const Problem& problem, const double* z);

/// Fills root (size) with r so that r_i A_ij r_j has a unit diagonal; rows without mobility of
/// their own (multipliers) get a largest coupling of one. Returns max r_i |b_i|.
double unit_diagonal(const Problem& problem, double* root);

/// What a method hands back; z is where the caller wants it.
struct Outcome {
  int iterations = 0;
  bool infeasible = false;  ///< the method has shown that there is no solution
  bool converged = true;    ///< false: the method itself does not trust its z
};

/// The best of the points offered.
struct Best {
  const Problem& problem;
  double* z;  ///< size: the best so far
  double* w;  ///< size: scratch
  double error = std::numeric_limits<double>::infinity();

  /// Compares max(0, candidate), which it leaves in the candidate.
  void offer(double* candidate);
};

// Each method starts from the z given (where it can), and leaves its best z ≥ 0 there.
Outcome active_set(const Problem& problem, Memory& memory, double* z);
Outcome lemke(const Problem& problem, Memory& memory, double* z);

/// Solution of w_F = 0, z_G = 0 for given F, by elimination with row exchanges and one refinement.
class SupportEquations {
 public:
  SupportEquations(const Problem& problem, Memory& memory);
  /// F is the `count` indices in `support`; z may come out negative. False where A_FF is singular.
  bool solve(const int* support, int count, double* z);

 private:
  const Problem& problem_;
  double* matrix_;
  double* x_;
  double* root_;
  int* exchange_;
};

/// Throws std::invalid_argument where sizes, tolerance or scale make no sense.
void validate(const Matrix& A, const Vector& b, double tolerance, double scale);

/// Solves by `method(problem, memory, z)`; `options.method` is not looked at.
template <class Method>
void solve_by(const Matrix& A, const Vector& b, const LcpOptions& options, Memory& memory,
              LcpSolution& solution, Method&& method) {
  validate(A, b, options.tolerance, options.scale);
  const int m = static_cast<int>(b.size());
  if (solution.z.size() != m) solution.z.setZero(m);
  solution.w.resize(m);
  solution.iterations = 0;
  solution.error = 0.0;
  solution.rounding = 0.0;
  solution.status = SolverStatus::Solved;
  // Nothing pushes: z = 0, w = b.
  if (m == 0 || b.minCoeff<Eigen::PropagateNaN>() >= 0.0) {
    solution.z.setZero();
    solution.w = b;
    return;
  }
  memory.start();
  Problem problem = describe(A, b, options.scale, memory.numbers(m));
  problem.tolerance = options.tolerance;
  problem.max_iterations = options.max_iterations;
  const Outcome outcome = method(problem, memory, solution.z.data());
  solution.iterations = outcome.iterations;
  solution.error = evaluate(problem, solution.z.data(), solution.w.data());
  if (!(solution.error <= options.tolerance)) {
    solution.rounding = rounding(problem, solution.z.data());
  }
  const double accepted = std::max(options.tolerance, kRounding);
  if (!outcome.converged || !(solution.error <= accepted)) {
    solution.status = outcome.infeasible ? SolverStatus::Infeasible : SolverStatus::IterationLimit;
  }
}

}  // namespace percute::numerics::lcp

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#pragma once

#include "numerics/solver_status.hpp"

#include <percute/numerics/linear_algebra.hpp>

#include <cstddef>
#include <deque>
#include <vector>

namespace percute::numerics {

/// How to solve the linear complementarity problem 0 ≤ w = A z + b ⟂ z ≥ 0
/// (Cottle, Pang & Stone 1992).
enum class LcpMethod {
  ActiveSet,  ///< A symmetric positive semidefinite; fastest, the default
  Lemke,      ///< any A; certain for copositive-plus ones, which all monotone ones are
};

struct LcpOptions {
  LcpMethod method = LcpMethod::ActiveSet;
  double tolerance = 1e-12;  ///< on the error of the solution; pivoting accepts rounding to 1e-10
  double scale = 0.0;        ///< unit of w, e.g. the largest speed; 0: max |b|
  int max_iterations = 0;    ///< pivots; 0: the method's own default
};

struct LcpSolution {
  Vector z = {};
  Vector w = {};  ///< A z + b
  /// Natural-map error max_i |min(z_i / (m_i s), w_i / s)|, with the scale s and m_i = 1/A_ii
  /// (1/max_j A_jj where A_ii ≤ 10⁻¹⁴ max_j A_jj).
  double error = 0.0;
  /// Error that rounding of A z + b alone explains, set where `error` exceeds the tolerance. Mass
  /// ratios beyond a million can bring it above 1e-10: then there is no better z in this precision.
  double rounding = 0.0;
  int iterations = 0;
  SolverStatus status = SolverStatus::IterationLimit;

  bool solved() const { return status == SolverStatus::Solved; }
};

namespace lcp {

/// Scratch memory in blocks, which grow to the largest problem and are handed out anew for each.
class Memory {
 public:
  void start() { number_.used = index_.used = 0; }
  double* numbers(int count) { return number_.take(count); }
  int* indices(int count) { return index_.take(count); }

 private:
  template <class T>
  struct Blocks {
    std::deque<std::vector<T>> all = {};
    std::size_t used = 0;

    T* take(int count) {
      if (used == all.size()) all.emplace_back();
      std::vector<T>& block = all[used++];
      if (block.size() < static_cast<std::size_t>(count)) block.resize(count);
      return block.data();
    }
  };
  Blocks<double> number_;
  Blocks<int> index_;
};

}  // namespace lcp

/// Memory for solving; one per thread. Takes memory only when a problem is larger than all before;
/// what it has solved before does not change a bit of what it returns.
class LcpSolver {
 public:
  /// `solution.z`, when it has the right size, is the starting guess of ActiveSet. Pass a fresh
  /// solution to start from nothing.
  /// Throws std::invalid_argument where sizes or options make no sense.
  void solve(const Matrix& A, const Vector& b, const LcpOptions& options, LcpSolution& solution);

 private:
  lcp::Memory memory_;
};

/// For a single problem.
LcpSolution solve_lcp(const Matrix& A, const Vector& b, const LcpOptions& options = {});

/// argmin |x| subject to G x ≥ g. False: no such x.
bool least_distance(const Matrix& G, const Vector& g, Vector& x);

/// argmin { |p|² : p ≥ 0, A p = A p0 } for symmetric positive semidefinite A and p0 ≥ 0: the choice
/// among the impulses of redundant contacts. Returns p0 where A has full rank.
Vector least_norm_impulse(const Matrix& A, const Vector& p0);

/// Rank of a symmetric positive semidefinite matrix: see pivoted_cholesky().
int semidefinite_rank(const Matrix& A);

}  // namespace percute::numerics

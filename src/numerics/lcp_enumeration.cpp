// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "numerics/lcp_methods.hpp"

#include <percute/numerics/orthogonal_factor.hpp>

#include <algorithm>
#include <bit>
#include <limits>
#include <stdexcept>
#include <string>

// For each of the 2^m sets F: A_FF z_F = −b_F, z = 0 elsewhere, kept where z ≥ 0 and w ≥ 0. Slow
// and certain: what the other methods are compared with. Where A is symmetric positive semidefinite
// and there is a solution, there is one with A_FF regular: A_FF u = 0 implies A u = 0, so going
// along u until some z_i is zero makes F smaller.

namespace percute::numerics::lcp {

namespace {

int members(unsigned set, int size, int* support) {
  int count = 0;
  for (int i = 0; i < size; ++i) {
    if ((set >> i & 1U) != 0U) support[count++] = i;
  }
  return count;
}

}  // namespace

Need enumeration_need(int size) {
  const auto m = static_cast<std::size_t>(size);
  const Need support = support_need(size);
  return {.numbers = support.numbers + 2 * m, .indices = support.indices + m};
}

Outcome enumeration(const Problem& problem, double* numbers, int* indices, double* z) {
  const int m = problem.size;
  double* candidate = numbers;
  double* w = candidate + m;
  int* support = indices;
  Outcome outcome;
  Best best{.problem = problem, .z = z, .w = w};
  for (unsigned set = 0; set < 1U << m; ++set) {
    ++outcome.iterations;
    const int count = members(set, m, support);
    if (!solve_support(problem, support, count, w + m, support + m, candidate)) continue;
    best.offer(candidate);
  }
  outcome.infeasible = best.error > 1e-6;  // less may be rounding of a nearly singular support
  return outcome;
}

}  // namespace percute::numerics::lcp

namespace percute::numerics {

namespace {

/// Least-norm z_F with A_FF z_F = −b_F in the sense of least squares.
Vector least_norm_on(const Matrix& A, const Vector& b, unsigned set) {
  std::vector<Eigen::Index> support;
  for (Eigen::Index i = 0; i < b.size(); ++i) {
    if ((set >> i & 1U) != 0U) support.push_back(i);
  }
  Vector z = Vector::Zero(b.size());
  if (support.empty()) return z;
  const OrthogonalFactor factors(A(support, support), 1e-11);
  const Vector part = factors.solve(Vector(-b(support)));
  z(support) = part;
  return z;
}

}  // namespace

std::vector<LcpSolution> enumerate_lcp(const Matrix& A, const Vector& b, double tolerance) {
  const auto m = b.size();
  if (m > LcpSolver::kLargestEnumeration) {
    throw std::invalid_argument("enumeration of a problem with " + std::to_string(m) +
                                " rows: at most " + std::to_string(LcpSolver::kLargestEnumeration));
  }
  std::vector<unsigned> sets(std::size_t{1} << m);
  for (std::size_t k = 0; k < sets.size(); ++k) sets[k] = static_cast<unsigned>(k);
  std::stable_sort(sets.begin(), sets.end(),
                   [](unsigned a, unsigned c) { return std::popcount(a) < std::popcount(c); });

  Vector mass(m);
  const lcp::Problem problem = lcp::describe(A, b, 0.0, mass.data());
  std::vector<LcpSolution> solutions;
  for (const unsigned set : sets) {
    LcpSolution found{.z = least_norm_on(A, b, set), .w = Vector(m), .iterations = 1};
    bool positive = true;
    for (Eigen::Index i = 0; i < m; ++i) {
      if ((set >> i & 1U) == 0U) continue;
      positive = positive && found.z[i] > tolerance * mass[i] * problem.scale;
    }
    if (!positive) continue;
    found.error = lcp::evaluate(problem, found.z.data(), found.w.data());
    if (!(found.error <= tolerance)) continue;
    found.status = LcpStatus::Solved;
    solutions.push_back(std::move(found));
  }
  return solutions;
}

}  // namespace percute::numerics

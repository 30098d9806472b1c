// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "numerics/lcp_methods.hpp"

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

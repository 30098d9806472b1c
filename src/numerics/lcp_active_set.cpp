// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "numerics/active_search.hpp"
#include "numerics/lcp_methods.hpp"

#include <algorithm>

// Guess F = {z_i > 0} of a warm start, else {b_i ≤ 0}, and correct it in blocks: most impacts end
// there, after one or two systems of equations. Else descend from z = 0, which always ends. What
// rounding spoils goes to Lemke's method; the best of all is returned.

namespace percute::numerics::lcp {

Need active_set_need(int size) {
  const auto m = static_cast<std::size_t>(size);
  const Need pivoting = lemke_need(size);
  const std::size_t own = ActiveFactor::numbers(size) + 3 * m;
  return {.numbers = own + pivoting.numbers,
          .indices = ActiveFactor::indices(size) + m + pivoting.indices};
}

Outcome active_set(const Problem& problem, double* numbers, int* indices, double* z) {
  const int m = problem.size;
  ActiveFactor factor(m, problem.A, numbers, indices);
  double* w = numbers + ActiveFactor::numbers(m);
  double* target = w + m;
  double* spare = target + m;
  int* state = indices + ActiveFactor::indices(m);
  const ActiveSearch search{
      .problem = problem, .factor = factor, .z = z, .w = w, .target = target, .state = state};

  bool warm = false;
  for (int i = 0; i < m; ++i) warm = warm || z[i] > 0.0;
  for (int i = 0; i < m; ++i) state[i] = (warm ? z[i] > 0.0 : problem.b[i] <= 0.0) ? 1 : 0;

  Outcome outcome;
  Best best{.problem = problem, .z = spare, .w = w};
  if (!search.guess(outcome.iterations)) {
    const int limit = problem.max_iterations > 0 ? problem.max_iterations : 20 + 10 * m;
    best.offer(z);
    const auto end = search.descend(limit, outcome.iterations);
    best.offer(z);
    if (end != ActiveSearch::End::Minimum || best.error > std::max(problem.tolerance, kRounding)) {
      const Outcome last = lemke(problem, spare + m, state + m, z);
      outcome.iterations += last.iterations;
      outcome.infeasible = last.infeasible;
      best.offer(z);
    }
    std::copy(spare, spare + m, z);
  }
  for (int i = 0; i < m; ++i) z[i] = std::max(0.0, z[i]);
  return outcome;
}

}  // namespace percute::numerics::lcp

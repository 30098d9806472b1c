// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "numerics/active_factor.hpp"
#include "numerics/lcp_methods.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

// Symmetric positive semidefinite A: the problem is min ½ zᵀA z + bᵀz over z ≥ 0, and its solution
// is known once the set F of positive z_i is.
//
// 1. Guess. F = {z_i > 0} of a warm start, else {b_i ≤ 0}. While some z_i (i in F) or w_i (others)
//    is negative, move all those to the other side: block principal pivoting (Kostreva 1978; Júdice
//    & Pires 1994). Most impacts end here after one or two systems of equations. Given up as soon
//    as the number of wrong indices no longer falls.
// 2. Primal active set (Lawson & Hanson 1974, ch. 23). From z = 0 take up the index of steepest
//    descent, go to the minimum over F, stop where a z_i becomes zero and drop it. An index whose
//    column depends on F has no minimum along its direction u (A u = 0, bᵀu < 0): go until some z_i
//    becomes zero, which must happen unless there is no solution. The energy falls at each step, so
//    no F comes back.
// 3. What rounding spoils goes to Lemke's method; the best of all is returned.

namespace percute::numerics::lcp {

namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

struct Search {
  const Problem& problem;
  ActiveFactor& factor;
  double* z;       ///< present point, ≥ 0 in phase 2
  double* w;       ///< A z + b
  double* target;  ///< minimum over F, by position in F
  int* state;      ///< 1: wanted in F

  bool positive(int i, double value) const {
    return value > problem.tolerance * problem.mass[i] * problem.scale;
  }

  /// z of F from w_F = 0 with one refinement where rounding is seen; w of all.
  void solve() const {
    const int m = problem.size;
    std::fill(z, z + m, 0.0);
    for (int k = 0; k < factor.count(); ++k) target[k] = -problem.b[factor.index(k)];
    for (int pass = 0; pass < 2; ++pass) {
      factor.solve(target);
      for (int k = 0; k < factor.count(); ++k) z[factor.index(k)] += target[k];
      evaluate(problem, z, w);
      double worst = 0.0;
      for (int k = 0; k < factor.count(); ++k) {
        target[k] = -w[factor.index(k)];
        worst = std::max(worst, std::abs(target[k]));
      }
      if (!(worst > 0.1 * problem.tolerance * problem.scale)) return;
    }
  }

  /// Phase 1; true with the solution in z.
  bool guess(int& iterations) const {
    const int m = problem.size;
    int fewest = m + 1;
    for (int patience = 2; patience > 0;) {
      ++iterations;
      factor.clear();
      for (int i = 0; i < m; ++i) {
        if (state[i] != 0) factor.append(i);  // a dependent one stays out, with z_i = 0
      }
      solve();
      const double threshold = -problem.tolerance * problem.scale;
      int wrong = 0;
      for (int i = 0; i < m; ++i) {
        const bool negative = std::min(z[i] / problem.mass[i], w[i]) < threshold;
        if (!negative) continue;
        ++wrong;
        state[i] = z[i] != 0.0 ? 0 : 1;
      }
      if (wrong == 0) return true;
      if (wrong < fewest) {
        fewest = wrong;
      } else {
        --patience;
      }
    }
    return false;
  }

  /// Steepest direction among those not in F, −1 where w ≥ 0 up to rounding.
  int steepest() const {
    const int m = problem.size;
    int best = -1;
    double slope = 0.0;
    for (int i = 0; i < m; ++i) {
      if (state[i] != 0) continue;
      double magnitude = std::abs(problem.b[i]);
      for (int k = 0; k < factor.count(); ++k) {
        magnitude += std::abs(problem.column(i, factor.index(k))) * z[factor.index(k)];
      }
      const double rounding = 8.0 * kEpsilon * magnitude;
      if (!(w[i] < -std::max(0.5 * problem.tolerance * problem.scale, rounding))) continue;
      if (w[i] * std::sqrt(problem.mass[i]) < slope) {
        slope = w[i] * std::sqrt(problem.mass[i]);
        best = i;
      }
    }
    return best;
  }

  /// z_F ← z_F + step (to − z_F) for the largest step ≤ 1 that keeps z ≥ 0; what became zero leaves
  /// F. True if the whole step was possible.
  bool advance() const {
    double step = 1.0;
    int blocking = -1;
    for (int k = 0; k < factor.count(); ++k) {
      const int i = factor.index(k);
      if (target[k] > 0.0 || !(z[i] - target[k] > 0.0)) continue;
      const double ratio = z[i] / (z[i] - target[k]);
      if (ratio < step) {
        step = ratio;
        blocking = i;
      }
    }
    for (int k = 0; k < factor.count(); ++k) {
      const int i = factor.index(k);
      z[i] = std::max(0.0, z[i] + step * (target[k] - z[i]));
    }
    if (blocking < 0) return true;
    drop(blocking);
    return false;
  }

  void drop(int i) const {
    z[i] = 0.0;
    state[i] = 0;
    factor.remove(i);
  }

  /// Goes along u = (−A_FF⁻¹ A_Fi, 1), on which the energy is linear, until some z_j is zero.
  /// False if none ever is.
  bool slide(int i) const {
    factor.dependence(i, target);
    double step = std::numeric_limits<double>::infinity();
    int blocking = -1;
    for (int k = 0; k < factor.count(); ++k) {
      const int j = factor.index(k);
      const double slope = target[k];
      if (!(slope > 1e-10 * std::sqrt(problem.mass[j] / problem.mass[i]))) continue;
      if (z[j] / slope < step) {
        step = z[j] / slope;
        blocking = j;
      }
    }
    if (blocking < 0) return false;
    for (int k = 0; k < factor.count(); ++k) {
      const int j = factor.index(k);
      z[j] = std::max(0.0, z[j] - step * target[k]);
    }
    drop(blocking);
    z[i] += step;
    return true;
  }

  enum class End { Minimum, Unbounded, Limit };

  End descend(int limit, int& iterations) const {
    const int m = problem.size;
    std::fill(z, z + m, 0.0);
    std::fill(state, state + m, 0);
    std::copy(problem.b, problem.b + m, w);
    factor.clear();
    for (int count = 0; count < limit; ++count) {
      const int i = steepest();
      if (i < 0) return End::Minimum;
      ++iterations;
      while (!factor.append(i)) {
        if (!slide(i)) return End::Unbounded;
      }
      state[i] = 1;
      for (;;) {
        for (int k = 0; k < factor.count(); ++k) target[k] = -problem.b[factor.index(k)];
        factor.solve(target);
        if (advance()) break;
      }
      solve();
      for (int j = 0; j < m; ++j) z[j] = std::max(0.0, z[j]);
      if (state[i] == 0) state[i] = 2;  // rounding: came and went
    }
    return End::Limit;
  }
};

}  // namespace

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
  const Search search{problem, factor, z, w, target, state};

  bool warm = false;
  for (int i = 0; i < m; ++i) warm = warm || z[i] > 0.0;
  for (int i = 0; i < m; ++i) state[i] = (warm ? z[i] > 0.0 : problem.b[i] <= 0.0) ? 1 : 0;

  Outcome outcome;
  const auto finish = [&] {
    for (int i = 0; i < m; ++i) z[i] = std::max(0.0, z[i]);
    return outcome;
  };
  if (search.guess(outcome.iterations)) return finish();

  const int limit = problem.max_iterations > 0 ? problem.max_iterations : 20 + 10 * m;
  const Search::End end = search.descend(limit, outcome.iterations);
  finish();
  double best = evaluate(problem, z, w);
  if (end == Search::End::Minimum && best <= std::max(problem.tolerance, kRounding)) return outcome;

  const Outcome last = lemke(problem, spare + m, state + m, spare);
  outcome.iterations += last.iterations;
  outcome.infeasible = end == Search::End::Unbounded && last.infeasible;
  if (evaluate(problem, spare, w) < best) std::copy(spare, spare + m, z);
  return outcome;
}

}  // namespace percute::numerics::lcp

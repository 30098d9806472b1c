// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "numerics/active_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace percute::numerics::lcp {

double ActiveSearch::solve() const {
  const int m = problem.size;
  const int count = factor.count();
  std::fill(z, z + m, 0.0);
  for (int k = 0; k < count; ++k) target[k] = -problem.b[factor.index(k)];
  double error = 0.0;
  for (int pass = 0; pass < 3; ++pass) {
    factor.solve(target);
    for (int k = 0; k < count; ++k) z[factor.index(k)] += target[k];
    error = evaluate(problem, z, w);
    double worst = 0.0;
    for (int k = 0; k < count; ++k) worst = std::max(worst, std::abs(w[factor.index(k)]));
    if (!factor.delicate() && !(worst > 0.1 * problem.tolerance * problem.scale)) break;
    for (int k = 0; k < count; ++k) {
      target[k] = -careful_residual(problem, factor.index(k), factor.list(), count, z);
    }
  }
  return error;
}

bool ActiveSearch::guess(int& iterations) const {
  const int m = problem.size;
  int fewest = m + 1;
  for (int patience = 2; patience > 0;) {
    ++iterations;
    factor.clear();
    for (int i = 0; i < m; ++i) {
      if (state[i] != 0) factor.append(i);  // a dependent one stays out, with z_i = 0
    }
    const double error = solve();
    const double threshold = -problem.tolerance * problem.scale;
    int wrong = 0;
    for (int i = 0; i < m; ++i) {
      const bool negative = std::min(z[i] / problem.mass[i], w[i]) < threshold;
      if (!negative) continue;
      ++wrong;
      state[i] = z[i] != 0.0 ? 0 : 1;
    }
    if (wrong == 0) return error <= std::max(problem.tolerance, kRounding);
    if (wrong < fewest) {
      fewest = wrong;
    } else {
      --patience;
    }
  }
  return false;
}

int ActiveSearch::steepest() const {
  const int m = problem.size;
  int best = -1;
  double slope = 0.0;
  for (int i = 0; i < m; ++i) {
    if (state[i] != 0) continue;
    double magnitude = std::abs(problem.b[i]);
    for (int k = 0; k < factor.count(); ++k) {
      magnitude += std::abs(problem.column(i, factor.index(k))) * z[factor.index(k)];
    }
    const double rounding = 8.0 * std::numeric_limits<double>::epsilon() * magnitude;
    if (!(w[i] < -std::max(0.5 * problem.tolerance * problem.scale, rounding))) continue;
    if (w[i] * std::sqrt(problem.mass[i]) < slope) {
      slope = w[i] * std::sqrt(problem.mass[i]);
      best = i;
    }
  }
  return best;
}

bool ActiveSearch::advance() const {
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

void ActiveSearch::drop(int i) const {
  z[i] = 0.0;
  state[i] = 0;
  factor.remove(i);
}

bool ActiveSearch::slide(int i) const {
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

ActiveSearch::End ActiveSearch::descend(int limit, int& iterations) const {
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

}  // namespace percute::numerics::lcp

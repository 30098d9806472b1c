// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "laws/lzb/slow_approach.hpp"

#include <algorithm>
#include <cmath>
#include <deque>

namespace percute::laws {

namespace {

/// Visits per contact after which the rest is left as it is.
constexpr long kVisits = 1000;

}  // namespace

double remove_slow_approach(const ImpactSetup& setup, std::vector<double>& U, Vector& impulse,
                            Vector& dissipated) {
  const double fastest = -*std::min_element(U.begin(), U.begin() + setup.m);
  if (!(fastest > setup.gap_rate_tol)) return 0.0;

  const std::vector<double> U_start = U;
  std::vector<double> p(static_cast<std::size_t>(setup.m), 0.0);
  const double tolerance = 0.1 * setup.gap_rate_tol;
  // p_i that would end the approach, or as much as can be taken back.
  const auto change = [&](int i) { return std::max(-p[i], -U[i] / setup.G.diagonal(i)); };
  const auto violated = [&](int i) {
    return std::abs(change(i)) * setup.G.diagonal(i) > tolerance;
  };
  std::deque<int> due;
  for (int i = 0; i < setup.m; ++i) {
    if (violated(i)) due.push_back(i);
  }
  for (long visit = 0; !due.empty() && visit < kVisits * setup.m; ++visit) {
    const int i = due.front();
    due.pop_front();
    if (!violated(i)) continue;
    const double dp = change(i);
    p[i] += dp;
    setup.G.for_row(i, [&](int j, double G_ij) {
      U[j] += G_ij * dp;
      if (j != i && violated(j)) due.push_back(j);
    });
  }
  for (int i = 0; i < setup.m; ++i) {
    impulse[i] += p[i];
    dissipated[i] -= 0.5 * p[i] * (U_start[i] + U[i]);
  }
  return fastest;
}

}  // namespace percute::laws

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "numerics/projected_gauss_seidel.hpp"

#include <algorithm>
#include <cmath>

namespace percute::numerics {

GaussSeidelReport solve_lcp_gauss_seidel(const DelassusOperator& G, const double* b, double* z,
                                         double tolerance, int max_sweeps) {
  const int m = G.size();
  GaussSeidelReport report;
  while (report.sweeps < max_sweeps) {
    ++report.sweeps;
    for (int i = 0; i < m; ++i) {
      z[i] = std::max(0.0, z[i] - (b[i] + G.row(i, z)) / G.diagonal(i));
    }
    report.residual = 0.0;
    for (int i = 0; i < m; ++i) {
      const double w = b[i] + G.row(i, z);
      report.residual = std::max(report.residual, std::abs(std::min(z[i] * G.diagonal(i), w)));
    }
    report.converged = report.residual <= tolerance;
    if (report.converged) break;
  }
  return report;
}

}  // namespace percute::numerics

// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "numerics/least_distance.hpp"

#include "numerics/orthogonal_factor.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace percute::numerics {

Vector nonnegative_least_squares(const Matrix& E, const Vector& f) {
  const int n = static_cast<int>(E.cols());
  Vector u = Vector::Zero(n);
  std::vector<char> active(n, 0);
  const double small = 1e-13 * std::max(1.0, E.cwiseAbs().maxCoeff());
  for (int outer = 0; outer < 3 * n + 10; ++outer) {
    const Vector gradient = E.transpose() * (f - E * u);
    int entering = -1;
    for (int j = 0; j < n; ++j) {
      if (active[j] == 0 && gradient[j] > small &&
          (entering < 0 || gradient[j] > gradient[entering])) {
        entering = j;
      }
    }
    if (entering < 0) break;
    active[entering] = 1;
    for (int inner = 0; inner < 3 * n + 10; ++inner) {
      std::vector<int> index;
      for (int j = 0; j < n; ++j) {
        if (active[j] != 0) index.push_back(j);
      }
      Matrix part(E.rows(), static_cast<int>(index.size()));
      for (int k = 0; k < part.cols(); ++k) part.col(k) = E.col(index[k]);
      const Vector s = OrthogonalFactor(part).solve(f);
      // Walk towards s until an entry vanishes.
      double t = 1.0;
      for (int k = 0; k < part.cols(); ++k) {
        if (s[k] <= 0.0) t = std::min(t, u[index[k]] / (u[index[k]] - s[k]));
      }
      if (!(t >= 0.0)) t = 0.0;
      for (int k = 0; k < part.cols(); ++k) u[index[k]] += t * (s[k] - u[index[k]]);
      if (t == 1.0) break;
      for (int k = 0; k < part.cols(); ++k) {
        if (s[k] <= 0.0 && u[index[k]] <= small) {
          u[index[k]] = 0.0;
          active[index[k]] = 0;
        }
      }
    }
  }
  return u;
}

bool least_distance(const Matrix& G, const Vector& g, Vector& x) {
  const int n = static_cast<int>(G.cols());
  if (G.rows() == 0) {
    x = Vector::Zero(n);
    return true;
  }
  Matrix E(n + 1, G.rows());
  E.topRows(n) = G.transpose();
  E.row(n) = g.transpose();
  Vector f = Vector::Zero(n + 1);
  f[n] = 1.0;
  const Vector r = E * nonnegative_least_squares(E, f) - f;
  if (r.norm() < 1e-9) return false;
  x = -r.head(n) / r[n];
  return x.allFinite();
}

}  // namespace percute::numerics

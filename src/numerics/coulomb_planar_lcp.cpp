// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "numerics/coulomb_planar.hpp"
#include "numerics/lcp.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace percute::numerics {

void solve_planar_lcp(const CoulombProblem& problem, const CoulombBlocks& blocks, double tolerance,
                      CoulombSolution& solution) {
  const int m = blocks.contacts();
  const int n = blocks.rows();
  std::vector<int> sliding;  // contacts with friction
  double unit = 0.0;         // of impulses: the largest m_i; velocities then have the unit of b
  for (int i = 0; i < m; ++i) {
    if (blocks.contact(i).friction() > 0.0) sliding.push_back(i);
    unit = std::max(unit, blocks.contact(i).mass());
  }
  if (!(unit > 0.0)) unit = 1.0;
  const int t = static_cast<int>(sliding.size());

  // p = floor part + S (p_n − floor, ξ)
  Matrix S = Matrix::Zero(n, m + t);
  Vector base = Vector::Zero(n);
  for (int i = 0; i < m; ++i) {
    S(blocks.start(i), i) = 1.0;
    base[blocks.start(i)] = blocks.contact(i).floor();
  }
  for (int k = 0; k < t; ++k) {
    const int i = sliding[k];
    const int row = blocks.start(i) + 1;
    const double mu = blocks.contact(i).friction();
    S(row, i) = -mu;
    S(row, m + k) = 1.0;
    base[row] = -mu * blocks.contact(i).floor();
  }
  const Matrix AS = unit * (problem.A * S);
  const Vector z = problem.b + problem.A * base;

  // Rows z_n, z⁺ = z_t + z⁻, and 2μ p_n − ξ; columns p_n − floor, ξ (both over `unit`), z⁻.
  Matrix M = Matrix::Zero(m + 2 * t, m + 2 * t);
  Vector q = Vector::Zero(m + 2 * t);
  for (int i = 0; i < m; ++i) {
    M.row(i).head(m + t) = AS.row(blocks.start(i));
    q[i] = z[blocks.start(i)];
  }
  for (int k = 0; k < t; ++k) {
    const int i = sliding[k];
    const int row = blocks.start(i) + 1;
    const double mu = blocks.contact(i).friction();
    M.row(m + k).head(m + t) = AS.row(row);
    M(m + k, m + t + k) = 1.0;
    q[m + k] = z[row];
    M(m + t + k, i) = 2.0 * mu;
    M(m + t + k, m + k) = -1.0;
    q[m + t + k] = 2.0 * mu * blocks.contact(i).floor() / unit;
  }
  const LcpSolution lcp = solve_lcp(M, q, {.method = LcpMethod::Lemke, .scale = blocks.scale()});
  solution.iterations += lcp.iterations;
  solution.p = base + unit * (S * lcp.z.head(m + t));
  solution.z.resize(n);
  solution.error = blocks.evaluate(solution.p.data(), solution.z.data());
  solution.status =
      solution.error <= tolerance ? CoulombStatus::Solved : CoulombStatus::IterationLimit;
}

}  // namespace percute::numerics
